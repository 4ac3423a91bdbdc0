import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Locator, Page, Response as PageResponse } from "playwright-core";
import {
  badgeOf,
  CLIPBOARD,
  copyButtonsOf,
  dialogOf,
  fadeFinished,
  hasFocus,
  NARROW,
  openDialog,
  readClipboard,
  WIDE,
} from "./badge_page.ts";
import { becomes } from "./browser.ts";
import { assertPixels, PIXEL } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

const address = (surface: "foundation" | "commercial", path = "/") =>
  site.services.surfaces.url(surface, path)!;

/** Returns whether an element is entirely in view. */
const inView = (element: Locator) =>
  element.evaluate((element, tolerance) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= -tolerance && bottom <= innerHeight + tolerance;
  }, PIXEL);

async function pressTabUntil(page: Page, selector: string) {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, selector)) return;
  }
  throw new Error(`Tab never reached ${selector}`);
}

/** Opens the dialog again on the page that is open. */
async function reopen(page: Page) {
  await badgeOf(page).click();
  await dialogOf(page).waitFor();
}

for (const viewport of [WIDE, NARROW]) {
  test(
    `at ${viewport.width} px, the dialog opens, copies and closes by mouse and by keyboard`,
    { context: { viewport, permissions: CLIPBOARD } },
    async (page, _context, t) => {
      await page.addInitScript(() => {
        addEventListener("transitionrun", ({ target }) => {
          if ((target as Element).localName === "dialog") document.title = "moving";
        });
        addEventListener("close", () => document.documentElement.dataset.closed = "", true);
      });
      await openDialog(page, site);
      await t.step("with reduced motion, the badge doesn't pulse", async () => {
        assertEquals(await pulseOf(page), ["none", "1"]);
        const opacity = dialogOf(page).evaluate((dialog) => getComputedStyle(dialog).opacity);
        assertEquals(await opacity, "1");
      });
      await t.step("it is centred, dims the page and keeps it from scrolling", async () => {
        await fadeFinished(page);
        const box = (await dialogOf(page).boundingBox())!;
        const width = Math.min(640, viewport.width);
        assertPixels([box.width, box.x], [width, (viewport.width - width) / 2]);
        assert(box.y >= 0 && box.y + box.height <= viewport.height, "it fits on the screen");
        const backdrop = await dialogOf(page).evaluate((dialog) =>
          getComputedStyle(dialog, "::backdrop").backgroundColor
        );
        assertEquals(backdrop, "rgba(0, 0, 0, 0.7)");
        const radius = dialogOf(page).evaluate((dialog) =>
          parseFloat(getComputedStyle(dialog).borderTopLeftRadius)
        );
        assert(await radius >= 8, "it is a rounded card");

        await page.mouse.move(viewport.width / 2, viewport.height / 2);
        await page.evaluate(() => {
          let turns = 0;
          addEventListener(
            "wheel",
            () => document.documentElement.dataset.turns = String(++turns),
          );
        });
        await page.mouse.wheel(0, 20_000);
        await becomes(
          () =>
            dialogOf(page).evaluate((dialog) =>
              dialog.scrollTop > 0 &&
              dialog.scrollTop + dialog.clientHeight >= dialog.scrollHeight - 1
            ),
          true,
        );
        await page.mouse.wheel(0, 20_000);
        await becomes(() => page.evaluate(() => document.documentElement.dataset.turns), "2");
        await page.evaluate(() => new Promise(requestAnimationFrame));
        assertEquals(await page.evaluate(() => scrollY), 0);
        assert(await inView(dialogOf(page).getByText("has no role in governing it")));
        assert(await inView(dialogOf(page).getByRole("button", { name: "Close" })));
      });
      await t.step("both texts can be copied, and Escape closes it", async () => {
        const blocks = await dialogOf(page).locator("pre").allTextContents();
        assertEquals(blocks.length, 2);
        for (const [i, text] of blocks.entries()) {
          const button = copyButtonsOf(page).nth(i);
          assertEquals(await button.textContent(), "📋 Copy");
          await Promise.all([
            button.filter({ hasText: "✓ Copied" }).waitFor(), // for two seconds
            button.click(),
          ]);
          assertEquals(await readClipboard(page), text);
        }
        await page.keyboard.press("Escape");
        await dialogOf(page).waitFor({ state: "hidden" });
        assert(await hasFocus(page, ".mcp-badge"), "the focus returns");
      });
      await t.step("Enter and Space open it and copy", async () => {
        for (const key of ["Enter", "Space"]) {
          await page.locator("html[data-closed]").waitFor(); // the event, after which it is focused
          await page.evaluate(() => delete document.documentElement.dataset.closed);
          await page.keyboard.press("Shift+Tab");
          assert(!await hasFocus(page, ".mcp-badge"));
          await page.keyboard.press("Tab");
          assert(await hasFocus(page, ".mcp-badge"));
          await page.keyboard.press(key);
          await dialogOf(page).waitFor();
          assert(await hasFocus(page, "dialog"));
          await page.evaluate(() => navigator.clipboard.writeText("something else"));
          await pressTabUntil(page, ".copy");
          await Promise.all([
            page.waitForFunction(() => document.activeElement!.textContent === "✓ Copied"),
            page.keyboard.press(key),
          ]);
          const text = await dialogOf(page).locator("pre").first().innerText();
          await becomes(() => readClipboard(page), text);
          await page.keyboard.press("Escape");
          await dialogOf(page).waitFor({ state: "hidden" });
          assert(await hasFocus(page, ".mcp-badge"));
        }
      });
      if (viewport === NARROW) {
        await t.step("Tab and Shift+Tab cycle inside it", async () => {
          await reopen(page);
          await assertCycle(page);
        });
      } else {
        await t.step(
          "the close button and the backdrop close it, but a drag that ends outside does not",
          async () => {
            await reopen(page);
            await assertCloses(page);
          },
        );
      }
      assertNotEquals(await page.title(), "moving", "with reduced motion, nothing fades");
    },
  );
}

