import { asset, Head } from "fresh/runtime";
import { type DayCount, type LogStatus, type WitnessStatus } from "../../lib/features/log/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { formatCount } from "../../lib/base/time.ts";
import { Chart } from "../chart/Chart.tsx";
import { CodeBlock } from "../CodeBlock.tsx";
import { Time } from "../Time.tsx";

interface LogPageProps {
  state: State;
  status: LogStatus;
  days: DayCount[];
  /** The address of the log. */
  url: string;
}

/** The page about the public log: its state, its witnesses, its keys, and how to check it. */
export function LogPage({ state, status, days, url }: LogPageProps) {
  const { services: { config }, surface } = state;
  const { name } = config.organisations[surface.organisation];
  return (
    <div>
      <Head>
        <title>Public log</title>
        <meta
          name="description"
          content="Every event of every record is in one public log, which nobody can rewrite unnoticed."
        />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/log.css")} />
      </Head>
      <header class="log-opening">
        <p class="eyebrow">Public log</p>
        <h1>Nobody can rewrite it unnoticed</h1>
        <p class="lead above-4">
          Every event of every record, every version of a document and every key that {name}{" "}
          publishes has an entry in this log. The log only grows. Witnesses countersign it, so{" "}
          {name} cannot change an entry, or show two people two histories, without anybody noticing.
        </p>
        {status.halted !== null && (
          <p class="flush above-4">
            <strong class="pill bad">Halted</strong> Since{" "}
            <Time at={status.halted.at} />, the log accepts nothing: {name}{" "}
            has to explain why its store is not what was countersigned.
          </p>
        )}
      </header>
      <Figures status={status} />
      <Part id="witnesses" title="Who has countersigned it">
        <Witnesses status={status} />
      </Part>
      <Part id="days" title="Entries per day">
        <Chart
          type="bar"
          data={{
            labels: days.map(({ day }) => day),
            datasets: [{ label: "Entries", data: days.map(({ count }) => count) }],
          }}
          options={{ format: "integer", label: "Entries of the log per day" }}
          height={240}
        />
      </Part>
      <Part id="check" title="Check and monitor it">
        <p>
          An entry is 64 bytes. Nobody can connect it to a person, or to another entry, without the
          hash of the record. Whoever has a record’s chain can compute each of its entries, and find
          them here: <code>GET /api/chain/&lt;hash&gt;/log</code> says where they are.
        </p>
        <p>
          Everything is in the formats of <a href="https://c2sp.org/tlog-tiles">C2SP tlog-tiles</a>:
        </p>
        <ul class="log-files">
          <li>
            <a href="/log/checkpoint">Newest checkpoint</a>, with all countersignatures
          </li>
          <li>
            <a href="/log/policy">Policy file</a>{" "}
            with the log’s key and its witnesses, to start from. Decide yourself whom you trust.
          </li>
          <li>
            Tiles and entries below <code class="anywhere">{url}/tile/</code>
          </li>
          <li>
            <a href="/log/keys/1">First set of keys</a>{" "}
            that sign chains, and each later one by its number
          </li>
        </ul>
        <p class="muted">
          A monitor reads all entries, and reports if a slot occurs twice with different
          commitments: that proves that a history was forked, to anybody.
        </p>
      </Part>
      <Part id="keys" title="Keys to copy">
        {status.keys.map((key, i) => (
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

function Part(
  { id, title, children }: { id: string; title: string; children: preact.ComponentChildren },
) {
  return (
    <section class="split-part stack lined one-column-960" aria-labelledby={id}>
      <h2 class="text-large" id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}

function Figures({ status: { published, completeFrom } }: Pick<LogPageProps, "status">) {
  return (
    <dl class="log-figures stack framed on-card pad-4-5 below-6">
      <div>
        <dt class="muted">Entries</dt>
        <dd class="digits text-large">
          {published === null ? "none yet" : formatCount(published.size)}
        </dd>
      </div>
      <div>
        <dt class="muted">Newest checkpoint</dt>
        <dd>{published === null ? "not yet" : <Time at={published.signed_at} />}</dd>
      </div>
      <div>
        <dt class="muted">Complete</dt>
        <dd>
          {completeFrom === null
            ? "not yet: older records are being added"
            : `from entry ${formatCount(completeFrom)} on`}
        </dd>
      </div>
    </dl>
  );
}

function Witnesses({ status: { witnesses } }: Pick<LogPageProps, "status">) {
  if (witnesses.length === 0) {
    return (
      <p>
        Nobody: this log has no witness. It proves only what its readers remember themselves.
      </p>
    );
  }
  return (
    <>
      <ul class="log-witnesses">
        {witnesses.map((witness) => <WitnessLine key={witness.key} witness={witness} />)}
      </ul>
      {witnesses.every(({ own }) => own) && (
        <p>
          Nobody independent has countersigned this log. A witness that the operator of the log runs
          proves nothing against the operator.
        </p>
      )}
    </>
  );
}

function WitnessLine({ witness: { name, own, signed, at } }: { witness: WitnessStatus }) {
  return (
    <li>
      {own ? <span class="pill">Same operator</span> : <span class="pill good">Independent</span>}
      {" "}
      <strong class="anywhere">{name}</strong>
      <br />
      {signed === null
        ? (
          <span class="muted">
            It has not countersigned the newest checkpoint. {at === null ? "It never has yet." : (
              <>
                Last: <Time at={at} />.
              </>
            )}
          </span>
        )
        : (
          <>
            Countersigned on <Time at={signed} />
            {own && ", by a witness that the same operator runs"}.
          </>
        )}
    </li>
  );
}
