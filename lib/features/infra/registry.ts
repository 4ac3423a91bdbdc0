/** The surface registry of the consoles: surfaces, routes, services and jobs, each with its state. */
import type { Payments } from "../payments/mod.ts";
import { secretVariable } from "../payments/variables.ts";
import { bankProbe, mailCheck, originProbe } from "./probes.ts";
import type { Check, Checks } from "./monitor.ts";
import type { Infra } from "./mod.ts";
import type { InfraNode } from "./map.ts";
import { type Jobs, type LastRun, readOutbox } from "../../platform/jobs/mod.ts";
import { MAIL_CHANNEL, organisationOfMail, readMailFailures } from "../../platform/mail/mod.ts";
import type { Auth } from "../auth/mod.ts";
import type { BankConfig } from "../bank/variables.ts";
import type { Treasury } from "../bank/mod.ts";
import type { Phone } from "../codes/providers/mod.ts";
import type { RelaysConfig } from "../relay/variables.ts";
import type { StoreGuard } from "../../platform/store/mod.ts";
import type { SurfaceHosts } from "../../platform/config/surfaces.ts";
import type { MailConfig } from "../../platform/mail/variables.ts";
import {
  type OrganisationKey,
  type Route,
  SIGN_IN_ROUTES,
  type Surfaces,
} from "../../platform/surfaces/mod.ts";

/**
 * - `LIVE`: the service that the route needs passed its last probe.
 * - `CHECKING`: that service's first probe is running.
 * - `CONFIGURED`: served, and not probed.
 * - `NOT CONNECTED`: a setting is missing.
 * - `OFF`: not served.
 */
export type RouteState =
  | { status: "LIVE" | "CHECKING" | "CONFIGURED" }
  /**
   * With the time of the bank's last response to this token, ISO 8601 in UTC; null before the
   * first.
   */
  | { status: "LIVE"; lastResponse: string | null }
  | { status: "DOWN"; reason: string }
  | { status: "NOT CONNECTED"; reason: string }
  | { status: "OFF"; reason: string };

export type RouteStatus = RouteState["status"];

/** A problem that an operator should look into. */
export interface RegistryProblem {
  status: "DOWN" | "SLOW" | "NOT CONNECTED" | "FAILED";
  /** The service, surface or job that has the problem. */
  name: string;
  detail: string;
}

/** The services whose state the registry shows. */
interface RegisteredServices {
  config: {
    env: "development" | "production";
    bank: BankConfig;
    mail: MailConfig;
    relays: RelaysConfig;
    surfaceHosts: SurfaceHosts;
  };
  kv: Deno.Kv;
  clock: () => number;
  auth: Auth;
  infra: Infra;
  jobs: Jobs;
  payments: Payments;
  phone: Phone;
  store: Pick<StoreGuard, "id" | "readOnly">;
  surfaces: Surfaces;
  treasuries: Record<OrganisationKey, Treasury>;
}

/** The surface registry (spec 4.2.5). */
export type Registry = Awaited<ReturnType<typeof readRegistry>>;

/**
 * Reads the registry from the configuration, the last probes, the bank's cache and the counters. It
 * contains no user's address and no relay's slug or token.
 *
 * @param organisation whose bank and mails it shows
 * @returns the problems; all surfaces, whether or not this deployment serves them; the services and
 * relays; the state of sign-in; the store, the background jobs and the queued mails
 */
export async function readRegistry(
  services: RegisteredServices,
  organisation: OrganisationKey,
) {
  const { config, kv, auth, phone, infra } = services;
  const checks = await infra.checks();
  const { nodes } = await infra.map(organisation, checks);
  const [foundation, commercial, stats, mails_failed, codes_failed, background] = await Promise.all(
    [
      bankState("foundation", services, checks),
      bankState("commercial", services, checks),
      auth.stats(),
      readMailFailures(kv, organisation),
      phone.deliveries.failures(),
      readBackground(services, organisation),
    ],
  );
  const bank = { foundation, commercial };
  const surfaces = services.surfaces.known.map(
    ({ name, organisation, title, purpose, servesAll, routes }) => {
      const baseUrl = services.surfaces.url(name);
      const off = baseUrl !== null
        ? null
        : servesAll && config.env === "production"
        ? "Development only."
        : "SURFACE_HOSTS has no host for it.";
      const state = ({ needs, off: offHere }: Route): RouteState => {
        const reason = off ?? offHere;
        if (reason !== undefined) return { status: "OFF", reason };
        if (needs === "mail" || needs === "sessions") {
          return signInStateOf(checks, needs, organisation);
        }
        if (needs === "bank") return bank[organisation];
        return needs === "payments" ? paymentState(organisation, services) : CONFIGURED;
      };
      return {
        name,
        title,
        purpose,
        served: off === null,
        baseUrl,
        hosts: off === null ? config.surfaceHosts[name] ?? [] : [],
        routes: routes.map((route) => ({ path: route.path, ...state(route) })),
      };
    },
  );
  const routes = SIGN_IN_ROUTES.map(({ path }) => {
    const found = surfaces.filter(({ served }) => served).flatMap(({ name, routes }) =>
      routes.filter((route) => route.path === path).map(({ path: _, ...state }) => ({
        name,
        state,
      }))
    );
    const on = found.map(({ name }) => name);
    const states = found.map(({ state }) => state);
    // The surfaces of one organisation may have no mail while those of the other do.
    const state = SIGN_IN_ORDER.map((status) => states.find((one) => one.status === status))
      .find((one) => one !== undefined) ?? OFF_EVERYWHERE;
    return { path, on, ...state };
  });
  const relays = config.relays.all.map(({ name, host }) => {
    const origin = nodes.find(({ id }) => id === originProbe(name));
    return { name, host, origin: origin?.state ?? "checking" };
  });
  const mail_transport = config.mail.transport;
  const code_provider = phone.provider?.name ?? "off";
  const signIn = { ...stats, mails_failed, mail_transport, codes_failed, code_provider, routes };
  return {
    problems: [
      ...nodes.flatMap(problemOf),
      ...missingSettings(surfaces.filter(({ name }) => name !== "workbench")),
      ...background.jobs.flatMap(({ name, lastRun }) => failedJob(name, lastRun)),
    ],
    probed: nodes.filter(({ group, state }) =>
      (group === "services" || group === "origins") && state !== "configured"
    ).map(({ id, name, state }) => ({ id, name, state })),
    surfaces,
    relays,
    signIn,
    background,
  };
}