async function assertCloses(page: Page) {
  await fadeFinished(page);
  const heading = (await dialogOf(page).getByRole("heading").first().boundingBox())!;
  await page.mouse.move(heading.x + 4, heading.y + 4);
  await page.mouse.down();
  await page.mouse.move(20, heading.y + 200, { steps: 3 });
  await page.mouse.up();
  const box = (await dialogOf(page).boundingBox())!;
  await page.mouse.click(box.x, box.y + box.height / 2); // on its border, where the scrollbar may be
  assert(await dialogOf(page).evaluate((dialog: HTMLDialogElement) => dialog.open));

  await page.mouse.click(20, 400);
  await dialogOf(page).waitFor({ state: "hidden" });
  assert(await hasFocus(page, ".mcp-badge"));

  await badgeOf(page).click();
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await dialogOf(page).waitFor({ state: "hidden" });
  assert(await hasFocus(page, ".mcp-badge"));
}

async function assertCycle(page: Page) {
  for (const key of ["Tab", "Shift+Tab"]) {
    const seen: number[] = [];
    for (let presses = 0; presses < 14; presses++) {
      await page.keyboard.press(key);
      assert(await hasFocus(page, "dialog"), `press ${presses} of ${key} left the dialog`);
      seen.push(await page.evaluate(() => [...document.all].indexOf(document.activeElement!)));
    }
    const stops = new Set(seen).size;
    assertEquals(stops, 8, "the close button, links, two copy buttons");
    assertEquals(seen[0], seen[stops], "the cycle restarts");
  }
}

/** Returns the name and count of the badge's animation in the style sheets. */
const pulseOf = (page: Page) =>
  badgeOf(page).evaluate((badge) => {
    const { animationName, animationIterationCount } = getComputedStyle(badge);
    return [animationName, animationIterationCount];
  });

