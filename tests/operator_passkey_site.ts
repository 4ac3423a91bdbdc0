/** A site for tests of operators' passkeys in the consoles. */
import { assertEquals } from "@std/assert";
import { Authenticator, type Deviation } from "../lib/features/passkeys/testing/authenticator.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";
import { cookiesOf } from "./sign_in_site.ts";

export const ADMIN = "admin@example.org";
export const OTHER = "other@example.org";
export const BOARD = "board@example.org";

export const SIGN_IN = "/api/auth/passkey/sign-in";
export const CONFIRM = "/api/auth/passkey/confirm";
export const REGISTER = "/api/auth/passkey/register";

/** A browser on one console: it keeps the session's cookie. */
export interface Operator {
  surface: SurfaceName;
  cookie: string;
}

export interface OperatorPasskeyFixture extends AsyncDisposable {
  site: Site;
  clock: { now: number };
  /** Sends a request of an operator's browser and keeps the cookies that it sets. */
  send(operator: Operator, path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON and returns the status with the body. */
  // deno-lint-ignore no-explicit-any
  post(operator: Operator, path: string, json: unknown): Promise<[number, any]>;
  /** Signs in with a mailed link. */
  byLink(email?: string, surface?: SurfaceName, link?: object): Promise<Operator>;
  authenticator(operator: Operator, defaults?: Deviation): Authenticator;
  /** Adds a passkey and returns the status and error. */
  add(operator: Operator, authenticator: Authenticator, code?: string): Promise<[number, string?]>;
  /** Uses a passkey in the session. */
  confirm(
    operator: Operator,
    authenticator: Authenticator,
    deviation?: Deviation,
  ): Promise<[number, string?]>;
  /** Signs in with a passkey in a browser without a session. */
  signIn(
    surface: SurfaceName,
    authenticator: Authenticator,
    deviation?: Deviation,
  ): Promise<[number, Operator, string?]>;
  /** Returns the status of a page or form, as a browser sees it. */
  open(operator: Operator, path: string, form?: Record<string, string>): Promise<number>;
  /** Returns the recipients and subjects of the mails since the last call. */
  mails(): Promise<string[]>;
  /** Returns the actions of the audit log, oldest first. */
  actions(surface?: "foundation" | "commercial"): Promise<string[]>;
}

/**
 * Creates a site with two full administrators and a board member.
 *
 * @example
 * ```ts
 * await using fixture = await operatorPasskeyFixture();
 * const operator = await fixture.byLink();
 * const authenticator = fixture.authenticator(operator);
 * assertEquals(await fixture.add(operator, authenticator), [201]);
 * ```
 */
export async function operatorPasskeyFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<OperatorPasskeyFixture> {
  const clock = { now: Date.now() };
  const site = await createSite(
    { OPS_L1_EMAILS: `${ADMIN},${OTHER}`, OPS_L2_EMAILS: BOARD, ...env },
    { clock: () => clock.now, ...overrides },
  );
  const { services } = site;
  let read = 0;

  const send: OperatorPasskeyFixture["send"] = async (operator, path, init = {}) => {
    clock.now++; // entries of the audit log are sorted by time
    const headers = new Headers(init.headers);
    if (operator.cookie !== "") headers.set("cookie", operator.cookie);
    const response = await site.request(operator.surface, path, { ...init, headers });
    const set = cookiesOf(response);
    const kept = Object.fromEntries(
      operator.cookie.split("; ").filter((each) => each !== "").map(
        (each) => [each.split("=")[0], each],
      ),
    );
    operator.cookie = Object.values({ ...kept, ...set }).join("; ");
    return response;
  };
  const post: OperatorPasskeyFixture["post"] = async (operator, path, json) => {
    const response = await send(operator, path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(json),
    });
    return [response.status, await response.json()];
  };
  const ended = ([status, { error }]: [number, { error?: string }]): [number, string?] =>
    error === undefined ? [status] : [status, error];

  return {
    site,
    clock,
    send,
    post,
    async byLink(email = ADMIN, surface = "commercial-console", link = {}) {
      const { token } = await services.auth.issueLink({ email, surface, ...link });
      const operator = { surface, cookie: "" };
      const response = await send(operator, `/auth/verify?token=${token}`);
      assertEquals(response.status, 302);
      return operator;
    },
    authenticator: ({ surface }, defaults) =>
      new Authenticator(services.surfaces.get(surface)!.baseUrl, defaults),
    async add(operator, authenticator, code) {
      const [status, options] = await post(operator, REGISTER, { code });
      if (status !== 200) return [status, options.error];
      const response = await authenticator.register(options);
      return ended(await post(operator, REGISTER, { response }));
    },
    async confirm(operator, authenticator, deviation) {
      const [status, options] = await post(operator, CONFIRM, {});
      if (status !== 200) return [status, options.error];
      const response = await authenticator.signIn(options, deviation);
      return ended(await post(operator, CONFIRM, { response }));
    },
    async signIn(surface, authenticator, deviation) {
      const operator = { surface, cookie: "" };
      const [, options] = await post(operator, SIGN_IN, {});
      const response = await authenticator.signIn(options, deviation);
      const [status, { error }] = await post(operator, SIGN_IN, { response });
      return error === undefined ? [status, operator] : [status, operator, error];
    },
    async open(operator, path, form) {
      const response = await send(operator, path, {
        headers: { accept: "text/html" },
        ...form && { method: "POST", body: new URLSearchParams(form) },
      });
      await response.body?.cancel();
      return response.status;
    },
    async mails() {
      await services.mailer.flush();
      const all = services.devOutbox!.list();
      const found = all.slice(0, all.length - read).map(({ to, subject }) => `${to}: ${subject}`);
      read = all.length;
      return found.sort();
    },
    async actions(organisation = "commercial") {
      const rows = services.kv.list<{ action: string }>({ prefix: ["audit", organisation] });
      return await Array.fromAsync(rows, ({ value }) => value.action);
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}
