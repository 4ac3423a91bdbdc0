import { secretVariable } from "../config/payments.ts";
import { readOutbox } from "../jobs/mod.ts";
import { MAIL_CHANNEL, readMailFailures } from "../mail/mod.ts";
import type { Services } from "../services.ts";
import type { Layer } from "./layers.ts";
import { type OrganisationKey, type Route, SIGN_IN_ROUTES } from "../surfaces/mod.ts";

export type RouteState =
  | { status: "LIVE" }
  /**
   * With the time of the bank's last response to this token, ISO 8601 in UTC; null before the
   * first.
   */
  | { status: "LIVE"; lastResponse: string | null }
  | { status: "NOT CONNECTED"; reason: string }
  | { status: "OFF"; reason: string };

/** The surface registry (spec 4.2.5). */
export type Registry = Awaited<ReturnType<typeof readRegistry>>;

/**
 * Reads the registry from the configuration, the bank's cache and the counters. It makes no
 * requests to other services, so it works while they are down. It contains no user's address and no
 * relay's slug or token.
 *
 * @returns all surfaces, whether or not this deployment serves them; the relays; the state of
 * sign-in; and, for L1, the background jobs and the queued mails
 */
export async function readRegistry(services: Services, layer: Layer) {
  const { config, kv, auth, phone } = services;
  const [foundation, commercial, stats, mails_failed, codes_failed, background] = await Promise.all(
    [
      bankState("foundation", services),
      bankState("commercial", services),
      auth.stats(),
      readMailFailures(kv),
      phone.deliveries.failures(),
      layer === "L1" ? readBackground(services) : null,
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
      const state = (route: Route): RouteState =>
        off !== null
          ? { status: "OFF", reason: off }
          : route.needs === "payments" && route.off === undefined
          ? paymentState(organisation, services)
          : stateOf(route, bank[organisation]);
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
    const on = surfaces.filter(({ served, routes }) =>
      served && routes.some((route) => route.path === path)
    ).map(({ name }) => name);
    return { path, on, status: on.length > 0 ? "LIVE" as const : "OFF" as const };
  });
  const relays = config.relays.all.map(({ name, host }) => ({ name, host }));
  const mail_transport = config.mail.transport;
  const code_provider = phone.provider?.name ?? "off";
  const signIn = { ...stats, mails_failed, mail_transport, codes_failed, code_provider, routes };
  return { surfaces, relays, signIn, background };
}

/** Reads the jobs and the queued mails. */
async function readBackground({ jobs, kv, clock }: Services) {
  const [states, mail] = await Promise.all([
    jobs.states(),
    readOutbox(kv, MAIL_CHANNEL, clock()),
  ]);
  return { jobs: states, mail };
}

function stateOf({ needs, off }: Route, bank: RouteState): RouteState {
  if (off !== undefined) return { status: "OFF", reason: off };
  return needs === "bank" ? bank : { status: "LIVE" };
}

function paymentState(organisation: OrganisationKey, { payments }: Services): RouteState {
  return payments.isOpen(organisation)
    ? { status: "LIVE" }
    : { status: "NOT CONNECTED", reason: `${secretVariable(organisation)} is not set.` };
}

async function bankState(
  organisation: OrganisationKey,
  { config: { bank }, treasuries }: Services,
): Promise<RouteState> {
  const { value, variable } = bank.tokens[organisation];
  if (value === undefined) return { status: "NOT CONNECTED", reason: `${variable} is not set.` };
  if (bank.baseUrl === undefined) {
    return { status: "NOT CONNECTED", reason: "BANK_API_BASE is not set." };
  }
  return { status: "LIVE", lastResponse: await treasuries[organisation].lastResponse() };
}