/** Records the dialog's transitions and their durations. Returns a function that waits for some. */
async function recordFades(page: Page): Promise<(count: number) => Promise<string[]>> {
  await page.addInitScript(() => {
    const fades: string[] = [];
    Object.assign(globalThis, { fades });
    addEventListener("transitionrun", ({ target, propertyName, pseudoElement }) => {
      const element = target as Element;
      if (element.localName !== "dialog" || !/opacity|translate/.test(propertyName)) return;
      const { transitionDuration } = getComputedStyle(element, pseudoElement || null);
      const times = new Set(transitionDuration.split(", "));
      fades.push(`${pseudoElement}${propertyName} ${[...times]}`);
    });
  });
  return async (count) => {
    await page.waitForFunction(
      (count) => (globalThis as unknown as { fades: string[] }).fades.length >= count,
      count,
    );
    await fadeFinished(page);
    const fades = await page.evaluate(() =>
      (globalThis as unknown as { fades: string[] }).fades.splice(0)
    );
    return fades.sort();
  };
}

const FADE = ["::backdropopacity 0.2s", "opacity 0.2s", "translate 0.2s"];

/**
 * Returns the responses with a page's scripts by path, which are added as it loads them. Their bodies
 * can be read until the page is left.
 */
function recordScripts(page: Page): Map<string, PageResponse> {
  const scripts = new Map<string, PageResponse>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    scripts.set(new URL(response.url()).pathname, response);
  });
  return scripts;
}

browser.test("the badge has small scripts, pulses once, fades its dialog, and is also a link", {
  context: { viewport: WIDE },
}, async (page, _context, t) => {
  const fades = await recordFades(page);
  await t.step("its own scripts have at most 6 KB", async () => {
    const scripts = recordScripts(page);
    await page.goto(site.services.surfaces.url("trust", "/")!, { waitUntil: "networkidle" });
    const without = new Set(scripts.keys());
    scripts.clear();
    await page.goto(address("commercial"), { waitUntil: "networkidle" });
    const own = [...scripts].filter(([path]) => !without.has(path));
    assert(own.length > 0);
    let size = 0;
    for (const [, response] of own) {
      const zipped = new Blob([await response.body() as BlobPart]).stream()
        .pipeThrough(new CompressionStream("gzip"));
      size += (await new Response(zipped).bytes()).length;
    }
    assert(size <= 6 * 1024, `${size} bytes`);
  });

  await t.step("the dialog fades in and out in 200 ms", async () => {
    assertEquals(await pulseOf(page), ["badge-pulse", "1"]);
    await badgeOf(page).click();
    assertEquals(await fades(3), FADE);
    assertEquals(await dialogOf(page).evaluate((dialog) => getComputedStyle(dialog).opacity), "1");
    await page.keyboard.press("Escape");
    assertEquals(await fades(3), FADE);
    await dialogOf(page).waitFor({ state: "hidden" });

    await badgeOf(page).click();
    assertEquals(await fades(3), FADE);
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    assertEquals(await fades(3), FADE);
    await dialogOf(page).waitFor({ state: "hidden" });
  });

  await t.step("it pulses only on the first load", async () => {
    await page.goto(address("commercial", "/connect"));
    await badgeOf(page).waitFor();
    assertEquals(await pulseOf(page), ["none", "1"]);
  });

  await t.step("a click with a modifier key follows its link", async () => {
    assertEquals(await badgeOf(page).getAttribute("href"), "/connect");
    // Headless Chromium does not always open a tab, so the test checks the event.
    await page.evaluate(() => {
      addEventListener("click", (event) => {
        document.title = event.defaultPrevented ? "kept" : "followed";
        event.preventDefault();
      });
    });
    for (const modifier of ["Control", "Shift", "Alt", "Meta"] as const) {
      await page.evaluate(() => document.title = "");
      await badgeOf(page).click({ modifiers: [modifier] });
      await becomes(() => page.title(), "followed");
      assertEquals(await dialogOf(page).count(), 0, modifier);
    }
    await badgeOf(page).click();
    await becomes(() => page.title(), "kept");
    await dialogOf(page).waitFor();
  });
});
