/** The page `/log` of the public log. */
import { PageHead } from "../PageHead.tsx";
import { type LogStatus, type WitnessStatus } from "../../lib/features/log/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { formatCount, HOUR_MS } from "../../lib/base/time.ts";
import { Ago } from "../Ago.tsx";
import { CodeBlock } from "../CodeBlock.tsx";
import { type Found, LogLookUp } from "./LogLookUp.tsx";
import { Time } from "../Time.tsx";

export interface LogPageData {
  status: LogStatus;
  /** When everything that is older than the log was published in it, ISO 8601; null before. */
  completeSince: string | null;
  /** The log's keys as text. */
  keys: string[];
  /** How many entries were added in the last days. */
  added: { days: number; count: number };
  /** True if it continues the log of another address. */
  hasPrevious: boolean;
  /** The address of the log. */
  url: string;
  /** The result of the text in the field; null without one. */
  found: Found | null;
  /** The server's time, in milliseconds since 1970. */
  now: number;
}

/** The page about the public log: its state, its witnesses, its keys, and how to check it. */
export function LogPage(
  { state, status, keys, hasPrevious, url, found, ...figures }: LogPageData & { state: State },
) {
  const { services: { config, surfaces }, surface } = state;
  const { name, codeHostUrl } = config.organisations[surface.organisation];
  const chainLog = `${surfaces.url("api") ?? ""}/api/chain/<hash>/log`;
  return (
    <div>
      <PageHead
        title="Public log"
        description="Every event of every record has an entry in one public log, which only grows, and which others can countersign."
        styles="log"
      />
      <header class="log-opening">
        <p class="eyebrow">Public log</p>
        <h1>One log of everything we publish</h1>
        <p class="lead above-4">
          Every event of a record, version of a document and key that {name}{" "}
          publishes has an entry here. The log only grows, so whoever keeps a copy notices if an
          entry is changed later. <a href="/log/about">Who could cheat, and who would notice</a>
        </p>
        {status.halted !== null && (
          <p class="flush above-4">
            <strong class="pill bad">Halted</strong> Since{" "}
            <Time at={status.halted.at} />, the log has accepted nothing, because somebody has seen
            a different tree from the one that {name} has stored.
          </p>
        )}
      </header>
      {status.halted === null && status.waiting !== null && <Waiting {...status.waiting} />}
      {status.halted === null && isStill(status, figures.now) && (
        <p>
          <strong class="pill bad">Stalled</strong>{" "}
          No checkpoint was signed for more than three hours.
        </p>
      )}
      <LogLookUp found={found} />
      <Figures status={status} {...figures} />
      <Part id="witnesses" title="Who has countersigned it">
        <Witnesses status={status} />
      </Part>
      <Part id="check" title="Check and monitor it">
        <p class="flush below-4">
          An entry is 64 bytes. Nobody can connect it to a person, or to another entry, without the
          hash of the record. Whoever has a record’s chain can compute each of its entries, and find
          where they are with <code class="anywhere">GET {chainLog}</code>.
        </p>
        <details class="below-4">
          <summary>The steps, for a program</summary>
          <ol class="above-3">
            <li>
              Copy the keys below once, and decide yourself which witnesses you trust. What we show
              here later may be different.
            </li>
            <li>
              Get the newest checkpoint, and verify the signatures of the log and of these
              witnesses.
            </li>
            <li>
              Compute the entry of each size of the chain, and check with the tiles that it is in
              the tree of that checkpoint.
            </li>
            <li>
              Keep the checkpoint. The next time, check that the newer one contains everything that
              it had.
            </li>
          </ol>
        </details>
        <p>
          A <strong>monitor</strong>{" "}
          repeats the last step, reads all entries, and compares each checkpoint with the one that
          each witness has countersigned last. If one slot has two commitments, a history was
          forked; the two entries prove it to anybody. If the newest checkpoint is more than three
          hours old, the log has stalled. <a href={codeHostUrl}>The code</a>{" "}
          contains one, which also keeps a copy of the log:
        </p>
        <CodeBlock
          label="In a terminal, with your own policy file"
          code={`deno task monitor ${surfaces.url("trust") ?? surface.baseUrl} --policy policy.txt`}
        />
        <p>
          Everything is in the formats of{" "}
          <a href="https://c2sp.org/tlog-tiles">C2SP tlog-tiles</a>, and can be read from any
          website:
        </p>
        <ul>
          <li>
            <a href="/log/checkpoint">Newest checkpoint</a>, with all countersignatures
          </li>
          <li>
            <a href="/log/policy">Policy file</a>{" "}
            with the log’s key and its witnesses, to start from. Decide yourself whom you trust.
          </li>
          <li>
            Tiles below <code class="anywhere">{url}/tile/</code>, and entries below{" "}
            <code class="anywhere">{url}/tile/entries/</code>
          </li>
          <li>
            <a href="/log/keys/1">First set of keys</a>{" "}
            that sign chains, and each later one by its number
          </li>
          {hasPrevious && (
            <li>
              <a href="/log/previous">The log that this one continues</a>, with its keys and its
              last checkpoint
            </li>
          )}
        </ul>
      </Part>
      <Part id="keys" title="Keys to copy" class="log-keys">
        {keys.map((key, i) => (
          <CodeBlock
            key={key}
            label={i === 0 ? "The key of the log" : "Its other key, during a change of keys"}
            code={key}
          />
        ))}
        {status.witnesses.map(({ name, key }) => (
          <CodeBlock key={key} label={`The key of the witness ${name}`} code={key} />
        ))}
      </Part>
    </div>
  );
}

