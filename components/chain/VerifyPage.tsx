/** The page `/verify`, where anybody can verify a record's chain of events. */
import type { ComponentChildren } from "preact";
import { KEYS_PATH } from "../../packages/proof/mod.ts";
import type { ChainPage } from "../../lib/features/chain/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { LogAdds } from "../LogAdds.tsx";
import { PageHead } from "../PageHead.tsx";
import { StateNote } from "../StateNote.tsx";
import type { PageLog } from "./browser_trust.ts";
import { ChainVerifier } from "./ChainVerifier.tsx";

const DESCRIPTION =
  "Verifies a record's chain of events in your browser, from event 0 to the publisher's signature.";

export interface VerifyPageProps {
  state: State;
  /** The text in the hash input. */
  input: string;
  problem?: string;
  hash?: string;
  /** A page of its events, or null if it has no chain here. */
  chain: ChainPage | null;
  /** The publisher's log. */
  log: PageLog | null;
}

/** Returns the URL of the publisher's keys, which are on the trust surface. */
export const keysUrl = ({ services: { surfaces }, surface }: State): string =>
  (surfaces.baseFrom(surface, "trust") ?? surface.baseUrl) + KEYS_PATH;

/**
 * The browser verifier. The publisher has it on its trust surface, and the foundation on its own site,
 * which reads the same chains and keys.
 */
export function VerifyPage({ state, input, problem, hash, chain, log }: VerifyPageProps) {
  const { services: { surfaces, chains, config }, surface } = state;
  const trust = surfaces.baseFrom(surface, "trust");
  const own = surface.serves(KEYS_PATH);
  const withProcedure = !hash;
  const moduleUrl = surface.serves("/verifier")
    ? "/verifier"
    : surfaces.url("foundation", "/verifier");
  const procedureUrl = surfaces.url("foundation", "/standard/verification");
  // The foundation's site has its own styles. It advertises its MCP server, as the trust surface does not.
  const styles = surface.advertisesMcp ? "foundation" : "verify";
  const title = hash ? `Verify ${hash.slice(0, 8)}…` : "Verify a chain";
  return (
    <div class="verify-page">
      <PageHead title={title} description={DESCRIPTION} styles={styles}>
        {(hash || problem) && <meta name="robots" content="noindex" />}
      </PageHead>
      <header class={withProcedure ? "with-procedure" : undefined}>
        <div>
          <p class="eyebrow">Verification</p>
          <h1>Verify a record</h1>
          <p class="lead">
            {chain === null
              ? "Each event of a record contains the hash of the previous one, and the publisher " +
                "signs the length of the chain and its last hash. On this page, your browser " +
                "checks all of it, but not the record's "
              : "Your browser checks every event and the publisher's signature, but not the "}
            {trust === null
              ? "trust level"
              : <a href={own ? "/levels" : `${trust}/levels`}>trust level</a>}, which the publisher
            states.
          </p>
          {chain === null && (
            <>
              <HashForm input={input} problem={problem} />
              <Otherwise own={own} />
            </>
          )}
        </div>
        {withProcedure && <Procedure url={procedureUrl} moduleUrl={moduleUrl} state={state} />}
      </header>
      {hash && chain === null && (
        <StateNote kind="empty" title="No chain for this record">
          <p>
            {chains.publisher}{" "}
            has no chain with this hash. Compare it digit by digit with your source.
          </p>
        </StateNote>
      )}
      {chain && (
        <noscript>
          <p class="note">
            Without JavaScript, this page verifies nothing: these are the events as the publisher
            shows them. The command below verifies them.
          </p>
        </noscript>
      )}
      <ChainVerifier
        known={{
          hash: hash ?? null,
          publisher: chains.publisher,
          keysUrl: own ? KEYS_PATH : keysUrl(state),
          log,
          readsOthers: !own,
        }}
        chainUrl={chain && `${surfaces.baseFrom(surface, "api") ?? ""}/api/chain/${hash}`}
        first={chain?.events ?? []}
        size={chain?.head.size ?? 0}
      />
      {chain && <OlderEvents chain={chain} />}
      {chain && (
        <section
          class="verify-another measure-wide pad-top-5 above-6 ruled"
          aria-labelledby="another"
        >
          <h2 id="another">Verify another record</h2>
          <HashForm input="" />
          <Otherwise own={own} />
        </section>
      )}
      {chain && (
        <CommandLine
          foundation={own
            ? {
              name: config.organisations.foundation.name,
              url: surfaces.baseFrom(surface, "foundation"),
            }
            : null}
          source={own ? null : {
            site: config.organisations[surface.organisation].name,
            publisher: chains.publisher,
          }}
          verifyUrl={`${surfaces.url("trust") ?? surface.baseUrl}/verify?hash=${hash}`}
          codeUrl={config.organisations[surface.organisation].codeHostUrl}
          moduleUrl={moduleUrl}
          standardUrl={procedureUrl}
        >
          <LogAdds state={state} />
        </CommandLine>
      )}
    </div>
  );
}

