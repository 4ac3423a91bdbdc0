import { type BankSandbox, type BankSandboxOptions, startBankSandbox } from "../sandbox/bank.ts";
import { normaliseEmail } from "../lib/mail/email.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

/** A site with its own bank, both on one clock. */
export interface BankSite extends AsyncDisposable {
  site: Site;
  bank: BankSandbox;
  /** The time of site and bank in milliseconds since 1970. */
  time: { now: number };
  /** Signs an address in on its first use, and returns its cookie. Defaults to the commercial console. */
  signIn(email: string, surface?: SurfaceName): Promise<string>;
  /** Sends a request to a surface, signed in if a cookie is given. */
  request(
    surface: SurfaceName,
    path: string,
    cookie?: string,
    init?: RequestInit,
  ): Promise<Response>;
  /** Returns the number of requests to the bank by operation since the last call. */
  bankRequests(): Record<string, number>;
}

export const ADMIN = "admin@example.org";
export const BOARD = "board@example.org";
export const STRANGER = "stranger@example.org";

/**
 * Creates a site with a bank. It uses the sandbox's tokens unless `env` sets others.
 *
 * @param shared the bank and the clock of another site, to share them
 */
export async function createBankSite(
  env: Record<string, string> = {},
  shared: { bank?: BankSandbox; time?: { now: number }; options?: BankSandboxOptions } = {},
  overrides: SiteOverrides = {},
): Promise<BankSite> {
  const time = shared.time ?? { now: Date.parse("2026-03-01T20:00:00.000Z") };
  const clock = () => time.now;
  const bank = shared.bank ?? startBankSandbox({ clock, ...shared.options });
  const site = await createSite({
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
    OPS_L1_EMAILS: ADMIN,
    OPS_L2_EMAILS: BOARD,
    ...env,
  }, { clock, pause: () => Promise.resolve(), ...overrides });
  const cookies = new Map<string, string>();
  async function signIn(email: string, surface: SurfaceName): Promise<string> {
    const { auth } = site.services;
    const { token } = await auth.issueLink({ email: normaliseEmail(email)!, surface });
    const { sessionId } = (await auth.verify(token, surface))!;
    const cookie = `app_session=${sessionId}`;
    cookies.set(`${surface} ${email}`, cookie);
    return cookie;
  }
  return {
    site,
    bank,
    time,
    signIn: async (email, surface = "commercial-console") =>
      cookies.get(`${surface} ${email}`) ?? await signIn(email, surface),
    request(surface, path, cookie, init = {}) {
      const headers = new Headers(init.headers);
      if (cookie !== undefined) headers.set("cookie", cookie);
      return site.request(surface, path, { ...init, headers });
    },
    bankRequests() {
      const counts: Record<string, number> = {};
      for (const { operation = "unknown" } of bank.requests.splice(0)) {
        counts[operation] = (counts[operation] ?? 0) + 1;
      }
      return counts;
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      if (shared.bank === undefined) await bank.stop();
    },
  };
}
