import type { OutboxMail } from "../../mail/mod.ts";
import type { SurfaceName } from "../../surfaces/mod.ts";
import { createSite, type Site, type SiteOverrides } from "../../../tests/site.ts";

/** What a person enters; every one of it can be told from all else in a store. */
export const PERSON = {
  name: "Ada Example",
  organisation: "Zephyrine Holdings",
  email: "Ada.Q@Mail.Example.ORG",
  mobile: { country: "AU", number: "0412 345 678" },
  enquiry_type: "Investor",
  message: "Two lines\nof a xylographic message.",
  elapsed_ms: 8_000,
};

/** A site whose clock stands still until the test moves it. */
export interface Stage extends AsyncDisposable {
  site: Site;
  clock: { now: number };
  /** Registers, as JSON. */
  send(body: unknown, options?: SendOptions): Promise<Response>;
  /** Posts the page's form. */
  post(fields: Record<string, string>, options?: SendOptions): Promise<Response>;
  /** The mails so far, newest first. */
  mails(): Promise<readonly OutboxMail[]>;
  /** Every entry of the store, as text. */
  entries(): Promise<{ key: string; text: string }[]>;
}

export interface SendOptions {
  on?: SurfaceName;
  headers?: Record<string, string>;
  /** The IP address that it comes from. */
  from?: string;
}

/** @param env without a limit for clients, unless it says so */
export async function stageContact(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<Stage> {
  const clock = { now: Date.now() };
  const site = await createSite({ CONTACT_CLIENT_LIMIT: "0", ...env }, {
    clock: () => clock.now,
    log: () => {},
    ...overrides,
  });
  const { services } = site;
  const request = (body: BodyInit, { on = "api", headers, from = "203.0.113.7" }: SendOptions) => {
    const url = services.surfaces.url(on, "/api/ir/register")!;
    const init = { method: "POST", body, headers: { host: new URL(url).host, ...headers } };
    const remoteAddr = { transport: "tcp", hostname: from, port: 4711 } as const;
    return site.handler(
      new Request(url, init),
      { remoteAddr, completed: Promise.resolve() },
    );
  };
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
      return services.outbox!.list();
    },
    async entries() {
      const entries = await Array.fromAsync(services.kv.list({ prefix: [] }));
      return entries.map(({ key, value }) => ({
        key: JSON.stringify(key),
        text: Deno.inspect(value, {
          depth: 20,
          strAbbreviateSize: Infinity,
          iterableLimit: Infinity,
          escapeSequences: false,
        }),
      }));
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}
