import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { mcpTools } from "../lib/features/mcp/mod.ts";
import {
  CLIPBOARD,
  copyButtonsOf,
  dialogOf,
  HEADINGS,
  type MarketingSite,
  NARROW,
  openDialog,
  readClipboard,
  SITES,
} from "./badge_page.ts";
import { axeViolationsInBothSchemes, becomes } from "./browser.ts";
import { assertNoLayoutShift, reloadWithFonts } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ MCP_RATE_LIMIT: "0" });
const test = withoutMotion(browser);

const INFO = { name: "badge-test", version: "1.0.0" };
const connectPage = (surface: MarketingSite) => site.services.surfaces.url(surface, "/connect")!;

test("the dialog's copy buttons", {
  context: { permissions: CLIPBOARD, viewport: NARROW },
}, async (page, _context, t) => {
  await page.clock.install();
  await openDialog(page, site);

  await t.step("'✓ Copied' is shown for two seconds and announced to screen readers", async () => {
    const button = copyButtonsOf(page).first();
    const status = dialogOf(page).getByRole("status").first();
    assertEquals(await status.textContent(), "");
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await button.click();
    await button.filter({ hasText: "✓" }).waitFor();
    assertEquals(await button.textContent(), "✓ Copied");
    assertEquals(await status.textContent(), "Copied to the clipboard.");
    assertEquals(await copyButtonsOf(page).nth(1).textContent(), "📋 Copy");
    // The two seconds start in the next frame, when Preact runs the effect.
    await page.clock.runFor(50);
    await page.clock.runFor(1900);
    assertEquals(await button.textContent(), "✓ Copied");
    await page.clock.runFor(100);
    assertEquals(await button.textContent(), "📋 Copy");
    assertEquals(await status.textContent(), "");

    // A second copy restarts the two seconds.
    await button.click();
    await button.filter({ hasText: "✓" }).waitFor();
    await page.clock.runFor(1500);
    const text = await readClipboard(page);
    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await button.click();
    await becomes(() => readClipboard(page), text);
    await page.clock.runFor(1500);
    assertEquals(await button.textContent(), "✓ Copied");
    await page.clock.runFor(600);
    assertEquals(await button.textContent(), "📋 Copy");
  });

  await t.step("a blocked clipboard selects the text and shows a message", async () => {
    await page.clock.resume();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
    });
    await copyButtonsOf(page).nth(1).click();
    const status = dialogOf(page).getByRole("status").filter({ hasText: "The text is selected" });
    await status.waitFor();
    assert((await status.boundingBox())!.height > 10, "it is visible");
    assertEquals(
      await page.evaluate(() => String(getSelection())),
      await dialogOf(page).locator("pre").nth(1).textContent(),
    );
    assertEquals(await copyButtonsOf(page).nth(1).textContent(), "📋 Copy");
  });
});

/**
 * Returns by how many pixels the dialog, or else the page, is wider than the screen, or a text wider than
 * its box, which cuts it off.
 */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector("dialog") ?? document.documentElement;
    const widths = [frame, ...frame.querySelectorAll("pre")].map((one) =>
      one.scrollWidth - one.clientWidth
    );
    return Math.max(...widths);
  });

async function assertAccessible(page: Page, part: string) {
  assertEquals(await axeViolationsInBothSchemes(page), [], part);
  assertEquals(await overflow(page), 0, part);
}

async function assertStartsWithTexts(page: Page) {
  const small = page.viewportSize()!;
  for (const width of [760, 375]) {
    await page.setViewportSize({ width, height: 900 });
    const ends = await dialogOf(page).evaluate((dialog) => {
      const top = dialog.getBoundingClientRect().top;
      return [...dialog.querySelectorAll(".connect-url, pre")]
        .map((element) => element.getBoundingClientRect().bottom - top);
    });
    assertEquals(ends.length, 3);
    assert(ends.every((end) => end <= 600), `${width} px: ${ends}`);
  }
  await page.setViewportSize(small);
}

