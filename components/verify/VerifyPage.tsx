import { asset, Head } from "fresh/runtime";
import ChainVerifier from "../../islands/ChainVerifier.tsx";
import type { ChainPage } from "../../lib/chain/store/mod.ts";
import type { State } from "../../lib/state.ts";
import { StateNote } from "../StateNote.tsx";
import { HashForm } from "./HashForm.tsx";
import { WithoutUs } from "./WithoutUs.tsx";

export interface VerifyPageProps {
  state: State;
  /** What stands in the input. */
  given: string;
  problem?: string;
  /** The record that is asked for. */
  hash?: string;
  /** Some of its events; null where it has no chain here. */
  chain: ChainPage | null;
}

/** The chain verifier of the trust surface. */
export function VerifyPage({ state, given, problem, hash, chain }: VerifyPageProps) {
  const { surfaces, chains, config } = state.services;
  const { surface } = state;
  const known = {
    hash: hash ?? null,
    publisher: chains.publisher,
    keysUrl: "/.well-known/chain-keys.json",
  };
  const api = surfaces.baseFrom(surface, "api") ?? "";
  return (
    <div class="verify-page">
      <Head>
        <title>{hash ? `Verify ${hash.slice(0, 8)}…` : "Verify a chain"}</title>
        <meta
          name="description"
          content="Checks a record's chain of events in your browser, from event 0 to the publisher's signature."
        />
        {(hash || problem) && <meta name="robots" content="noindex" />}
        <link rel="stylesheet" href={asset("/styles/connect.css")} />
        <link rel="stylesheet" href={asset("/styles/verify.css")} />
      </Head>
      <header>
        <p class="eyebrow">Verification</p>
        <h1>Verify a chain of events</h1>
        <p class="lead">
          Each event of a record carries the hash of the one before it, and the publisher signs how
          far the chain reaches. Here your browser checks all of it.
        </p>
        <HashForm hash={given} problem={problem} />
      </header>
      {hash && chain === null && (
        <StateNote kind="empty" title="No chain of this record">
          <p>
            {chains.publisher}{" "}
            keeps no chain under this hash. Compare it digit by digit with where you have it from.
          </p>
        </StateNote>
      )}
      {chain && (
        <noscript>
          <p class="note">
            Without scripts nothing is verified here: these are the events as the publisher shows
            them. The command below verifies them.
          </p>
        </noscript>
      )}
      <ChainVerifier
        known={known}
        chainUrl={chain && `${api}/api/chain/${hash}`}
        first={chain?.events ?? []}
        size={chain?.head.size ?? 0}
      />
      {chain && <OlderEvents chain={chain} />}
      {chain && (
        <WithoutUs
          verifyUrl={`${surfaces.url("trust") ?? surface.baseUrl}/verify?hash=${hash}`}
          codeUrl={config.organisations[surface.organisation].codeHostUrl}
          standardUrl={surfaces.url("foundation", "/standard/verification")}
        />
      )}
    </div>
  );
}

/** The way back in the chain where no script pages. */
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