/** Links to the page for visitors without a record's hash. */
const Otherwise = ({ own }: { own: boolean }) => (
  <p class="note">
    {own
      ? (
        <>
          Do you have a file instead? <a href="/check">Check a document</a>
        </>
      )
      : (
        <>
          No hash at hand? <a href="/#sample">Break the sample chain</a>
        </>
      )}
  </p>
);

/** A form for the record hash, which works without JavaScript. */
function HashForm({ input, problem }: Pick<VerifyPageProps, "input" | "problem">) {
  return (
    <form class="hash-form pad-top-3" method="get" action="/verify">
      <div class="field">
        <label for="hash">Record hash</label>
        <span class="hint" id="hash-hint">
          64 hexadecimal digits, from a QR code, a printout or your registration.
        </span>
        <div class="hash-line flex gap-3">
          <input
            id="hash"
            name="hash"
            class="mono shrinks"
            value={input}
            required
            maxLength={500}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby={problem ? "hash-hint hash-problem" : "hash-hint"}
            aria-invalid={problem ? "true" : undefined}
          />
          <button type="submit" class="button primary">Verify</button>
        </div>
        {problem && <span class="problem" id="hash-problem">{problem}</span>}
      </div>
    </form>
  );
}

/** A link to the previous page of events, for visitors without JavaScript. */
function OlderEvents({ chain: { hash, events } }: { chain: ChainPage }) {
  const oldest = events[0]?.seq ?? 0;
  if (oldest === 0) return null;
  return (
    <noscript>
      <p class="actions">
        <a class="button" href={`/verify?hash=${hash}&before=${oldest}`}>Older events</a>
      </p>
    </noscript>
  );
}

/** The checks in their order. */
function Procedure(
  { url, moduleUrl, state }: { url: string | null; moduleUrl: string | null; state: State },
) {
  return (
    <section
      class="procedure pad-5 soft-framed round on-card shadowed text-medium"
      aria-labelledby="procedure"
    >
      <h2 class="below-3 text-large" id="procedure">What your browser checks</h2>
      <ol class="steps below-3">
        <li>
          <strong>The events.</strong>{" "}
          They are numbered from 0 without a gap. Each contains the hash of the one before it, or of
          the record for event 0, and its own hash is correct.
        </li>
        <li>
          <strong>The signed head.</strong>{" "}
          A key of the publisher signed it, for this publisher and this record.
        </li>
        <li>
          <strong>The end.</strong>{" "}
          Every event that the head covers is there, and the last one has the hash that was signed.
        </li>
        <li>
          <strong>The public log.</strong>{" "}
          The chain is in it, others have countersigned that, and it contains everything that your
          browser saw in it before.
        </li>
      </ol>
      <p>
        It stops at the first fault and names it.{" "}
        {url !== null && <a href={url}>The procedure, step by step</a>}
        {url !== null && ". "}
        {moduleUrl !== null && (
          <>
            You can also verify records <a href={moduleUrl}>in your own page or program</a>.
          </>
        )}
      </p>
      <p class="pad-top-4 ruled">
        <LogAdds state={state} />
      </p>
    </section>
  );
}

/** Explains how to verify the chain without trusting this page. */
function CommandLine(
  { foundation, source, verifyUrl, codeUrl, moduleUrl, standardUrl, children }: {
    /** The foundation, whose page does not come from the publisher; null on that page. */
    foundation: { name: string; url: string | null } | null;
    /** The site of this page and the publisher of the chain; null if they are the same. */
    source: { site: string; publisher: string } | null;
    verifyUrl: string;
    codeUrl: string;
    /** The guide of the published verifier; null if this deployment does not serve it. */
    moduleUrl: string | null;
    standardUrl: string | null;
    /** Why the chain is not enough. */
    children: ComponentChildren;
  },
) {
  return (
    <section class="without-us measure-wide pad-top-5 above-6 ruled">
      <h2>Verify it without us</h2>
      <p>
        {source === null
          ? (
            <>
              This page comes from the publisher. To check without trusting it, use the command or
              the page of {foundation?.url
                ? <a href={`${foundation.url}/verify`}>{foundation.name}</a>
                : foundation?.name ?? "the foundation"}, or open the saved file there.
            </>
          )
          : `This page comes from ${source.site}, and the chain, the keys and the log from ` +
            `${source.publisher}. If you would rather not take their word for it, use the command.`}
        {" "}
        The command is in <a href={codeUrl}>the code</a>. {moduleUrl !== null && (
          <>
            <a href={moduleUrl}>A module</a> verifies it in your own page or program.{" "}
          </>
        )}You can also write your own program{standardUrl === null ? "." : (
          <>
            : <a href={standardUrl}>the standard</a> describes the procedure byte by byte.
          </>
        )}
      </p>
      <p>{children}</p>
      <CodeBlock label="In a terminal" code={`deno task verify "${verifyUrl}"`} />
      <p class="note">It also verifies a saved chain: give the file instead of the URL.</p>
    </section>
  );
}
