import type { ComponentChildren } from "preact";
import type {
  Registry,
  RegistryProblem,
  RouteState,
  RouteStatus,
} from "../../lib/features/console/registry.ts";
import { COUNTED, type JobState, type LastRun } from "../../lib/platform/jobs/mod.ts";
import type { ReadOnlyState } from "../../lib/platform/kv/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plural, SECOND_MS } from "../../lib/base/time.ts";
import { StateLabel } from "../infra/StateLabel.tsx";
import { Time } from "../Time.tsx";

type Surface = Registry["surfaces"][number];

/** The surface registry (spec 4.2.5): problems first, then what is served. */
export function RegistryPage({ registry }: { registry: Registry }) {
  const { problems, probed, surfaces, relays, signIn, background } = registry;
  const served = surfaces.filter((surface) => surface.served).length;
  return (
    <>
      <h1>Surfaces</h1>
      <p class="lead">
        {served} of {surfaces.length} surfaces are served here.
      </p>
      <ProblemSection problems={problems} probed={probed} />
      <SignInSection signIn={signIn} />
      <section class="registry-section above-6" aria-labelledby="surfaces">
        <h2 class="text-large" id="surfaces">Surfaces and routes</h2>
        <p class="registry-note muted text-small">
          A route is live while the service that it needs passes its checks. Other routes that are
          served are configured, but not checked.
        </p>
        <ul class="registry-rows ruled">
          {surfaces.toSorted((a, b) => weightOf(b) - weightOf(a)).map((surface) => (
            <SurfaceRow key={surface.name} surface={surface} />
          ))}
        </ul>
      </section>
      <RelaySection relays={relays} />
      <BackgroundSection {...background} />
    </>
  );
}

/** The problems, and the last results of the probes. */
function ProblemSection({ problems, probed }: Pick<Registry, "problems" | "probed">) {
  return (
    <section class="registry-section above-6" aria-labelledby="problems">
      <h2 class="text-large" id="problems">
        {problems.length === 0 ? "No problems" : plural(problems.length, "problem")}
      </h2>
      {problems.length > 0 && (
        <ul class="registry-rows ruled">
          {problems.map((problem) => (
            <Problem key={problem.name + problem.detail} problem={problem} />
          ))}
        </ul>
      )}
      <ul class="wrap registry-probed gap-2-5 above-3 text-small" aria-label="Services">
        {probed.map(({ id, name, state }) => (
          <li key={id}>
            {name} <StateLabel state={state} />
          </li>
        ))}
        <li>
          <a href="/console/infra">Details and diagram</a>
        </li>
      </ul>
    </section>
  );
}

const Problem = ({ problem: { status, name, detail } }: { problem: RegistryProblem }) => (
  <li class="registry-problem stack middle gap-0-4 anywhere">
    <span>
      <strong>{name}</strong> {detail !== "" && <small>{detail}</small>}
    </span>{" "}
    <span class={`pill ${status === "DOWN" || status === "FAILED" ? "bad" : "warn"}`}>
      {status}
    </span>
  </li>
);

/** The state of sign-in and its routes (spec 4.2.5). */
function SignInSection({ signIn }: { signIn: Registry["signIn"] }) {
  const { users, last_sign_up, sessions_last_write } = signIn;
  const { mails_failed, mail_transport, codes_failed, code_provider } = signIn;
  const rows = signIn.routes.map(({ path, status, on }) => ({
    path,
    status,
    note: on.length > 0 ? on.join(", ") : "None of the surfaces that are served has this route.",
  }));
  const [{ status }] = signIn.routes;
  return (
    <section class="registry-section above-6" aria-labelledby="sign-in">
      <h2 class="text-large" id="sign-in">Sign-in</h2>
      <dl class="registry-figures stack gap-4">
        <Figure name="Users">{users}</Figure>
        <Figure name="Last sign-up">{momentOf(last_sign_up)}</Figure>
        <Figure name="Session store’s last write">{momentOf(sessions_last_write)}</Figure>
        <Figure name="Failed mails" note={`Transport: ${mail_transport}`}>{mails_failed}</Figure>
        <Figure name="Undelivered codes" note={`Provider: ${code_provider}`}>{codes_failed}</Figure>
      </dl>
      <ul class="registry-rows ruled">
        <li>
          <details>
            <RowSummary
              title="Sign-in routes"
              note={countRoutes(signIn.routes)}
              status={status}
            />
            <RouteTable label="Sign-in routes" rows={rows} />
          </details>
        </li>
      </ul>
    </section>
  );
}