/** Says for whom the log waits before it publishes anything new. */
const Waiting = ({ since, witnesses, required }: NonNullable<LogStatus["waiting"]>) => (
  <p>
    <strong class="pill warn">Waiting</strong> Since <Time at={since} />, nothing new is published:
    {" "}
    {required
      ? <>this log publishes nothing without its quorum, and waits for {witnesses.join(", ")}.</>
      : <>the log waits up to two minutes for {witnesses.join(", ")}.</>}
  </p>
);

/** Readers treat a log as not maintained from then on; it signs a checkpoint every hour. */
const STILL_MS = 3 * HOUR_MS;

const isStill = ({ published }: LogStatus, now: number): boolean =>
  published !== null && now - Date.parse(published.signed_at) > STILL_MS;

function Part(
  { id, title, children, ...body }: {
    id: string;
    title: string;
    class?: string;
    children: preact.ComponentChildren;
  },
) {
  return (
    <section class="split-part stack block-print lined one-column-960" aria-labelledby={id}>
      <h2 class="text-large" id={id}>{title}</h2>
      <div {...body}>{children}</div>
    </section>
  );
}

function Figures(
  { status: { published }, completeSince, added, now }: Pick<
    LogPageData,
    "status" | "completeSince" | "added" | "now"
  >,
) {
  return (
    <dl class="log-figures stack box pad-4-5 below-6">
      <div>
        <dt class="muted">Entries</dt>
        <dd class="digits text-large">
          {published === null ? "none yet" : formatCount(published.size)}
          <small class="block">
            {formatCount(added.count)} in the last {added.days} days
          </small>
        </dd>
      </div>
      <div>
        <dt class="muted">Newest checkpoint</dt>
        <dd>
          {published === null ? "not yet" : (
            <>
              <Ago time={published.signed_at} now={new Date(now).toISOString()} />
              <small class="block">
                <Time at={published.signed_at} />
              </small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt class="muted">Complete since</dt>
        <dd>
          {completeSince === null
            ? "not yet: older events are still being added"
            : <Time at={completeSince} />}
        </dd>
      </div>
    </dl>
  );
}

function Witnesses({ status: { witnesses } }: Pick<LogPageData, "status">) {
  if (witnesses.length === 0) {
    return (
      <p>
        Nobody: this log has no witness. It proves only what its readers remember themselves.
      </p>
    );
  }
  const own = witnesses.filter((witness) => witness.own);
  return (
    <>
      <ul class="log-witnesses below-4">
        {witnesses.map((witness) => <WitnessLine key={witness.key} witness={witness} />)}
      </ul>
      {own.length > 0 && (
        <p>
          {own.length === witnesses.length && (
            <>No independent witness countersigns this log.{" "}</>
          )}
          A countersignature by a witness that the same operator runs proves nothing against the
          operator.
        </p>
      )}
    </>
  );
}

/** A witness of the same operator never has the mark of an independent one. */
function WitnessLine({ witness: { name, own, size, signed, at } }: { witness: WitnessStatus }) {
  const who = (
    <>
      <strong class="anywhere">{name}</strong>
      {own ? ", which the same operator runs" : (
        <>
          {" "}
          <span class="pill good">Independent</span>
        </>
      )}
    </>
  );
  if (signed !== null) {
    return (
      <li>
        Countersigned by {who}
        <small class="block">
          The newest checkpoint, on <Time at={signed} />
        </small>
      </li>
    );
  }
  return (
    <li>
      Not countersigned by {who}
      <small class="block">
        {at === null ? "It has never countersigned this log." : (
          <>
            Last countersigned with {formatCount(size)} entries, on <Time at={at} />
          </>
        )}
      </small>
    </li>
  );
}
