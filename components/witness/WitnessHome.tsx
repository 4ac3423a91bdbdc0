/** The home page of the log witness's host. */
import { asset, Head } from "fresh/runtime";
import {
  formatKey,
  MONITOR_PATH,
  policyLine,
  type Witness,
  type WitnessedLog,
} from "../../lib/features/witness/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { formatCount } from "../../lib/base/time.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { Time } from "../Time.tsx";

interface WitnessHomeProps {
  state: State;
  witness: Witness;
  logs: WitnessedLog[];
  /** When it stopped signing because its store was lost, ISO 8601 in UTC; null if it signs. */
  lostAt: string | null;
}

/** The home page of the witness: what it does, which logs it countersigns, and how to use it. */
export function WitnessHome({ state, witness, logs, lostAt }: WitnessHomeProps) {
  const { services: { config, surfaces }, surface } = state;
  const { name } = config.organisations[surface.organisation];
  const isInLogsProcess = surfaces.get("trust") !== undefined;
  const url = `${surface.baseUrl}/`;
  return (
    <div>
      <Head>
        <title>{`Witness: ${name}`}</title>
        <meta
          name="description"
          content={`${name} countersigns public logs, so that nobody can rewrite them unnoticed.`}
        />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/witness.css")} />
      </Head>
      <header class="witness-opening">
        <p class="eyebrow">Public logs</p>
        <h1>A witness for public logs</h1>
        <p class="lead above-4">
          {name}{" "}
          signs what a log contains, and never signs a second version. If the publisher of a record
          later shows you another history, that history lacks this witness’s signature.
        </p>
        {lostAt !== null && (
          <p class="flush above-4">
            <strong class="pill bad">Signs nothing</strong> It lost its store, which it noticed on
            {" "}
            <Time at={lostAt} />. Its key must not be used any more.
          </p>
        )}
        {isInLogsProcess && (
          <p class="flush above-4 muted">
            This is a development site: the witness runs in the process of the log, so its
            countersignatures prove nothing.
          </p>
        )}
      </header>
      <section class="split-part stack block-print lined one-column-960" aria-labelledby="logs">
        <h2 class="text-large" id="logs">Logs</h2>
        <div>
          {logs.length === 0
            ? <p>It countersigns no log yet.</p>
            : logs.map((log) => <LogCard key={log.hash} log={log} />)}
        </div>
      </section>
      <section class="split-part stack block-print lined one-column-960" aria-labelledby="use">
        <h2 class="text-large" id="use">Use this witness</h2>
        <div class="witness-use">
          {lostAt === null && (
            <CodeBlock
              label="The line for the policy of a log or a reader"
              code={policyLine(witness, url)}
            />
          )}
          <p class="above-4">
            Logs send their checkpoints to <code>{url}add-checkpoint</code>, as{" "}
            <a href="https://c2sp.org/tlog-witness">C2SP tlog-witness</a>{" "}
            describes. Monitors read below <code>{surface.baseUrl}{MONITOR_PATH}</code>{" "}
            what it has countersigned last, and what it has refused.
          </p>
          <p>
            A countersignature proves something only to readers for whom this witness does not
            depend on the log. {name}{" "}
            says here which logs it countersigns; you decide whom you trust in your own policy.
          </p>
          <p>
            It checks that a log grows and nothing else. It does not read entries, and keeps only
            the newest checkpoint of each log and the last 100 that it refused.
          </p>
        </div>
      </section>
    </div>
  );
}

function LogCard({ log: { origin, hash, keys, last, refused, fork } }: { log: WitnessedLog }) {
  return (
    <article class="witness-log framed on-card pad-4-5 below-4" aria-labelledby={hash}>
      <h3 class="below-3 anywhere" id={hash}>{origin}</h3>
      <dl class="witness-facts stack">
        <div>
          <dt class="muted">Size</dt>
          <dd class="digits">{last === null ? "nothing yet" : formatCount(last.size)}</dd>
        </div>
        <div>
          <dt class="muted">Countersigned</dt>
          <dd>
            {last === null ? "not yet" : <Time at={new Date(last.time * 1000).toISOString()} />}
          </dd>
        </div>
        {keys.map((key) => (
          <div class="wide" key={key.id}>
            <dt class="muted">Key</dt>
            <dd>
              <code class="anywhere">{formatKey(key)}</code>
            </dd>
          </div>
        ))}
      </dl>
      {fork && (
        <p>
          <strong class="pill bad">Forked</strong>{" "}
          This log has signed two different trees of one size. Both are in the list of refused
          checkpoints.
        </p>
      )}
      <p class="flush">
        {last !== null && <a href={`${MONITOR_PATH}/${hash}/checkpoint`}>Newest checkpoint</a>}
        {last !== null && refused > 0 && " · "}
        {refused > 0 && (
          <a href={`${MONITOR_PATH}/${hash}/refused`}>
            {formatCount(refused)} refused
          </a>
        )}
        {last === null && refused === 0 && "The log has not asked for a countersignature yet."}
      </p>
    </article>
  );
}
