import { PageHead } from "../PageHead.tsx";
import { KEYS_PATH } from "../../lib/features/chain/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { eventNames, sampleChain } from "../../lib/features/sample_chain/mod.ts";
import { NumberForm } from "../documents/NumberForm.tsx";
import { CodeBlock } from "../CodeBlock.tsx";
import { LogAdds } from "../log/LogAdds.tsx";
import { SampleChain } from "../sample_chain/SampleChain.tsx";

/** The home page of the trust surface: what can be checked here, and how to check it without us. */
export function TrustHome({ state }: { state: State }) {
  const { services: { config, surfaces }, surface } = state;
  const { name } = config.organisations[surface.organisation];
  const chain = sampleChain();
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
        </header>
        <CheckRecord />
      </div>
      <OtherTasks />
      <section class="trust-part lined" aria-labelledby="sample">
        <header class="measure-wide below-6">
          <h2 class="below-3" id="sample">Change one byte</h2>
          <p class="lead">
            Each event contains the hash of the one before it, and the publisher signs the last
            hash, so a later change breaks the chain. Click any character, and see where
            verification fails.
          </p>
          <p class="lead">
            <LogAdds state={state} />
          </p>
          <p class="muted">
            <span class="pill">Sample</span> This chain is{" "}
            <a href={`${surfaces.baseFrom(surface, "foundation") ?? ""}/standard/test-vectors`}>
              a test vector of the standard
            </a>, signed with a published key. It belongs to nobody.
          </p>
        </header>
        <SampleChain chain={chain} names={eventNames(chain)} />
      </section>
      <WithoutUs state={state} />
      <section class="trust-part lined" aria-labelledby="published">
        <header class="measure-wide below-6">
          <h2 class="below-3" id="published">What we publish</h2>
          <p class="lead">
            Each of these texts has a hash and a version. Earlier versions stay readable.
          </p>
        </header>
        <ul class="trust-list lined">
          <li class="stack">
            <a class="bold" href="/log">Public log</a>
            <span>
              An entry for every event and document. It only grows, and others can copy and
              countersign it. <a href="/log/about">Who could cheat, and who would notice</a>
            </span>
          </li>
          <li class="stack">
            <a class="bold" href="/levels">Trust levels</a>
            <span>What levels 1 to 4 mean, and the conditions for each of them.</span>
          </li>
          <li class="stack">
            <a class="bold" href="/privacy">Privacy</a>
            <span>What is stored about you, for how long, and who sees it.</span>
          </li>
          <li class="stack">
            <a class="bold" href="/terms">Terms</a>
            <span>The terms of use of these sites.</span>
          </li>
        </ul>
      </section>
    </div>
  );
}

/** The form that opens the verifier. */
function CheckRecord() {
  return (
    <section class="task main-task flex column framed on-card" aria-labelledby="check-record">
      <h2 id="check-record">Verify a record</h2>
      <p>Verify its chain of events, from the hash in a QR code, a printout or a receipt.</p>
      <form class="full-width" method="get" action="/verify">
        <label class="block below-1 bold" for="hash">Record hash</label>
        <div class="task-line flex gap-3">
          <input
            id="hash"
            name="hash"
            class="text-input shrinks"
            required
            maxLength={500}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
          <button type="submit" class="button primary">Verify</button>
        </div>
      </form>
      <p class="task-more text-medium">
        Do you have a key card instead? <a href="/k">Check its key</a>
      </p>
    </section>
  );
}

function OtherTasks() {
  return (
    <ul class="tasks stack gap-4 above-6">
      <li class="task box flex column shadowed">
        <h2>Check a document</h2>
        <p>
          Find out whether a file is, byte for byte, the one that was issued. It is never uploaded.
        </p>
        <a class="button" href="/check">Choose a file</a>
      </li>
      <li class="task box flex column shadowed">
        <h2>A printed document</h2>
        <p>
          Its number, next to the QR code, leads to its page: who issued it, and whether it is still
          in force.
        </p>
        <NumberForm hint={false} />
      </li>
      <li class="task box flex column shadowed">
        <h2>Your own record</h2>
        <p>See its chain, level, documents and access log, and decide who may read what.</p>
        <a class="button" href="/my-record">My record →</a>
      </li>
    </ul>
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
        <p class="lead">
          These pages come from the publisher whose chains they verify. If you would rather not take
          its word for it, use your own tools.
        </p>
      </header>
      <ol class="ways stack gap-6 one-column-960">
        <li>
          <h3 class="below-2">The command</h3>
          <p>
            <a href={codeHostUrl}>The code</a>{" "}
            contains a verifier that runs on your computer. It also accepts a saved chain.
          </p>
          <CodeBlock label="In a terminal" code={`deno task verify "${trust}/verify?hash=…"`} />
        </li>
        <li>
          <h3 class="below-2">The standard</h3>
          <p>
            Any program can verify a chain. {standard === null
              ? "The standard"
              : <a href={`${standard}/standard/verification`}>The standard</a>}{" "}
            describes every byte that is hashed and signed, with test vectors.
          </p>
        </li>
        <li>
          <h3 class="below-2">The keys</h3>
          <p>
            Signatures are checked with{" "}
            <a href={KEYS_PATH}>the publisher's public keys</a>. Save them now, so that you can tell
            if they ever change.
          </p>
        </li>
      </ol>
    </section>
  );
}
