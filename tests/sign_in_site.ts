/** A site for tests of signing in to accounts with mailed links. */
import { assertEquals } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

export const ADMIN = "admin@example.org";
export const ADA = "ada@example.org";

/** A site for sign-in tests, with a clock that the test controls. */
interface SignInSite extends AsyncDisposable {
  site: Site;
  /** Starts at the current time, because the store has its own clock. */
  clock: { now: number };
  /** Sends a request to a surface, by default the site. */
  open(path: string, surface?: SurfaceName, init?: RequestInit): Promise<Response>;
  request(body: unknown, surface?: SurfaceName, headers?: HeadersInit): Promise<Response>;
  /** Posts the sign-in form, as a page without scripts does. */
  post(fields: Record<string, string>, surface?: SurfaceName): Promise<Response>;
  /** Returns the links that were mailed to an address, latest first. */
  links(email: string): Promise<URL[]>;
  /** Requests a link and returns its path and query. */
  linkFor(email: string, surface?: SurfaceName, next?: string): Promise<string>;
  signIn(email?: string, surface?: SurfaceName): Promise<string>;
}

/** Creates a site without a limit per client. Its administrator is {@link ADMIN}. */
export async function createSignInSite(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<SignInSite> {
  const clock = { now: Date.now() };
  const site = await createSite({ SIGN_IN_CLIENT_LIMIT: "0", ...env }, {
    clock: () => clock.now,
    ...overrides,
  });
  const { mailer, devOutbox } = site.services;

  const open: SignInSite["open"] = (path, surface = "site", init) =>
    site.request(surface, path, init);
  const request: SignInSite["request"] = (body, surface, headers = {}) =>
    open("/api/auth/request", surface, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const links: SignInSite["links"] = async (email) => {
    await mailer.flush();
    return devOutbox!.list().filter(({ to, link }) => to === email && link !== undefined)
      .map(({ link }) => new URL(link!));
  };
  const linkFor: SignInSite["linkFor"] = async (email, surface, next) => {
    const response = await request({ email, next }, surface);
    assertEquals([response.status, await response.json()], [200, { success: true }]);
    const [{ pathname, search }] = await links(email);
    return pathname + search;
  };
  return {
    site,
    clock,
    open,
    request,
    links,
    linkFor,
    post: (fields, surface) =>
      open("/api/auth/request", surface, { method: "POST", body: new URLSearchParams(fields) }),
    async signIn(email = ADA, surface) {
      const response = await open(await linkFor(email, surface), surface);
      return cookiesOf(response).app_session;
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Returns the cookies that a response sets by name, formatted for a `Cookie` header. */
export function cookiesOf(response: Response): Record<string, string> {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return Object.fromEntries(cookies.map((cookie) => [cookie.split("=")[0], cookie]));
}

export async function locationOf(response: Promise<Response>): Promise<[number, string | null]> {
  const { status, headers, body } = await response;
  await body?.cancel();
  return [status, headers.get("location")];
}

/** Serves a {@link SignInSite} on a free port, for browser tests. */
export const serveSignInSite = (): Promise<SignInSite> => serveOnFreePort(createSignInSite);
