/** A site with a stand-in bank for tests of the finance pages. */
import type { Page } from "playwright-core";
import { normaliseEmail } from "../lib/base/email.ts";
import { never } from "../lib/testing/held_timers.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { type BankSandbox, type BankSandboxOptions, startBankSandbox } from "../sandbox/bank.ts";
import type { BankFault } from "../sandbox/bank_responses.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

export const ADMIN = "admin@example.org";
export const BOARD = "board@example.org";
export const STRANGER = "stranger@example.org";

/** A site with its own bank, both on the same clock. */
export interface BankSite extends AsyncDisposable {
  site: Site;
  bank: BankSandbox;
  /** The time of the site and the bank, in milliseconds since 1970. */
  time: { now: number };
  /** Signs an address in on its first use, and returns its cookie. */
  signIn(email: string, surface: SurfaceName): Promise<string>;
  /** Sends a request to a surface, signed in as an address, or not signed in if it is null. */
  request(
    surface: SurfaceName,
    path: string,
    email: string | null,
    init?: RequestInit,
  ): Promise<Response>;
  /** Returns the number of requests to the bank by operation since the last call. */
  bankRequests(): Record<string, number>;
  withFault(fault: BankFault, run: () => Promise<void>): Promise<void>;
}

interface SharedBank {
  /** The bank of another site in the same test, to share with this one. */
  bank?: BankSandbox;
  options?: BankSandboxOptions;
}

/**
 * Creates a site with a bank. It uses the sandbox's tokens unless `env` sets others. Pages wait for the
 * bank however long it takes, unless the test replaces `schedule`.
 */
export async function createBankSite(
  env: Record<string, string> = {},
  shared: SharedBank = {},
  overrides: SiteOverrides = {},
): Promise<BankSite> {
  const time = { now: Date.parse("2026-03-01T20:00:00.000Z") };
  const clock = () => time.now;
  const bank = shared.bank ?? startBankSandbox({ clock, ...shared.options });
  const site = await createSite({
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
    OPS_L1_EMAILS: ADMIN,
    OPS_L2_EMAILS: BOARD,
    ...env,
  }, {
    clock,
    pause: () => Promise.resolve(),
    schedule: never,
    bankTimeoutMs: HANG_MS,
    ...overrides,
  });
  const cookies = new Map<string, string>();
  async function signIn(email: string, surface: SurfaceName): Promise<string> {
    const key = `${surface} ${email}`;
    const known = cookies.get(key);
    if (known !== undefined) return known;
    const { auth } = site.services;
    const { token } = await auth.issueLink({ email: normaliseEmail(email)!, surface });
    const { sessionId } = (await auth.verify(token, surface))!;
    const cookie = `app_session=${sessionId}`;
    cookies.set(key, cookie);
    return cookie;
  }
  return {
    site,
    bank,
    time,
    signIn,
    async request(surface, path, email, init = {}) {
      const headers = new Headers(init.headers);
      if (email !== null) headers.set("cookie", await signIn(email, surface));
      return await site.request(surface, path, { ...init, headers });
    },
    bankRequests() {
      const counts: Record<string, number> = {};
      for (const { operation = "unknown" } of bank.requests.splice(0)) {
        counts[operation] = (counts[operation] ?? 0) + 1;
      }
      return counts;
    },
    async withFault(fault, run) {
      bank.set(fault);
      try {
        await run();
      } finally {
        bank.set(null);
      }
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      if (shared.bank === undefined) await bank.stop();
    },
  };
}

/** A bank site on a port, for browser tests. */
export interface ServedBankSite extends BankSite {
  /** Opens a page as a signed-in user, by default an administrator. */
  open(page: Page, surface: SurfaceName, path: string, email?: string): Promise<number>;
}

export async function serveBankSite(
  ...[env, shared, overrides]: Parameters<typeof createBankSite>
): Promise<ServedBankSite> {
  const fixture = await serveOnFreePort((port) =>
    createBankSite({ ...port, ...env }, shared, overrides)
  );
  return {
    ...fixture,
    async open(page, surface, path, email = ADMIN) {
      const url = fixture.site.services.surfaces.url(surface, path)!;
      const [name, value] = (await fixture.signIn(email, surface)).split("=");
      await page.context().addCookies([{ name, value, url: new URL(url).origin, httpOnly: true }]);
      return (await page.goto(url))!.status();
    },
  };
}
