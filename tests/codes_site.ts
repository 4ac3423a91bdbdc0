/** A site with a fake SMS provider for tests of one-time codes. */
import type { CodeMessage, CodeProvider, SendResult } from "../lib/features/codes/mod.ts";
import { type SignInMethod, startSession } from "../lib/features/records/mod.ts";
import { contactFixture, PERSON } from "./contact_site.ts";
import type { Site, SiteOverrides } from "./site.ts";
import { confirmEmail } from "./record_site.ts";

/** A number that belongs to nobody, of a range for films in Australia. */
export const NUMBER = "+61491570006";

/** A provider that keeps its messages. `respond` decides what it says. */
export interface FakeProvider extends CodeProvider {
  messages: CodeMessage[];
  respond: (message: CodeMessage) => SendResult | Promise<SendResult>;
  /** Returns the code in the last message to a number. */
  code(to?: string): string;
}

export function fakeProvider(): FakeProvider {
  const provider: FakeProvider = {
    name: "http",
    messages: [],
    respond: () => ({ ok: true, id: "m1", status: "queued" }),
    async send(message) {
      provider.messages.push(message);
      return await provider.respond(message);
    },
    code(to = NUMBER) {
      const { text } = provider.messages.findLast((message) => message.to === to)!;
      return /#(\d{6})$/.exec(text)?.[1] ?? text.replace(/\D/g, "");
    },
  };
  return provider;
}

/** A browser with its cookies, at an IP address. */
export interface Client {
  cookies: Map<string, string>;
  /** Posts JSON to an endpoint of codes. Returns its status and body. */
  post(path: "send" | "verify", body: unknown): Promise<{ status: number; body: CodeBody }>;
  /** Sends any request to the trust surface. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

interface CodeBody {
  success?: boolean;
  error?: string;
  message?: string;
  issues?: Record<string, string>;
  to?: string;
}

export interface CodesFixture extends AsyncDisposable {
  site: Site;
  clock: { now: number };
  provider: FakeProvider;
  logs: Record<string, unknown>[];
  mails: Awaited<ReturnType<typeof contactFixture>>["mails"];
  client(from?: string): Client;
  /** Registers a record and confirms its address. Returns its hash. */
  register(mobile?: string, email?: string): Promise<string>;
  /** Signs a browser in to a record. */
  signIn(client: Client, hash: string, method?: SignInMethod): Promise<void>;
  /** Registers a record and confirms its number with a code. */
  confirmed(mobile?: string, email?: string): Promise<string>;
  /** Returns the kinds of a chain's events. */
  kinds(hash: string): Promise<string[]>;
}

/** Creates a site with a provider of codes that the test controls. No limits per client by default. */
export async function codesFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<CodesFixture> {
  const provider = fakeProvider();
  const logs: Record<string, unknown>[] = [];
  const fixture = await contactFixture({ SIGN_IN_CLIENT_LIMIT: "0", ...env }, {
    codeProvider: provider,
    log: (line) => logs.push(line),
    ...overrides,
  });
  const { site, clock } = fixture;
  const { services } = site;

  function client(from = "203.0.113.7"): Client {
    const cookies = new Map<string, string>();
    async function request(path: string, init: RequestInit = {}) {
      const url = services.surfaces.url("trust", path)!;
      const headers = new Headers(init.headers);
      headers.set("host", new URL(url).host);
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      const remoteAddr = { transport: "tcp", hostname: from, port: 4711 } as const;
      const info = { remoteAddr, completed: Promise.resolve() };
      const response = await site.handler(new Request(url, { ...init, headers }), info);
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies.set(name, value);
      }
      return response;
    }
    return {
      cookies,
      request,
      async post(path, body) {
        const response = await request(`/api/auth/otp/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        await services.codes.flush();
        return { status: response.status, body: await response.json() };
      },
    };
  }

  async function register(mobile = NUMBER, email = "ada@example.org") {
    const [country, dial] = mobile.startsWith("+61") ? ["AU", "+61"] : ["GB", "+44"];
    const number = `0${mobile.slice(dial.length)}`;
    const response = await fixture.send({ ...PERSON, email, mobile: { country, number } });
    const { hash } = await response.json();
    const [mail] = (await fixture.mails()).filter(({ to, text }) =>
      to === email && text.includes("/confirm?token=")
    );
    await confirmEmail(services, /token=([\w-]{43})/.exec(mail.text)![1]);
    return hash;
  }

  async function signIn(to: Client, hash: string, method: SignInMethod = "link") {
    const commit = services.kv.atomic();
    const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
    const session = { surface: "trust" as const, choices: [hash], method, previous: null, reader };
    const started = await startSession(services.kv, commit, session, clock.now);
    await commit.commit();
    to.cookies.set("record_session", /record_session=([^;]+)/.exec(started!.cookie)![1]);
  }

  return {
    site,
    clock,
    provider,
    logs,
    mails: fixture.mails,
    client,
    register,
    signIn,
    async confirmed(mobile = NUMBER, email) {
      const hash = await register(mobile, email);
      const browser = client();
      await signIn(browser, hash);
      await browser.post("send", { method: "sms", purpose: "confirm_number" });
      const code = provider.code(mobile);
      const { status } = await browser.post("verify", { code, purpose: "confirm_number" });
      if (status !== 200) throw new Error(`The number was not confirmed: ${status}`);
      clock.now += 61_000;
      provider.messages.length = 0;
      return hash;
    },
    kinds: async (hash) => (await services.chains.page(hash))!.events.map(({ kind }) => kind),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Returns a code that differs from the right one in its last digit. */
export const wrongCode = (code: string): string =>
  code.slice(0, 5) + String((Number(code[5]) + 1) % 10);
