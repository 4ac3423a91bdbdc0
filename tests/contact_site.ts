/** A site for tests of the contact form, with its own clock, mails and store. */
import type { DevOutboxMail } from "../lib/platform/mail/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

/** The values that a person enters. Every value is distinct from everything else in a store. */
export const PERSON = {
  name: "Ada Example",
  organisation: "Zephyrine Holdings",
  email: "Ada.Q@Mail.Example.ORG",
  mobile: { country: "AU", number: "0412 345 678" },
  enquiry_type: "Investor",
  message: "Two lines\nof a xylographic message.",
  elapsed_ms: 8_000,
};

/** The configuration of a bot challenge. */
export const CHALLENGE_ENV = {
  CHALLENGE_SITE_KEY: "site-key",
  CHALLENGE_SECRET: "the-secret",
  CHALLENGE_VERIFY_URL: "https://challenge.example/siteverify",
  CHALLENGE_SCRIPT_URL: "https://challenge.example/api.js",
};

/** A site whose clock the test controls. */
export interface ContactFixture extends AsyncDisposable {
  site: Site;
  clock: { now: number };
  send(body: unknown, options?: SendOptions): Promise<Response>;
  /** Posts the form, as a browser without scripts does. */
  post(fields: Record<string, string>, options?: SendOptions): Promise<Response>;
  /** Returns the mails so far, newest first. */
  mails(): Promise<readonly DevOutboxMail[]>;
  /** Returns every entry of the store as text. */
  entries(): Promise<{ key: string; text: string }[]>;
  /** Returns the number of entries whose key starts with a prefix. */
  count(prefix: string): Promise<number>;
}

/** Replacements for parts of the site, and the time at which its clock starts. Default: now. */
export interface FixtureOverrides extends SiteOverrides {
  startsAt?: number;
}

export interface SendOptions {
  on?: SurfaceName;
  /** The query of the endpoint's URL, with its question mark. */
  query?: string;
  headers?: Record<string, string>;
  /** The client's IP address. */
  from?: string;
}

/**
 * Creates a site for testing the contact form.
 *
 * @param env by default, there is no limit per client
 */
export async function contactFixture(
  env: Record<string, string> = {},
  { startsAt = Date.now(), ...overrides }: FixtureOverrides = {},
): Promise<ContactFixture> {
  const clock = { now: startsAt };
  const site = await createSite({ CONTACT_CLIENT_LIMIT: "0", ...env }, {
    clock: () => clock.now,
    log: () => {},
    ...overrides,
  });
  const { services } = site;
  const request = (
    body: BodyInit,
    { on = "api", query = "", headers, from = "203.0.113.7" }: SendOptions,
  ) => {
    const url = services.surfaces.url(on, "/api/ir/register" + query)!;
    const init = { method: "POST", body, headers: { host: new URL(url).host, ...headers } };
    const remoteAddr = { transport: "tcp", hostname: from, port: 4711 } as const;
    return site.handler(
      new Request(url, init),
      { remoteAddr, completed: Promise.resolve() },
    );
  };
  const list = () => Array.fromAsync(services.kv.list({ prefix: [] }));
  return {
    site,
    clock,
    send: (body, options = {}) =>
      request(JSON.stringify(body), {
        ...options,
        headers: { "content-type": "application/json", ...options.headers },
      }),
    post: (fields, options = {}) => request(new URLSearchParams(fields), options),
    async mails() {
      await services.mailer.flush();
      return services.devOutbox!.list();
    },
    entries: async () =>
      (await list()).map(({ key, value }) => ({
        key: JSON.stringify(key),
        text: Deno.inspect(value, {
          depth: 20,
          strAbbreviateSize: Infinity,
          iterableLimit: Infinity,
          escapeSequences: false,
        }),
      })),
    count: async (prefix) => (await list()).filter(({ key }) => key[0] === prefix).length,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Returns the status, the error code and the issues of an error response. */
export async function errorOf(
  response: Response,
): Promise<{ status: number; error: string; issues?: Record<string, string> }> {
  const { error, issues } = await response.json();
  return { status: response.status, error, issues };
}

/** Consumes a response and returns its status. */
export async function statusOf(response: Response | Promise<Response>): Promise<number> {
  const { body, status } = await response;
  await body?.cancel();
  return status;
}
