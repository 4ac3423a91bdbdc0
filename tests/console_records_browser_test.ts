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

test("a record is found by its name, opened, and deleted with the digits of its hash", {
  context: { viewport: { width: 1280, height: 800 } },
}, async (page, _context, t) => {
  await using fixture = await recordsSite();
  // The charts have their own tests, in both schemes.
  const assertFits = async (check = axeViolationsInBothSchemes) => {
    await page.locator("details:not(.console-menu)").evaluateAll((all) =>
      all.forEach((details) => (details as HTMLDetailsElement).open = true)
    );
    assertEquals(await check(page), []);
    for (const width of [320, 375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await becomes(() => sidewaysScroll(page), 0);
    }
  };
  await t.step("the charts pass axe-core and fit 1280, 375 and 320 px", async () => {
    assertEquals(await fixture.open(page, CONSOLE, PATH, BOARD), 200);
    await assertFits(axeViolations);
  });
  await t.step("so does the list", async () => {
    assertEquals(await fixture.open(page, CONSOLE, PATH), 200);
    await assertFits();
  });
  await t.step("a record is found by its name", async () => {
    await page.getByLabel("Name, organisation, email or hash").fill("ada");
    await page.keyboard.press("Enter");
    await page.getByText("1 record on this page").waitFor();
    assert(!page.url().includes("ada"));
    await page.getByRole("link", { name: "Ada Example" }).click();
  });
  await t.step("the link to its deletion keeps the summary in view", async () => {
    await page.getByRole("link", { name: "Deletion" }).click();
    const summary = page.getByRole("complementary", { name: "Summary" });
    const places = () =>
      summary.evaluate((element) => [scrollY > 0, element.getBoundingClientRect().y >= 0]);
    await becomes(places, [true, true]);
  });
  await t.step("it is deleted with the digits of its hash, and its page fits too", async () => {
    const digits = page.getByLabel("Enter the first eight digits");
    await page.getByText("Delete this record").click();
    await digits.waitFor();
    await assertFits();
    await digits.fill(fixture.hash.slice(0, 8));
    await page.getByRole("button", { name: "Delete the record" }).click();
    await page.getByRole("status").getByText("is deleted").waitFor();
    await page.getByText("No records yet").waitFor();
  });
});