/** Opens /connect and asserts it of the first button. */
async function assertCopyButtons(page: Page, surface: MarketingSite) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(connectPage(surface));
  await reloadWithFonts(page);
  await page.locator("main .copy").first().click();
  await page.waitForFunction(() => document.querySelector(".copy")!.textContent === "✓ Copied");
  assertEquals(await readClipboard(page), await page.locator("main pre").first().innerText());
  await assertNoLayoutShift(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
}

for (const surface of SITES) {
  test(
    `${surface}: the dialog is complete and fits in 320 px, and its copied texts connect real clients`,
    {
      context: { permissions: CLIPBOARD, viewport: { width: 320, height: 640 } },
    },
    async (page, _context, t) => {
      await openDialog(page, site, surface);
      await assertAccessible(page, "dialog");
      await t.step("its first view leads to the texts", async () => {
        const heading = dialogOf(page).getByRole("heading", { name: "Connect your agent" });
        await dialogOf(page).getByRole("link", { name: "Connect your agent" }).click();
        assert(await heading.evaluate((element) => element === document.activeElement));
      });
      await t.step(
        "the URL and both texts are within its first 600 px at 760 and 375 px",
        () => assertStartsWithTexts(page),
      );
      const dialog = dialogOf(page);
      const manifest = site.services.manifests[surface];
      const organisation = site.services.config.organisations[surface];
      assertEquals(await dialog.getByRole("heading").allTextContents(), HEADINGS);
      const text = await dialog.innerText();
      for (
        const part of [
          organisation.name,
          organisation.description,
          organisation.codeHostUrl,
          manifest.endpoint,
          "auto-discover MCP servers yet",
          "Linux Foundation",
        ]
      ) assert(text.includes(part), part);
      assertEquals(await dialog.locator(".works-with a, .works-with img").count(), 0);

      const copied: string[] = [];
      for (const i of [0, 1]) {
        await copyButtonsOf(page).nth(i).click();
        await page.waitForFunction(
          (i) => document.querySelectorAll("dialog .copy")[i].textContent === "✓ Copied",
          i,
        );
        copied.push(await readClipboard(page));
      }
      const [command, json] = copied;
      const [name, url] = /^claude mcp add --transport http (\S+) (\S+)$/.exec(command)!.slice(1);
      assertEquals(JSON.parse(json), { mcpServers: { [name]: { type: "streamable-http", url } } });

      const fetch = createLocalFetch();
      const v1 = new ClientV1(INFO);
      await v1.connect(new TransportV1(new URL(url), { fetch }));
      const v2 = new ClientV2(INFO);
      await v2.connect(new TransportV2(new URL(JSON.parse(json).mcpServers[name].url), { fetch }));
      for (const client of [v1, v2]) {
        assertEquals(client.getServerVersion()?.name, name);
        assertEquals((await client.listTools()).tools.length, mcpTools.length);
        await client.close();
      }

      await t.step(
        "the copy buttons of /connect appear without a layout shift, and copy",
        () => assertCopyButtons(page, surface),
      );
      await assertAccessible(page, "/connect");
    },
  );
}

test("without scripts, the badge is a link to a page with the same content", {
  context: { javaScriptEnabled: false, viewport: NARROW },
}, async (page) => {
  await page.goto(site.services.surfaces.url("commercial", "/")!);
  await page.getByRole("link", { name: "MCP Enabled ↓", exact: true }).click();
  await page.waitForURL(connectPage("commercial"));
  const main = page.locator("main");
  const headings = await main.getByRole("heading", { level: 2 }).allTextContents();
  assertEquals(headings, HEADINGS);
  assertEquals(await main.getByRole("button").count(), 0);
  const texts = main.locator("pre:visible");
  assertMatch(await texts.first().innerText(), /^claude mcp add/);
  assertMatch(await texts.nth(1).innerText(), /"mcpServers"/);
  await main.getByRole("link", { name: "Steps for your client" }).click();
  await page.waitForURL(site.services.surfaces.url("commercial-mcp", "/#clients")!);
  await page.getByText("VS Code", { exact: true }).click();
  assertMatch(await page.locator("#clients + div pre:visible").first().innerText(), /"servers"/);
});
