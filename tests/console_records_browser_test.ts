import { assert, assertEquals } from "@std/assert";
import { BOARD, serveBankSite } from "./bank_site.ts";
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

const CONSOLE = "commercial-console";
const PATH = "/console/records";

/** Registers one person with a long name and organisation. */
async function recordsSite() {
  const fixture = await serveBankSite({ CONTACT_CLIENT_LIMIT: "0" });
  const response = await fixture.site.request("api", "/api/ir/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "Ada Example",
      organisation: "Unbroken".repeat(12),
      email: "ada@mail.example.org",
      enquiry_type: "Enterprise Partner",
      message: "Unbroken".repeat(60),
      elapsed_ms: 8_000,
    }),
  });
  const { hash } = await response.json() as { hash: string };
  return { ...fixture, hash };
}

test(
  "the list, the charts and a record pass axe-core and fit 1280, 375 and 320 px",
  {},
  async (page) => {
    await using fixture = await recordsSite();
    const states: [path: string, email?: string][] = [
      [PATH],
      [PATH, BOARD],
      [`${PATH}/${fixture.hash}`],
    ];
    for (const [path, email] of states) {
      await page.setViewportSize({ width: 1280, height: 800 });
      assertEquals(await fixture.open(page, CONSOLE, path, email), 200);
      await page.locator("details:not(.console-menu)").evaluateAll((all) =>
        all.forEach((details) => (details as HTMLDetailsElement).open = true)
      );
      // The charts have their own tests, in both schemes.
      const check = email === BOARD ? axeViolations : axeViolationsInBothSchemes;
      assertEquals(await check(page), []);
      for (const width of [1280, 375, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await becomes(() => sidewaysScroll(page), 0);
      }
    }
  },
);

test(
  "a record is found by its name, opened, and deleted with the digits of its hash",
  {},
  async (page) => {
    await using fixture = await recordsSite();
    await fixture.open(page, CONSOLE, PATH);
    await page.getByLabel("Name, organisation, email or hash").fill("ada");
    await page.keyboard.press("Enter");
    await page.getByText("1 record found").waitFor();
    assert(!page.url().includes("ada"));
    await page.getByRole("link", { name: "Ada Example" }).click();
    await page.getByRole("link", { name: "Deletion" }).click();
    const summary = page.getByRole("complementary", { name: "Summary" });
    await becomes(async () => Math.round((await summary.boundingBox())!.y) >= 0, true);
    await page.getByText("Delete this record").click();
    await page.getByLabel("Enter the first eight digits").fill(fixture.hash.slice(0, 8));
    await page.getByRole("button", { name: "Delete the record" }).click();
    await page.getByRole("status").getByText("was deleted").waitFor();
    await page.getByText("No records yet").waitFor();
  },
);
