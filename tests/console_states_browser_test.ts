import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { addPayment } from "./add_payment.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import type { BankFault } from "../sandbox/bank_responses.ts";
import { createBank, FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import {
  ADMIN,
  BOARD,
  type createBankSite,
  serveBankSite,
  type ServedBankSite,
} from "./bank_site.ts";
import { testBrowser } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { issuerRows } from "../lib/features/issuers/mod.ts";
import { newIssuer } from "../lib/features/issuers/rows.ts";
import { createPng } from "../lib/features/issuers/testing/images.ts";
import type { Services } from "../lib/app/services.ts";
import { assertAccessible } from "./page_checks.ts";
import { showMain } from "./show_main.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const FOUNDATION = "foundation-console";
const COMMERCIAL = "commercial-console";
const FINANCE = "/console/finance";
const ACCOUNT = `/console/finance/${createBank("commercial", 0).accounts[0].id}`;
/** Fewer rows than by default, because axe-core's time depends on them. */
const FEW_ROWS = `${ACCOUNT}?limit=10`;

/**
 * States of one site. They and the groups are ordered by surface, because the browser starts a process
 * for another surface.
 */
interface Group {
  name: string;
  /** Arguments of {@link serveBankSite}. */
  site?: Parameters<typeof createBankSite>;
  /** Starts 20 minutes after the figures were cached. */
  fault?: BankFault;
  prepare?: (fixture: ServedBankSite) => Promise<void>;
  states: State[];
}

interface State {
  name: string;
  surface: SurfaceName;
  path: string;
  email?: string;
  status?: number;
  /** The markup is that of another state, so that only its size can be wrong. */
  sizeOnly?: boolean;
  /** The page must also use the width of a screen of 1920 px. */
  wide?: boolean;
  /** Only the main element is shown, in the page of the state before it: no script changes it. */
  still?: boolean;
  /** The page must also print light. */
  prints?: boolean;
  /** The page hides columns or labels at 375 px, so its contrast is checked at 1280 px only. */
  folds?: boolean;
}

/** Names without spaces that are wider than any screen. */
const LONG_NAMES: Group["site"] = [{}, {}, {
  async fetch(...request) {
    const text = await (await fetch(...request)).text();
    return new Response(text.replaceAll(/Attest Systems Inc|Operating/g, "Unbroken".repeat(30)));
  },
}];
const LONG_ADDRESS = `${"someone-with-a-long-address".repeat(2)}@long.example.org`;

/** Adds an issuer with a wide logo, and a long domain that was not found. */
async function addIssuer({ kv, issuers, issuerDomains }: Services, now: number): Promise<void> {
  const issuer = { organisation: "commercial", id: "college" } as const;
  const change = { ...issuer, by: BOARD };
  const commit = kv.atomic();
  issuerRows.set(commit, newIssuer({ ...issuer, name: "Unbroken".repeat(15) }, now));
  await commit.commit();
  await issuers.setLogo({ ...change, bytes: createPng(2000, 100) });
  await issuerDomains.set({ ...change, domain: `unverified.${"unbroken".repeat(6)}.example` });
  await issuerDomains.check(change);
}

const GROUPS: Group[] = [
  {
    name: "pages without the bank",
    fault: { response: 401 }, // it has a longer message than other responses
    states: [
      { name: "a dashboard", surface: COMMERCIAL, path: "/console" },
      { name: "a finance page", surface: COMMERCIAL, path: FINANCE },
      { name: "an account", surface: COMMERCIAL, path: ACCOUNT, status: 502, still: true },
    ],
  },
  {
    name: "pending API access and no token",
    site: [{
      FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
      COMMERCIAL_BANK_API_TOKEN: "",
    }],
    states: [
      { name: "no token", surface: COMMERCIAL, path: FINANCE },
      { name: "a dashboard without a bank", surface: COMMERCIAL, path: "/console", still: true },
      { name: "a pending finance page", surface: FOUNDATION, path: FINANCE },
      { name: "a pending dashboard", surface: FOUNDATION, path: "/console", still: true },
    ],
  },
  {
    name: "the split",
    site: [{ FOUNDATION_ACCOUNT_ID }],
    states: [{ name: "the finance page", surface: FOUNDATION, path: FINANCE, sizeOnly: true }],
  },
  {
    name: "long names",
    site: LONG_NAMES,
    async prepare({ site: { services }, time }) {
      await addPayment(services.kv, "commercial", time.now);
      await services.jobs.run("health");
      await addIssuer(services, time.now);
    },
    states: [
      { name: "L1's dashboard", surface: FOUNDATION, path: "/console", folds: true },
      { name: "the foundation's finance page", surface: FOUNDATION, path: FINANCE },
      {
        name: "the 403 page",
        surface: FOUNDATION,
        path: "/console",
        email: LONG_ADDRESS,
        status: 403,
      },
      {
        name: "L1's dashboard with money",
        surface: COMMERCIAL,
        path: "/console",
        wide: true,
        folds: true,
        prints: true,
      },
      { name: "L2's dashboard", surface: COMMERCIAL, path: "/console", email: BOARD },
      {
        name: "the report",
        surface: COMMERCIAL,
        path: "/console/report",
        email: BOARD,
        folds: true,
        still: true,
      },
      { name: "money out", surface: COMMERCIAL, path: `${FINANCE}/flow?start=2026-02-26` },
      {
        name: "the commercial finance page",
        surface: COMMERCIAL,
        path: FINANCE,
        wide: true,
        prints: true,
      },
      { name: "an account", surface: COMMERCIAL, path: FEW_ROWS, wide: true, folds: true },
      {
        name: "an account with an inverted range and another invalid filter",
        surface: COMMERCIAL,
        path: `${ACCOUNT}?start=2026-02-02&end=2026-02-01&limit=0`,
        status: 400,
        still: true,
      },
      {
        name: "an account on an empty page",
        surface: COMMERCIAL,
        path: `${ACCOUNT}?offset=90000`,
        still: true,
      },
      {
        name: "the registry",
        surface: COMMERCIAL,
        path: "/console/surfaces",
        wide: true,
        prints: true,
      },
      {
        name: "the infrastructure map with the last readings",
        surface: COMMERCIAL,
        path: "/console/infra",
        folds: true,
      },
      { name: "an issuer", surface: COMMERCIAL, path: "/console/issuers/college", still: true },
      {
        name: "the settings of an issuer",
        surface: COMMERCIAL,
        path: "/console/issuers/college/settings",
        still: true,
      },
      {
        name: "a form with a file",
        surface: COMMERCIAL,
        path: "/console/issuers/college/batches/new",
      },
      { name: "the team", surface: COMMERCIAL, path: "/console/team", still: true },
      { name: "the limits", surface: COMMERCIAL, path: "/console/finance/limits", still: true },
      { name: "a payment", surface: COMMERCIAL, path: "/console/payments/pi_1", still: true },
      {
        name: "the 404 page",
        surface: COMMERCIAL,
        path: "/console/nowhere",
        status: 404,
        still: true,
      },
    ],
  },
];

/** Asserts that the widest part of the page ends near the right edge of a screen of 1920 px. */
async function assertUsesWidth(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 800 });
  const right = await page.locator("main :is(.card, table)").evaluateAll((elements) =>
    Math.max(...elements.map((element) => element.getBoundingClientRect().right))
  );
  assert(right >= 1840 && right <= 1920, `${right} px`);
}