/** The background jobs with their last runs, the queued mails, and the store. */
function BackgroundSection({ jobs, mail, store }: Registry["background"]) {
  const reasons = Object.entries(mail.reasons).map(([reason, count]) => `${count} ${reason}`);
  return (
    <section class="registry-section above-6" aria-labelledby="background">
      <h2 class="text-large" id="background">Background jobs</h2>
      <dl class="registry-figures stack gap-4">
        <Figure
          name="Mails waiting"
          note={mail.waitingSince !== null && <>Since {<Time at={mail.waitingSince} />}</>}
        >
          {countOf(mail.waiting)}
        </Figure>
        <Figure
          name="Undelivered mails"
          note={reasons.length > 0 ? reasons.join(", ") : "Listed until their links expire"}
        >
          {countOf(mail.dead)}
        </Figure>
        <Figure name="Store" note={store.readOnly !== null && READ_ONLY[store.readOnly]}>
          <code>{store.id ?? "no id"}</code>
        </Figure>
      </dl>
      <div class="card registry-card">
        <table class="registry-routes registry-jobs full-width text-small">
          <caption class="visually-hidden">Background jobs</caption>
          <thead>
            <tr>
              <th class="muted" scope="col">Job</th>
              <th class="muted" scope="col">Last run</th>
              <th class="muted" scope="col">Outcome</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => <JobRow key={job.name} {...job} />)}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function JobRow({ name, everyMs, lastRun, runningSince }: JobState) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        <small>{intervalOf(everyMs)}</small>
      </th>
      <td>
        {momentOf(lastRun?.started ?? null)}
        {runningSince !== null && <small>Running now</small>}
      </td>
      <td>
        {lastRun === null ? "–" : (
          <>
            <span class={`pill ${JOB_TONES[lastRun.outcome]}`}>{lastRun.outcome}</span>
            {lastRun.detail !== null && <small>{lastRun.detail}</small>}
          </>
        )}
      </td>
    </tr>
  );
}

/** Why the store is read-only. */
const READ_ONLY: Record<ReadOnlyState, string> = {
  configured: "Read-only: READ_ONLY is set.",
  restored: "Read-only: a restored copy. Run: deno task chain:reconcile",
  store_changed: "Read-only: not the store that this process started with.",
};

const UNITS = [["day", DAY_MS], ["hour", HOUR_MS], ["minute", MINUTE_MS]] as const;

/** Returns a text such as `Every 15 seconds`, `Every 10 minutes` or `Every day`. */
function intervalOf(ms: number): string {
  const [unit, length] = UNITS.find(([, length]) => ms % length === 0) ?? ["second", SECOND_MS];
  return `Every ${ms === length ? unit : plural(ms / length, unit)}`;
}

const JOB_TONES: Record<LastRun["outcome"], string> = {
  done: "good",
  stopped: "",
  failed: "warn",
  interrupted: "warn",
};

/** At most {@link COUNTED} rows are read. */
const countOf = (count: number) => count < COUNTED ? count : `${COUNTED} or more`;

function Figure(
  { name, note, children }: { name: string; note?: ComponentChildren; children: ComponentChildren },
) {
  return (
    <div class="card gap-1 pad-4">
      <dt class="muted">{name}</dt>
      <dd>{children}</dd>
      {note && <dd class="registry-note muted">{note}</dd>}
    </div>
  );
}

const momentOf = (at: string | null) => at === null ? "never" : <Time at={at} />;

/** The line of a collapsed row, whose title may be a heading. */
const RowSummary = (
  { title, note, status, as: Title = "span" }: {
    title: string;
    note: string;
    status: RouteStatus;
    as?: "span" | "h3";
  },
) => (
  <summary class="stack middle gap-0-4 anywhere">
    <Title class="registry-title">{title}</Title>{" "}
    <span class="registry-note muted text-small">{note}</span> <Pill status={status} />
  </summary>
);

