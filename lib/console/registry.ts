import type { AuthStats } from "../auth/mod.ts";
import { readMailFailures } from "../mail/mod.ts";
import type { Services } from "../services.ts";
import {
  type OrganisationKey,
  type Route,
  SIGN_IN_ROUTES,
  type SurfaceInfo,
  type SurfaceName,
} from "../surfaces/mod.ts";

export type RouteState =
  | { status: "LIVE" }
  /** With the bank's last response to this token, ISO 8601 in UTC; null before the first one. */
  | { status: "LIVE"; lastResponse: string | null }
  | { status: "NOT CONNECTED"; reason: string }
  | { status: "OFF"; reason: string };

export type RegisteredRoute = { path: string } & RouteState;

/** A surface, served by this deployment or not. */
export interface RegisteredSurface {
  name: SurfaceName;
  title: string;
  purpose: string;
  status: "SERVED" | "NOT SERVED";
  /** Null if it is not served. */
  baseUrl: string | null;
  hosts: string[];
  routes: RegisteredRoute[];
}

/** The state of sign-in: counts and times, no addresses (spec 4.2.5). */
export interface SignInRegister extends AuthStats {
  mails_failed: number;
  mail_transport: string;
  routes: { path: string; on: SurfaceName[]; status: "LIVE" | "OFF" }[];
}

/** A relay, without its slug and its token. Relays have hosts of their own and are not surfaces. */
export interface RegisteredRelay {
  name: string;
  host: string;
  status: "LIVE";
}

/** The surface registry (spec 4.2.5). */
export interface Registry {
  surfaces: RegisteredSurface[];
  relays: RegisteredRelay[];
  signIn: SignInRegister;
}

/**
 * Reads the registry from the configuration, the bank's cache and the counters. It makes no request
 * to other services, so it is available while they are down.
 */
export async function readRegistry(services: Services): Promise<Registry> {
  const { config, kv, auth } = services;
  const [foundation, commercial, stats, mails_failed] = await Promise.all([
    bankState("foundation", services),
    bankState("commercial", services),
    auth.stats(),
    readMailFailures(kv),
  ]);
  const bank = { foundation, commercial };
  const surfaces = services.surfaces.known.map((info): RegisteredSurface => {
    const { name, organisation, title, purpose, servesAll } = info;
    const baseUrl = services.surfaces.url(name);
    const off = baseUrl !== null
      ? null
      : servesAll && config.env === "production"
      ? "Development only."
      : "SURFACE_HOSTS gives it no host.";
    return {
      name,
      title,
      purpose,
      status: off === null ? "SERVED" : "NOT SERVED",
      baseUrl,
      hosts: off === null ? config.surfaceHosts[name] ?? [] : [],
      routes: info.routes.map((route) => ({
        path: route.path,
        ...off === null ? stateOf(route, organisation, bank) : { status: "OFF", reason: off },
      })),
    };
  });
  const routes = SIGN_IN_ROUTES.map(({ path }) => {
    const on = surfaces.filter(({ status, routes }) =>
      status === "SERVED" && routes.some((route) => route.path === path)
    ).map(({ name }) => name);
    return { path, on, status: on.length > 0 ? "LIVE" as const : "OFF" as const };
  });
  const relays = config.relays.all.map(({ name, host }) => ({
    name,
    host,
    status: "LIVE" as const,
  }));
  const mail_transport = config.mail.transport;
  return { surfaces, relays, signIn: { ...stats, mails_failed, mail_transport, routes } };
}

function stateOf(
  { needs, off }: Route,
  organisation: SurfaceInfo["organisation"],
  bank: Record<OrganisationKey, RouteState>,
): RouteState {
  if (off !== undefined) return { status: "OFF", reason: off };
  return needs === "bank" ? bank[organisation] : { status: "LIVE" };
}

/** Returns the state of an organisation's bank, from its configuration and its last response. */
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
