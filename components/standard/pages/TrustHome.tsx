/** The home page of the trust surface. */
import { PageHead } from "../../PageHead.tsx";
import { KEYS_PATH } from "../../../packages/proof/mod.ts";
import type { State } from "../../../lib/app/state.ts";
import { CodeBlock } from "../../CodeBlock.tsx";
import { LogAdds } from "../../LogAdds.tsx";
import { FindField } from "./FindField.tsx";

/** The home page of the trust surface: one field for whatever somebody wants to check, and how to do it without us. */
export function TrustHome({ state }: { state: State }) {
  const { config } = state.services;
  const { name } = config.organisations[state.surface.organisation];
  return (
    <div>
      <PageHead
        title={state.surface.title}
        description="Verify a record or check a document in your own browser, without relying on its publisher."
        styles="trust"
      />
      <div class="trust-top stack gap-6 middle one-column-960">
        <header class="trust-opening">
          <p class="eyebrow">Records and documents</p>
          <h1 class="below-5">Check it yourself</h1>
          <p class="lead">
            Every record that {name}{" "}
            publishes has a chain of events that anyone can verify, and every document has a hash
            that anyone can compare. Your own browser does the work.
          </p>
          <p class="flush">
            Is the record yours? <a href="/my-record">My record →</a>
          </p>
        </header>
        <section class="task main-task flex column framed on-card" aria-label="Check it">
          <FindField />
        </section>
      </div>
      <WithoutUs state={state} />
      <section class="trust-part lined" aria-labelledby="published">
        <h2 class="below-5" id="published">What we publish</h2>
        <ul class="trust-list lined">
          <li class="stack">
            <a class="bold" href="/log">Public log</a>
            <span class="muted">
              An entry for every event and document. It only grows. <LogAdds state={state} />
            </span>
          </li>
          <li class="stack">
            <a class="bold" href="/levels">Trust levels</a>
            <span class="muted">What levels 1 to 4 mean, and their conditions.</span>
          </li>
          <li class="stack">
            <a class="bold" href="/privacy">Privacy</a>
            <span class="muted">What is stored about you, for how long, and who sees it.</span>
          </li>
          <li class="stack">
            <a class="bold" href="/terms">Terms</a>
            <span class="muted">The terms of use of these sites.</span>
          </li>
        </ul>
        <p class="muted flush above-4">
          These texts have versions and hashes. Earlier versions stay readable.
        </p>
      </section>
    </div>
  );
}

/** Explains how to check records without trusting these pages. */
function WithoutUs({ state: { services: { config, surfaces }, surface } }: { state: State }) {
  const { codeHostUrl } = config.organisations[surface.organisation];
  const standard = surfaces.baseFrom(surface, "foundation");
  const trust = surfaces.url("trust") ?? surface.baseUrl;
  return (
    <section class="trust-part lined" aria-labelledby="without-us">
      <header class="measure-wide below-6">
        <h2 class="below-3" id="without-us">Check it without us</h2>
        <p class="lead">These pages come from the publisher whose chains they verify.</p>
      </header>
      <ol class="ways stack gap-6 one-column-960">
        <li>
          <h3 class="below-2">The command</h3>
          <p class="muted">
            <a href={codeHostUrl}>The code</a>{" "}
            contains a verifier for your computer. It also accepts a saved chain.
          </p>
          <CodeBlock label="In a terminal" code={`deno task verify "${trust}/verify?hash=…"`} />
        </li>
        <li>
          <h3 class="below-2">The standard</h3>
          <p class="muted">
            {standard === null
              ? "The standard"
              : <a href={`${standard}/standard/verification`}>The standard</a>}{" "}
            describes every byte that is hashed and signed, with {standard === null
              ? "test vectors"
              : <a href={`${standard}/#sample`}>a sample chain to break</a>}.
          </p>
        </li>
        <li>
          <h3 class="below-2">The keys</h3>
          <p class="muted">
            Save <a href={KEYS_PATH}>the publisher's public keys</a>{" "}
            now, so that you can tell if they ever change.
          </p>
        </li>
      </ol>
    </section>
  );
}
