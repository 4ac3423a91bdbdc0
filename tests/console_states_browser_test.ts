import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { MINUTE_MS } from "../lib/time.ts";
import type { BankFault } from "../sandbox/bank.ts";
import { createBank, FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { BOARD, type createBankSite, serveBankSite, type ServedBankSite } from "./bank_site.ts";
import {
  axeViolations,
  axeViolationsInBothSchemes,
  becomes,
  sidewaysScroll,
  testBrowser,
} from "./browser.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const FOUNDATION = "foundation-console";
const COMMERCIAL = "commercial-console";
const FINANCE = "/console/finance";
const ACCOUNT = `/console/finance/${createBank("commercial", 0).accounts[0].id}`;
/** Fewer rows than by default, because axe-core's time depends on them. */
const FEW_ROWS = `${ACCOUNT}?limit=25`;
/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

/** States of one site, ordered by surface, because a browser starts a process for another one. */
interface Group {
  name: string;
  /** Arguments of {@link serveBankSite}. */
  site?: Parameters<typeof createBankSite>;
  /** Starts 20 minutes after the figures were cached. */
  fault?: BankFault;
  states: State[];
}

/** A page in one state. */
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
}

/** Names without spaces that are wider than any screen. */
const LONG_NAMES: Group["site"] = [{}, {}, {
  async fetch(...request) {
    const text = await (await fetch(...request)).text();
    return new Response(text.replaceAll(/Attest Systems Inc|Operating/g, "Unbroken".repeat(30)));
  },
}];
const LONG_ADDRESS = `${"someone-with-a-long-address".repeat(2)}@long.example.org`;

/** The groups of each test. Those of one test share a page, whose process is then started once. */
const TESTS: Record<string, Group[]> = {
  "pages with the bank": [
    {
      name: "pages with the bank",
      states: [
        { name: "L1's dashboard", surface: FOUNDATION, path: "/console" },
        { name: "the foundation's finance page", surface: FOUNDATION, path: FINANCE },
        {
          name: "the 403 page",
          surface: FOUNDATION,
          path: "/console",
          email: LONG_ADDRESS,
          status: 403,
        },
        { name: "L1's dashboard with money", surface: COMMERCIAL, path: "/console", wide: true },
        { name: "L2's dashboard", surface: COMMERCIAL, path: "/console", email: BOARD },
        { name: "the report", surface: COMMERCIAL, path: "/console/report", email: BOARD },
        { name: "the commercial finance page", surface: COMMERCIAL, path: FINANCE, wide: true },
        { name: "an account", surface: COMMERCIAL, path: FEW_ROWS, wide: true },
        {
          name: "an account with invalid filters",
          surface: COMMERCIAL,
          path: `${ACCOUNT}?start=x&limit=0`,
          status: 400,
        },
        {
          name: "an account with an inverted range",
          surface: COMMERCIAL,
          path: `${ACCOUNT}?start=2026-02-02&end=2026-02-01`,
          status: 400,
          sizeOnly: true,
        },
        {
          name: "an account on an empty page",
          surface: COMMERCIAL,
          path: `${ACCOUNT}?offset=90000`,
        },
        { name: "the registry", surface: COMMERCIAL, path: "/console/surfaces", wide: true },
        { name: "the infrastructure map", surface: COMMERCIAL, path: "/console/infra" },
        { name: "the 404 page", surface: COMMERCIAL, path: "/console/nowhere", status: 404 },
      ],
    },
  ],
  "pages with other settings and long names": [
    {
      name: "the split",
      site: [{ FOUNDATION_ACCOUNT_ID }],
      states: [{ name: "the finance page", surface: FOUNDATION, path: FINANCE }],
    },
    {
      name: "pending API access and no token",
      site: [{
        FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
        COMMERCIAL_BANK_API_TOKEN: "",
      }],
      states: [
        { name: "a pending finance page", surface: FOUNDATION, path: FINANCE },
        { name: "a pending dashboard", surface: FOUNDATION, path: "/console" },
        { name: "no token", surface: COMMERCIAL, path: FINANCE },
        { name: "a dashboard without a bank", surface: COMMERCIAL, path: "/console" },
      ],
    },
    {
      name: "a wrong token",
      site: [{ COMMERCIAL_BANK_API_TOKEN: "secret-token:wrong" }],
      states: [{ name: "the finance page", surface: COMMERCIAL, path: FINANCE }],
    },
    {
      name: "long names",
      site: LONG_NAMES,
      states: [
        { name: "a dashboard", surface: COMMERCIAL, path: "/console", sizeOnly: true },
        { name: "a finance page", surface: COMMERCIAL, path: FINANCE, sizeOnly: true },
        { name: "an account", surface: COMMERCIAL, path: FEW_ROWS, sizeOnly: true },
      ],
    },
  ],
  "pages without the bank": [
    {
      name: "pages without the bank",
      fault: { response: 500 },
      states: [
        { name: "a dashboard", surface: COMMERCIAL, path: "/console" },
        { name: "a finance page", surface: COMMERCIAL, path: FINANCE },
        { name: "an account", surface: COMMERCIAL, path: ACCOUNT, status: 502 },
      ],
    },
  ],
};

/** Asserts that the widest part of the page ends near the right edge of a screen of 1920 px. */
async function assertUsesWidth(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 800 });
  const right = await page.locator("main :is(.card, table)").evaluateAll((elements) =>
    Math.max(...elements.map((element) => element.getBoundingClientRect().right))
  );
  assert(right >= 1840 && right <= 1920, `${right} px`);
}

for (const [title, groups] of Object.entries(TESTS)) {
  const statuses = groups.flatMap(({ states }) => states.map(({ status = 200 }) => status));
  const errors = statuses.filter((status) => status !== 200);
  test(`${title} pass axe-core and fit 1280, 375 and 320 px`, {
    expectedErrors: errors.map((status) => new RegExp(`status of ${status}`)),
  }, async (page, _context, t) => {
    for (const { name, site, fault, states } of groups) {
      await using fixture = await serveBankSite(...site ?? []);
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
}

async function assertState(
  page: Page,
  fixture: ServedBankSite,
  { surface, path, email, status = 200, sizeOnly, wide }: State,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  assertEquals(await fixture.open(page, surface, path, email), status);
  // It leaves the other scheme on, in which the next state then opens.
  if (!sizeOnly) assertEquals(await axeViolationsInBothSchemes(page), []);
  // The chart adapts to the width of the window after a delay.
  await becomes(() => sidewaysScroll(page), 0);
  if (wide) await assertUsesWidth(page);
  for (const width of [375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await becomes(() => sidewaysScroll(page), 0);
    if (width === 375) {
      assertEquals(await axeViolations(page, { runOnly: LAYOUT_RULES }), []);
    }
  }
}
