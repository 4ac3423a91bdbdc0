import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { axeViolations, axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const home = site.services.surfaces.url("trust", "/")!;

test("the trust home page has no axe violations, and its field leads from a file to its page", {
  context: { viewport: { width: 320, height: 800 } },
}, async (page, context, t) => {
  await page.goto(home);

  await t.step("the scripts run after a reload that returns 304", async () => {
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    const statuses: number[] = [];
    cdp.on("Network.responseReceivedExtraInfo", ({ statusCode }) => statuses.push(statusCode));
    const nonce = () =>
      page.evaluate(() => document.querySelector<HTMLScriptElement>("script[nonce]")!.nonce);
    const first = await nonce();
    await page.reload();
    assertEquals([statuses[0], await nonce()], [304, first]);
    await becomes(() => page.getByLabel("Colours").isVisible(), true);
    await cdp.detach();
  });

  await t.step("it has no axe violations, and fits the screen and prints light", async () => {
    assertEquals(await axeViolationsInBothSchemes(page), []);
    for (const width of [320, 375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assertEquals(await sidewaysScroll(page), 0, `${width} px`);
    }
    await assertMenuAtTopRight(page, home);
    await assertPrintsLight(page, home);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 320, height: 800 });
  });

  await t.step("a file is hashed in the browser only, and leads to its check", async () => {
    const posted: string[] = [];
    page.on("request", (request) => posted.push(request.postData() ?? ""));
    const buffer = Buffer.from("A secret text.");
    const sha256 = createHash("sha256").update(buffer).digest("hex");
    await page.getByLabel("Or a file").setInputFiles({
      name: "a.txt",
      mimeType: "text/plain",
      buffer,
    });
    await page.waitForURL((url) => url.pathname === "/check");
    assertEquals(new URL(page.url()).search, `?sha256=${sha256}`);
    assertEquals(posted.filter((body) => body.includes("secret")), []);
  });

  await t.step(
    "a saved chain leads to the page that verifies the file, not to the publisher's chain",
    async () => {
      await page.goto(home);
      const hash = "ab".repeat(32);
      // Enough that the verdict above them is off the screen while the field is on it.
      const events = Array.from({ length: 40 }, (_, seq) => ({
        ...{ seq, kind: "email_confirmed", at: "2026-11-20T09:00:00.000Z", status: "ok" },
        ...{ prev: hash, hash },
      }));
      const saved = { hash, publisher: "trust.localhost:8000", head: null, keys: [], events };
      const buffer = Buffer.from(JSON.stringify(saved));
      const file = { name: "a.json", mimeType: "text/json", buffer };
      await page.getByLabel("Or a file").setInputFiles(file);
      await page.getByRole("link", { name: "Choose it on the page that verifies it" }).click();
      await page.waitForURL((url) =>
        url.pathname + url.search + url.hash === "/verify#saved-chain"
      );
      await page.getByLabel("A chain saved as JSON").setInputFiles(file);
      const verdict = page.locator(".chain-verifier h2").first();
      await becomes(async () => (await verdict.textContent())?.startsWith("Not verified"), true);
      const top = await verdict.evaluate(async (element) => {
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        return element.getBoundingClientRect().top;
      });
      assert(top >= 0 && top < 800, `the verdict is at ${top}`);
    },
  );
});

test("the sample chain on the foundation's home page fails where it is changed", {
  context: { viewport: { width: 320, height: 800 } },
}, async (page, _context, t) => {
  const heading = () => page.locator(".sample-heading").textContent();
  const states = () => page.locator(".sample-state").allTextContents();
  await page.goto(site.services.surfaces.url("foundation", "/")!);
  await becomes(heading, "Verified: 3 events");
  await t.step(
    "a changed byte in the sample chain fails at its event, and Restore verifies",
    async () => {
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
    },
  );

  await t.step("changed text fails at its event", async () => {
    const bytes = page.getByRole("textbox", { name: "Bytes of event 0" });
    await bytes.fill((await bytes.inputValue()).replace("hash_generated", "hash_invented"));
    await becomes(heading, "Not verified: event 0");
  });
});