test("pages pass axe-core and fit 1280, 375 and 320 px", {
  context: { viewport: { width: 1280, height: 800 } },
  expectedErrors: GROUPS.flatMap(({ states }) => states).filter(({ status }) => status).map(
    ({ path, status }) => new RegExp(`status of ${status} .*${RegExp.escape(path)}\\)$`),
  ),
}, async (page, _context, t) => {
  for (const { name, site, fault, prepare, states } of GROUPS) {
    await using fixture = await serveBankSite(...site ?? []);
    await prepare?.(fixture);
    if (fault !== undefined) {
      await fixture.site.services.treasuries.commercial.summary();
      fixture.time.now += 20 * MINUTE_MS;
      fixture.bank.set(fault);
    }
    for (const state of states) {
      await t.step(`${name}: ${state.name}`, () => assertState(page, fixture, state));
    }
  }
});

async function assertState(
  page: Page,
  fixture: ServedBankSite,
  { name, surface, path, email = ADMIN, status = 200, still, wide, prints, ...checks }: State,
): Promise<void> {
  if (still) await showMain(page, await fixture.request(surface, path, email), status);
  else assertEquals(await fixture.open(page, surface, path, email), status);
  await assertAccessible(page, name, checks);
  if (wide) await assertUsesWidth(page);
  if (path === "/console" && prints) await assertMenuAtTopRight(page, path);
  if (prints) await assertPrintsLight(page, path);
}
