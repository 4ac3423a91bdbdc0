import { assertEquals } from "@std/assert";
import { axeViolations, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const home = site.services.surfaces.url("trust", "/")!;

test(
  "a changed or clicked byte in the sample chain fails at its event, recomputed hashes fail at the signature, and Restore verifies",
  {
    context: { viewport: { width: 320, height: 800 } },
  },
  async (page) => {
    await page.goto(home);
    const heading = () => page.locator(".sample-heading").textContent();
    const states = () => page.locator(".sample-state").allTextContents();
    await becomes(heading, "Verified: 3 events");
    assertEquals(await states(), ["verified", "verified", "verified", "verified"]);

    await page.getByRole("button", { name: "Change one byte" }).click();
    await becomes(heading, "Not verified: event 1");
    assertEquals(await states(), ["verified", "fails here", "not verified", "not verified"]);
    assertEquals(
      await page.locator(".sample-change").textContent(),
      "Changed at byte 23: 4 → 5",
    );
    assertEquals(await axeViolations(page), []);
    assertEquals(await sidewaysScroll(page), 0);

    await page.getByRole("button", { name: "Recompute the hashes" }).click();
    await becomes(heading, "Not verified: the signature");
    assertEquals(await states(), ["verified", "verified", "verified", "fails here"]);

    await page.getByRole("button", { name: "Restore" }).click();
    await becomes(heading, "Verified: 3 events");

    await page.locator(".sample-event").nth(2).locator("[data-index='2']").click();
    await becomes(heading, "Not verified: event 2");
    assertEquals(await page.locator(".sample-change").textContent(), "Changed at byte 3: a → b");
    await page.getByRole("button", { name: "Restore" }).click();

    const bytes = page.getByRole("textbox", { name: "Bytes of event 0" });
    await bytes.fill((await bytes.inputValue()).replace("hash_generated", "hash_invented"));
    await becomes(heading, "Not verified: event 0");
  },
);