/** A surface with its hosts and routes, collapsed. */
function SurfaceRow({ surface }: { surface: Surface }) {
  const { name, title, purpose, baseUrl, hosts, routes } = surface;
  const rows = routes.map((route) => ({ ...route, note: noteOf(route) }));
  return (
    <li>
      <details>
        <RowSummary
          as="h3"
          title={title}
          note={surface.served ? countRoutes(routes) : plural(routes.length, "route")}
          status={statusOf(surface)}
        />
        <p>{purpose}</p>
        <dl class="registry-hosts stack gap-0-4 text-small">
          <dt class="muted">Name</dt>
          <dd class="mono anywhere">{name}</dd>
          <dt class="muted">Base URL</dt>
          <dd class="mono anywhere">
            {baseUrl === null ? "none" : <a href={baseUrl}>{baseUrl}</a>}
          </dd>
          {hosts.length > 1 && (
            <>
              <dt class="muted">Hosts</dt>
              <dd class="mono anywhere">{hosts.join(", ")}</dd>
            </>
          )}
        </dl>
        <RouteTable label={`Routes of ${title}`} rows={rows} />
      </details>
    </li>
  );
}

/** Statuses of routes, the most important first. */
const WORST: RouteStatus[] = ["DOWN", "NOT CONNECTED", "CHECKING", "CONFIGURED", "LIVE", "OFF"];

/** Returns the worst status of a surface's routes. One that is served without problems is configured. */
function statusOf({ served, routes }: Surface): RouteStatus {
  if (!served) return "OFF";
  const status = WORST.find((status) => routes.some((route) => route.status === status));
  return status === undefined || status === "OFF" ? "CONFIGURED" : status;
}

/** Surfaces with problems come first, those that are not served last. */
const weightOf = (surface: Surface): number => {
  const status = statusOf(surface);
  return status === "OFF" ? -1 : WORST.length - WORST.indexOf(status);
};

const CLOSED = ["DOWN", "NOT CONNECTED", "OFF"] as const;

/** Returns a text such as `11 routes, all open` or `27 routes: 4 not connected, 3 off`. */
function countRoutes(routes: readonly { status: RouteStatus }[]): string {
  const closed = CLOSED.flatMap((status) => {
    const count = routes.filter((route) => route.status === status).length;
    return count === 0 ? [] : [`${count} ${status.toLowerCase()}`];
  });
  const all = plural(routes.length, "route");
  return closed.length === 0 ? `${all}, all open` : `${all}: ${closed.join(", ")}`;
}

/** The relays by host. Their paths are not shown, because they contain a secret. */
function RelaySection({ relays }: { relays: Registry["relays"] }) {
  return (
    <section class="registry-section above-6" aria-labelledby="relays">
      <h2 class="text-large" id="relays">Relays</h2>
      {relays.length === 0 ? <p>No relay is configured.</p> : (
        <ul class="registry-rows ruled">
          {relays.map(({ name, host, origin }) => (
            <li key={name} class="registry-relay stack middle gap-0-4 anywhere">
              <span>
                <code>{host}</code> <small>{name}</small>
              </span>{" "}
              <span>
                Origin: <StateLabel state={origin} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface RouteRow {
  path: string;
  status: RouteStatus;
  /** Shown below the path. */
  note?: ComponentChildren;
}

const TONES: Record<RouteStatus, string> = {
  "LIVE": "good",
  "CHECKING": "",
  "CONFIGURED": "",
  "DOWN": "bad",
  "NOT CONNECTED": "warn",
  "OFF": "",
};

const Pill = ({ status }: { status: RouteStatus }) => (
  <span class={`pill ${TONES[status]}`}>{status}</span>
);

/** Routes with their status. */
function RouteTable({ label, rows }: { label: string; rows: RouteRow[] }) {
  return (
    <table class="registry-routes above-3 flush text-small">
      <caption class="visually-hidden">{label}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Route</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, status, note }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
              {note && <small>{note}</small>}
            </th>
            <td>
              <Pill status={status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns a note that explains a route's state, if needed. */
function noteOf(state: RouteState): ComponentChildren {
  if ("reason" in state) return state.reason;
  if (!("lastResponse" in state)) return undefined;
  return state.lastResponse === null
    ? "No response from the bank yet."
    : <>Last response from the bank: {<Time at={state.lastResponse} />}.</>;
}
