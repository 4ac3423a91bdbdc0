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

/** How a route stands on a surface. Times in `since` are ISO 8601 in UTC. */
export type RouteState =
  | { status: "LIVE" }
  /** It answers from the bank, which last did so then; null: not with this token yet. */
  | { status: "LIVE"; lastAnswer: string | null }
  | { status: "NOT CONNECTED"; reason: string }
  | { status: "OFF"; reason: string };

/** A route of a surface. */
export type RegisteredRoute = { path: string } & RouteState;

/** A surface, whether this deployment serves it or not. */
export interface RegisteredSurface {
  name: SurfaceName;
  title: string;
  purpose: string;
  status: "SERVED" | "NOT SERVED";
  /** Where its addresses begin; null where it is not served. */
  baseUrl: string | null;
  /** All of its hosts, as configured. */
  hosts: string[];
  routes: RegisteredRoute[];
}

/** How sign-in is doing: counts and times alone, nobody's address (spec 4.2.5). */
export interface SignInRegister extends AuthStats {
  /** How many mails have failed, ever. */
  mails_failed: number;
  /** How mails leave. */
  mail_transport: string;
  routes: { path: string; on: SurfaceName[]; status: "LIVE" | "OFF" }[];
}

/** A relay: it answers on a host of its own and is no surface. Its slug and its token stay away. */
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
 * Reads the registry: what is configured, what the bank's cache and the counters have. Nobody
 * outside is asked, so it is there at once, also while something is down.
 *
 * @example
 * ```ts
 * const { surfaces, relays, signIn } = await readRegistry(ctx.state.services);
 * ```
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

/** Whether an organisation's bank can be asked, by what is configured and what it told last. */
async function bankState(
  organisation: OrganisationKey,
  { config: { bank }, treasuries }: Services,
): Promise<RouteState> {
  const { value, variable } = bank.tokens[organisation];
  if (value === undefined) return { status: "NOT CONNECTED", reason: `${variable} is not set.` };
  if (bank.baseUrl === undefined) {
    return { status: "NOT CONNECTED", reason: "BANK_API_BASE is not set." };
  }
  return { status: "LIVE", lastAnswer: await treasuries[organisation].lastAnswer() };
}
