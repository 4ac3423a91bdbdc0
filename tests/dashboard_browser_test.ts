import { assert, assertEquals } from "@std/assert";
import { heldTimers } from "../lib/testing/held_timers.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { until } from "../lib/testing/until.ts";
import { BOARD, serveBankSite } from "./bank_site.ts";
import { becomes, testBrowser } from "./browser.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const COMMERCIAL = "commercial-console";

test(
  "the dashboard, the report and the charts with a slow, a working and a failing bank",
  { expectedErrors: [/status of 502 .*\?chart=/] },
  async (page, _context, t) => {
    await t.step("figures that a slow bank has not sent appear without a reload", async () => {
      const patience = heldTimers();
      await using fixture = await serveBankSite({}, {}, { schedule: patience.schedule });
      const { bank } = fixture;
      const sending = new AbortController();
      const slow = { response: "slow", operation: "transactions", delayMs: HANG_MS } as const;
      bank.set({ ...slow, until: sending.signal });
      const opening = fixture.open(page, COMMERCIAL, "/console");
      const isAsked = () => bank.requests.some(({ operation }) => operation === slow.operation);
      await until(isAsked, "the page waits for the transactions");
      patience.end();
      await opening;
      await page.getByText("Its figures appear here").waitFor();
      assertEquals(await page.locator(".dash-latest").count(), 0);
      const link = page.getByRole("link", { name: "View Details" });
      await link.focus();
      sending.abort();
      await page.locator(".dash-latest").waitFor();
      assert(await link.evaluate((element) => element === document.activeElement));
      assertEquals(new URL(page.url()).search, "");
    });
    await t.step(
      "the report fills one A4 page, even while the bank fails, and the dashboard draws its chart",
      async () => {
        await using fixture = await serveBankSite();
        const pages = async () => {
          const pdf = await page.pdf({ preferCSSPageSize: true });
          const text = new TextDecoder("latin1").decode(pdf);
          const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)!;
          assertEquals([Math.round(Number(width)), Math.round(Number(height))], [595, 842]);
          return text.match(/\/Type\s*\/Page\b/g)!.length;
        };
        await fixture.site.services.jobs.run("bank-sums");
        await fixture.open(page, COMMERCIAL, "/console", BOARD);
        const plot = page.getByRole("figure", { name: "Balance of all active accounts" });
        await plot.locator("canvas").waitFor();
        assertEquals(await plot.getByRole("radio").count(), 0);

        await page.getByRole("link", { name: "Printable report" }).click();
        await page.getByRole("heading", { name: "Treasury report" }).waitFor();
        assertEquals(await pages(), 1);
        await page.emulateMedia({ media: "print" });
        assert(await page.locator(".printed-trend").isVisible());
        assert(!await page.getByRole("navigation").first().isVisible());

        fixture.time.now += 10 * 60_000;
        fixture.bank.set({ response: 500, operation: "transactions" });
        await fixture.open(page, COMMERCIAL, "/console/report");
        assertEquals(await pages(), 1);
        await fixture.open(page, COMMERCIAL, "/console/report");
        assertEquals(await pages(), 1);
      },
    );
    await t.step("a chart that the bank did not send can be requested again", async () => {
      await using fixture = await serveBankSite();
      await page.emulateMedia({ media: null });
      fixture.bank.set({ response: 500, operation: "transactions" });
      await fixture.open(page, COMMERCIAL, "/console/finance");
      const figure = page.getByRole("figure", { name: "Daily flow of all active accounts" });
      await figure.getByText("Unable to load chart data").waitFor();
      fixture.bank.set(null);
      await figure.getByRole("button", { name: "Try again" }).click();
      await figure.locator("canvas").waitFor();
      const balance = page.getByRole("figure", { name: "Balance of all active accounts" });
      await balance.getByRole("button", { name: "Try again" }).click();
      await balance.locator("canvas").waitFor();
      assertEquals(await page.locator(".chart-pills").count(), 1);
      await balance.locator(".chart-pill").filter({ hasText: "90D" }).click();
      await becomes(() => figure.locator("tbody tr").count(), 90);
      await figure.getByRole("switch", { name: "Cumulative" }).check();
      assert((await figure.locator("caption").textContent())!.endsWith("cumulative"));
    });
  },
);