const CONFIGURED = { status: "CONFIGURED" } as const;

const OFF_EVERYWHERE: RouteState = {
  status: "OFF",
  reason: "None of the surfaces that are served has this route.",
};

/** The states of a sign-in route, the worst first. */
const SIGN_IN_ORDER = ["DOWN", "CHECKING", "LIVE"] as const;

/** Reads the jobs, and the organisation's mails that are queued or were given up. */
async function readBackground(
  { jobs, kv, clock, store: { id, readOnly } }: RegisteredServices,
  organisation: OrganisationKey,
) {
  const [states, mail] = await Promise.all([
    jobs.states(),
    readOutbox(
      kv,
      MAIL_CHANNEL,
      clock(),
      ({ sender }) => organisationOfMail(sender) === organisation,
    ),
  ]);
  return { jobs: states, mail, store: { id, readOnly } };
}

/** Returns the problem of a service, if it has one. */
function problemOf({ name, state, detail, latency_ms }: InfraNode): RegistryProblem[] {
  if (state === "down") return [{ status: "DOWN", name, detail: detail ?? "" }];
  if (state !== "slow") return [];
  return [{ status: "SLOW", name, detail: `The last check took ${latency_ms} ms.` }];
}

/** Returns one problem for each setting that routes lack, with the surface that has them. */
function missingSettings(
  surfaces: { title: string; routes: RouteState[] }[],
): RegistryProblem[] {
  const titles = new Map<string, string>();
  for (const { title, routes } of surfaces) {
    for (const route of routes) {
      if (route.status === "NOT CONNECTED") titles.set(route.reason, title);
    }
  }
  return [...titles].map(([detail, name]) => ({ status: "NOT CONNECTED", name, detail }));
}

function failedJob(name: string, lastRun: LastRun | null): RegistryProblem[] {
  if (lastRun?.outcome !== "failed") return [];
  return [{ status: "FAILED", name: `Job ${name}`, detail: "Its last run failed." }];
}

function paymentState(organisation: OrganisationKey, { payments }: RegisteredServices): RouteState {
  return payments.isOpen(organisation)
    ? CONFIGURED
    : { status: "NOT CONNECTED", reason: `${secretVariable(organisation)} is not set.` };
}

/** Sign-in works while the store accepts sessions (spec 4.2.5). Asking for a link also needs mail. */
function signInStateOf(
  checks: Checks,
  needs: "mail" | "sessions",
  organisation: OrganisationKey,
): RouteState {
  const parts: [Check | undefined, string][] = [
    [checks.get("sessions"), "The session store does not respond."],
  ];
  if (needs === "mail") parts.push([checks.get(mailCheck(organisation)), "Mail cannot be sent."]);
  const failed = parts.find(([check]) => check?.state === "down");
  if (failed !== undefined) return { status: "DOWN", reason: failed[1] };
  return { status: parts.every(([check]) => check !== undefined) ? "LIVE" : "CHECKING" };
}

async function bankState(
  organisation: OrganisationKey,
  { config: { bank }, treasuries }: RegisteredServices,
  checks: Checks,
): Promise<RouteState> {
  const { value, variable } = bank.tokens[organisation];
  if (value === undefined) return { status: "NOT CONNECTED", reason: `${variable} is not set.` };
  if (bank.baseUrl === undefined) {
    return { status: "NOT CONNECTED", reason: "BANK_API_BASE is not set." };
  }
  const check = checks.get(bankProbe(bank, organisation));
  if (check === undefined) return { status: "CHECKING" };
  if (check.state === "down") return { status: "DOWN", reason: "The bank does not respond." };
  return { status: "LIVE", lastResponse: await treasuries[organisation].lastResponse() };
}
