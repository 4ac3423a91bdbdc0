import type { ComponentChildren } from "preact";
import type { Registry, RouteState } from "../../lib/console/registry.ts";
import { COUNTED, type JobState, type LastRun } from "../../lib/jobs/mod.ts";
import { formatDateTime, plural, SECOND_MS } from "../../lib/time.ts";

/** The surface registry (spec 4.2.5). */
export function RegistryPage({ registry }: { registry: Registry }) {
  const { surfaces, relays, signIn, background } = registry;
  const served = surfaces.filter((surface) => surface.served).length;
  return (
    <>
      <h1>Surfaces</h1>
      <p class="lead">
        {served} of {surfaces.length} surfaces are served here.
      </p>
      <SignInSection signIn={signIn} />
      {background !== null && <BackgroundSection {...background} />}
      <section class="registry-section" aria-labelledby="surfaces">
        <h2 id="surfaces">Surfaces and routes</h2>
        <div class="registry-surfaces">
          {surfaces.map((surface) => <SurfaceCard key={surface.name} surface={surface} />)}
        </div>
      </section>
      <RelaySection relays={relays} />
    </>
  );
}

/** The state of sign-in and its routes (spec 4.2.5). */
function SignInSection({ signIn }: Pick<Registry, "signIn">) {
  const { users, last_sign_up, sessions_last_write } = signIn;
  const { mails_failed, mail_transport, codes_failed, code_provider } = signIn;
  const rows = signIn.routes.map(({ path, status, on }) => ({
    path,
    status,
    note: on.length > 0 ? on.join(", ") : "None of the surfaces that are served has this route.",
  }));
  return (
    <section class="registry-section" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign-in</h2>
      <dl class="registry-figures">
        <Figure name="Users">{users}</Figure>
        <Figure name="Last sign-up">{momentOf(last_sign_up)}</Figure>
        <Figure name="Session store’s last write">{momentOf(sessions_last_write)}</Figure>
        <Figure name="Failed mails" note={`Transport: ${mail_transport}`}>{mails_failed}</Figure>
        <Figure name="Undelivered codes" note={`Provider: ${code_provider}`}>{codes_failed}</Figure>
      </dl>
      <div class="card registry-card">
        <RouteTable label="Sign-in routes" rows={rows} />
      </div>
    </section>
  );
}

/** The background jobs with their last runs, and the queued mails. */
function BackgroundSection({ jobs, mail }: NonNullable<Registry["background"]>) {
  const reasons = Object.entries(mail.reasons).map(([reason, count]) => `${count} ${reason}`);
  return (
    <section class="registry-section" aria-labelledby="background">
      <h2 id="background">Background jobs</h2>
      <dl class="registry-figures">
        <Figure
          name="Mails waiting"
          note={mail.waitingSince !== null && <>Since {<Moment at={mail.waitingSince} />}</>}
        >
          {countOf(mail.waiting)}
        </Figure>
        <Figure
          name="Undelivered mails"
          note={reasons.length > 0 ? reasons.join(", ") : "Listed until their links expire"}
        >
          {countOf(mail.dead)}
        </Figure>
      </dl>
      <div class="card registry-card">
        <table class="registry-routes registry-jobs">
          <caption class="visually-hidden">Background jobs</caption>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Last run</th>
              <th scope="col">Outcome</th>
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
        <small>Every {plural(everyMs / SECOND_MS, "second")}</small>
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
    <div class="card">
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd class="registry-note">{note}</dd>}
    </div>
  );
}

const momentOf = (at: string | null) => at === null ? "never" : <Moment at={at} />;

/** A surface with its hosts and routes. The workbench's long list is initially collapsed. */
function SurfaceCard({ surface }: { surface: Registry["surfaces"][number] }) {
  const { name, title, purpose, served, baseUrl, hosts, routes } = surface;
  const live = routes.filter((route) => route.status === "LIVE").length;
  const rows = routes.map((route) => ({ ...route, note: noteOf(route) }));
  return (
    <article class="card registry-card" aria-labelledby={`surface-${name}`}>
      <header>
        <h3 id={`surface-${name}`}>{title}</h3>
        <span class={`pill ${served ? "good" : ""}`}>{served ? "SERVED" : "NOT SERVED"}</span>
      </header>
      <p>{purpose}</p>
      <dl class="registry-hosts">
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>Base URL</dt>
        <dd>{baseUrl === null ? "none" : <a href={baseUrl}>{baseUrl}</a>}</dd>
        {hosts.length > 1 && (
          <>
            <dt>Hosts</dt>
            <dd>{hosts.join(", ")}</dd>
          </>
        )}
      </dl>
      <details open={name !== "workbench"}>
        <summary>{plural(routes.length, "route")}, {live} live</summary>
        <RouteTable label={`Routes of ${title}`} rows={rows} />
      </details>
    </article>
  );
}

/** The relays by host. Their paths are not shown, because they contain a secret. */
function RelaySection({ relays }: Pick<Registry, "relays">) {
  const rows = relays.map(({ name, host }) => ({
    path: host,
    status: "LIVE" as const,
    note: name,
  }));
  return (
    <section class="registry-section" aria-labelledby="relays">
      <h2 id="relays">Relays</h2>
      {rows.length === 0 ? <p>No relay is configured.</p> : (
        <div class="card registry-card">
          <RouteTable label="Relays" head="Host" rows={rows} />
        </div>
      )}
    </section>
  );
}

interface RouteRow {
  path: string;
  status: RouteState["status"];
  /** Shown below the path. */
  note?: ComponentChildren;
}

const TONES: Record<RouteState["status"], string> = {
  "LIVE": "good",
  "NOT CONNECTED": "warn",
  "OFF": "",
};

/** Routes with their status. `head` names the first column. */
function RouteTable(
  { label, head = "Route", rows }: { label: string; head?: string; rows: RouteRow[] },
) {
  return (
    <table class="registry-routes">
      <caption class="visually-hidden">{label}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{head}</th>
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
              <span class={`pill ${TONES[status]}`}>{status}</span>
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
    : <>Last response from the bank: {<Moment at={state.lastResponse} />}.</>;
}

const Moment = ({ at }: { at: string }) => <time datetime={at}>{formatDateTime(at)}</time>;
