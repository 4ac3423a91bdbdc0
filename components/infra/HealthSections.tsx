/** The tables of the infrastructure page about the machine, queues, public log and jobs. */
import type { HealthKind, HealthRow, Reading } from "../../lib/features/infra/mod.ts";
import { formatAge, formatDateTime, plural } from "../../lib/base/time.ts";
import { StateLabel } from "./StateLabel.tsx";

export interface HealthProps {
  /** Null before the first check. */
  health: Pick<HealthRow, "at" | "readings"> | null;
  /** True if the process that serves the page measured; another one may have ended since. */
  own: boolean;
  release: { version: string; revision: string | null };
  /** The server's time, in milliseconds since 1970. */
  now: number;
}

const MACHINE: HealthKind[] = [
  "disk_low",
  "memory_low",
  "backup_old",
  "clock_off",
  "certificate_ends",
  "certificate_urgent",
];

/** The last readings of the job `health`, problems first. */
export function HealthSections({ health, own, release, now }: HealthProps) {
  const of = (...kinds: HealthKind[]) =>
    (health?.readings ?? []).filter(({ kind }) => kinds.includes(kind))
      .toSorted((a, b) => rankOf(a) - rankOf(b));
  const queues = of("messages_waiting");
  const log = of("log_halted", "log_late", "log_still", "witness_missing");
  const jobs = of("job_failing");
  const isFine = ({ state }: Reading) => state === "ok" || state === "near";
  const fine = jobs.filter(isFine);
  return (
    <>
      <h2 class="part-title" id="machine">Machine and store</h2>
      <p class="note">
        {health === null
          ? "Not measured yet. The first check runs a few seconds after the start."
          : (
            <>
              Measured{" "}
              <time datetime={health.at} title={formatDateTime(health.at)}>
                {formatAge(now - Date.parse(health.at))}
              </time>
              {!own &&
                " by another process of this site, or by one that has ended since"}, together with
              the messages and jobs below. Measured again every five minutes; a problem that
              persists becomes an <a href="/console/alerts">alert</a>.
            </>
          )}
      </p>
      <Readings id="machine" first="Part" readings={of(...MACHINE)} now={now} />
      <h2 class="part-title" id="queues">Waiting messages</h2>
      {health !== null && queues.length === 0
        ? (
          <p class="note">
            When this was measured,{" "}
            {formatAge(now - Date.parse(health.at))}, no message was waiting to be sent.
          </p>
        )
        : <Readings id="queues" first="Messages" readings={queues} now={now} />}
      {log.length > 0 && (
        <>
          <h2 class="part-title" id="log">Public log</h2>
          <Readings id="log" first="Part" readings={log} now={now} />
        </>
      )}
      <h2 class="part-title" id="jobs">Jobs</h2>
      <p class="note">Work that the site repeats by itself, on a schedule.</p>
      <Readings id="jobs" first="Job" readings={jobs.filter((one) => !isFine(one))} now={now} />
      {fine.length > 0 && (
        <details class="fine-jobs">
          <summary>{plural(fine.length, "job is", "jobs are")} fine</summary>
          <Readings id="jobs" first="Job" readings={fine} now={now} />
        </details>
      )}
      <h2 class="part-title">Version of the software</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{release.version}</dd>
        <dt>Revision</dt>
        <dd>
          {release.revision ?? (
            <>
              Not known. Whoever runs the server can set <code>REVISION</code>.
            </>
          )}
        </dd>
      </dl>
    </>
  );
}

function Readings({ id, first, readings, now }: {
  /** The id of the heading. */
  id: string;
  /** The heading of the first column. */
  first: string;
  readings: readonly Reading[];
  now: number;
}) {
  if (readings.length === 0) return null;
  return (
    <table class="stacked infra-table health-table full-width flush" aria-labelledby={id}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">State</th>
          <th scope="col">Found</th>
        </tr>
      </thead>
      <tbody>
        {readings.map(({ id, kind, name, state, text, at }) => (
          <tr key={id}>
            <th scope="row">
              {kind === "job_failing" ? <JobName id={id} name={name} /> : name}
            </th>
            <td class="infra-state">
              <StateLabel {...STATES[state]} />
            </td>
            <td>
              {text}
              {at !== null && (
                <>
                  {" "}
                  <Moment at={at} now={now} />
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The purpose of a job, and its name in logs and documents. */
function JobName({ id, name }: Pick<Reading, "id" | "name">) {
  const code = id.slice(id.indexOf(":") + 1);
  return (
    <>
      {name.replace(` (job ${code})`, "").replace(/^Job /, "")}
      <small class="block">
        <code>{code}</code>
      </small>
    </>
  );
}

/** A time as an age, or as a date if it is ahead. */
const Moment = ({ at, now }: { at: string; now: number }) => (
  <small class="nowrap">
    <time datetime={at} title={formatDateTime(at)}>
      {Date.parse(at) > now ? formatDateTime(at) : formatAge(now - Date.parse(at))}
    </time>
  </small>
);

const STATES = {
  ok: { state: "up", text: "OK" },
  near: { state: "up", text: "OK" },
  bad: { state: "down", text: "Problem" },
  unknown: { state: "off", text: "Not known" },
} as const;

const rankOf = ({ state }: Reading): number => ["bad", "near", "ok", "unknown"].indexOf(state);
