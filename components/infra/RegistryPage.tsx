/** The console's page about all surfaces (websites, consoles and services) with their hosts and routes. */
import type { ComponentChildren } from "preact";
import type {
  Registry,
  RegistryProblem,
  RouteState,
  RouteStatus,
} from "../../lib/features/infra/registry.ts";
import { COUNTED } from "../../lib/platform/jobs/mod.ts";
import { MAIL_FAILURES } from "../../lib/platform/mail/mod.ts";
import type { ReadOnlyState } from "../../lib/platform/kv/mod.ts";
import { formatCount, plural } from "../../lib/base/time.ts";
import { StateLabel } from "./StateLabel.tsx";
import { Time } from "../Time.tsx";

type Surface = Registry["surfaces"][number];

/** The surface registry (spec 4.2.5): problems first, then what is served. */
export function RegistryPage({ registry }: { registry: Registry }) {
  const { problems, probed, surfaces, relays, signIn, background: { mail, store } } = registry;
  const served = surfaces.filter((surface) => surface.served).length;
  return (
    <>
      <h1>Surfaces</h1>
      <p class="lead">
        A surface is one website, console or service with its own address. {served} of{" "}
        {surfaces.length} surfaces are served here.
      </p>
      <ProblemSection problems={problems} probed={probed} />
      <MailSection mail={mail} signIn={signIn} />
      <SignInSection signIn={signIn} surfaces={surfaces} />
      <section class="registry-section above-6" aria-labelledby="surfaces">
        <h2 class="text-large" id="surfaces">Surfaces and routes</h2>
        <p class="registry-note muted text-small">
          Open a surface to see its routes: pages, and endpoints for programs. A route that needs
          something that is checked, such as the bank, is <b>LIVE</b>{" "}
          if the last check passed; otherwise the reason is below it. A route that is not served
          here is{" "}
          <b>OFF</b>. Routes without a status are served, and nothing that they need is checked.
        </p>
        <ul class="registry-rows ruled">
          {surfaces.toSorted((a, b) => weightOf(b) - weightOf(a)).map((surface) => (
            <SurfaceRow key={surface.name} surface={surface} />
          ))}
        </ul>
      </section>
      <RelaySection relays={relays} />
      <StoreSection store={store} />
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

/** How mail is sent, in words. */
const TRANSPORTS: Record<Registry["signIn"]["mail_transport"], string> = {
  outbox: "Kept in the development outbox, not sent",
  smtp: "Sent by the mail server (SMTP)",
  http: "Sent by the mail provider (HTTP)",
};

/** The mails of the organisation that wait, and those that did not arrive, with the reasons. */
function MailSection({ mail, signIn: { mails_failed, mail_transport } }: {
  mail: Registry["background"]["mail"];
  signIn: Registry["signIn"];
}) {
  const { waiting, waitingSince, dead, reasons } = mail;
  return (
    <section class="registry-section above-6" aria-labelledby="mail">
      <h2 class="text-large" id="mail">Mail</h2>
      <p class="registry-note muted text-small">{TRANSPORTS[mail_transport]}.</p>
      <dl class="registry-figures stack gap-4">
        <Figure
          name="Waiting to be sent"
          note={waitingSince === null
            ? "Nothing is waiting"
            : <>Since {<Time at={waitingSince} />}</>}
        >
          {countOf(waiting)}
        </Figure>
        <Figure
          name="Not delivered"
          note={dead === 0
            ? "Of the emails whose links still work"
            : Object.entries(reasons).map(([reason, count]) => (
              <span class="block" key={reason}>
                {formatCount(count)}: {MAIL_FAILURES[reason] ?? "An error of the site."}
              </span>
            ))}
        >
          {countOf(dead)}
        </Figure>
        <Figure name="Failed so far" note="Of all emails of this organisation">
          {formatCount(mails_failed)}
        </Figure>
      </dl>
      {dead > 0 && (
        <p>
          <a href="/console/alerts">The alerts name the emails and can send them again.</a>
        </p>
      )}
    </section>
  );
}

const CODE_PROVIDERS: Record<Registry["signIn"]["code_provider"], string> = {
  off: "No codes are sent",
  sandbox: "Kept by the stand-in, not sent",
  http: "By SMS and call",
  twilio: "By SMS and call, with Twilio",
};

/** The state of sign-in and its routes (spec 4.2.5). */
function SignInSection({ signIn, surfaces }: Pick<Registry, "signIn" | "surfaces">) {
  const { users, last_sign_up, sessions_last_write, codes_failed, code_provider } = signIn;
  const titleOf = (name: string) => surfaces.find((surface) => surface.name === name)!.title;
  const rows = signIn.routes.map(({ path, on, ...state }) => ({
    path,
    status: state.status,
    note: "reason" in state ? state.reason : on.map(titleOf).join(", "),
  }));
  const worst = WORST.find((status) => signIn.routes.some((route) => route.status === status))!;
  return (
    <section class="registry-section above-6" aria-labelledby="sign-in">
      <h2 class="text-large" id="sign-in">Sign-in</h2>
      <dl class="registry-figures stack gap-4">
        <Figure name="Users">{formatCount(users)}</Figure>
        <Figure name="Last sign-up">{momentOf(last_sign_up)}</Figure>
        <Figure name="Session store’s last write" note="When somebody last signed in or out">
          {momentOf(sessions_last_write)}
        </Figure>
        <Figure name="Undelivered codes" note={CODE_PROVIDERS[code_provider]}>
          {formatCount(codes_failed)}
        </Figure>
      </dl>
      <ul class="registry-rows ruled">
        <li>
          <details>
            <RowSummary title="Sign-in routes" note={countRoutes(signIn.routes)} status={worst} />
            <RouteTable label="Sign-in routes" rows={rows} />
          </details>
        </li>
      </ul>
    </section>
  );
}

/** The store, which holds everything, and where its jobs are shown. */
function StoreSection({ store: { id, readOnly } }: Pick<Registry["background"], "store">) {
  return (
    <section class="registry-section above-6" aria-labelledby="store">
      <h2 class="text-large" id="store">Store</h2>
      {readOnly !== null && (
        <p>
          <span class="pill warn">Read-only</span> {READ_ONLY[readOnly]}
        </p>
      )}
      <p>
        Everything is stored in one database{id !== null && (
          <>
            {" "}with the id <code>{id}</code>
          </>
        )}. For backups and background jobs, see <a href="/console/infra#jobs">Infrastructure</a>.
      </p>
    </section>
  );
}

/** Why the store is read-only. */
const READ_ONLY: Record<ReadOnlyState, string> = {
  configured: "READ_ONLY is set.",
  restored: "It is a restored copy. Run: deno task chain:reconcile",
  store_changed: "It is not the store that this process started with.",
};

/** At most {@link COUNTED} rows are read. */
const countOf = (count: number) =>
  count < COUNTED ? formatCount(count) : `${formatCount(COUNTED)} or more`;

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
    <span class="registry-note muted text-small">{note}</span> {pillOf(status)}
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
          <dt class="muted">Address</dt>
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

/** Returns a text such as `11 routes, all served` or `27 routes: 4 not connected, 3 off`. */
function countRoutes(routes: readonly { status: RouteStatus }[]): string {
  const closed = CLOSED.flatMap((status) => {
    const count = routes.filter((route) => route.status === status).length;
    return count === 0 ? [] : [`${count} ${status.toLowerCase()}`];
  });
  const all = plural(routes.length, "route");
  return closed.length === 0 ? `${all}, all served` : `${all}: ${closed.join(", ")}`;
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

/** A function and not a component, which allocates more, because a page shows many. */
const pillOf = (status: RouteStatus) => (
  <span class={`pill ${TONES[status]}`}>{status === "CONFIGURED" ? "SERVED" : status}</span>
);

/** Routes, with the status of those that are checked or off. */
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
              {note && <small class="block">{note}</small>}
            </th>
            <td>{status !== "CONFIGURED" && pillOf(status)}</td>
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
