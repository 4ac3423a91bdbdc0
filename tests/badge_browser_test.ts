import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Locator, Page } from "playwright-core";
import { createLocalFetch } from "../lib/http/local_fetch.ts";
import { mcpTools } from "../lib/mcp/mod.ts";
import { axeViolations, becomes } from "./browser.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite({ MCP_RATE_LIMIT: "0" });

const SITES = ["foundation", "commercial"] as const;
const SIZES = [{ width: 1280, height: 800 }, { width: 375, height: 740 }];
const CLIPBOARD = ["clipboard-read", "clipboard-write"];
const HEADINGS = [
  "New to MCP? You're not alone.",
  "Why this matters for you",
  "Why you have to tell your agent",
  "Connect your agent",
  "Who manages MCP?",
];
const INFO = { name: "badge-test", version: "1.0.0" };

const address = (surface: typeof SITES[number], path = "/") =>
  site.services.surfaces.url(surface, path)!;
const badgeOf = (page: Page) => page.getByRole("button", { name: "MCP Enabled ↓", exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const copiesOf = (page: Page) => dialogOf(page).getByRole("button", { name: /Copy|Copied/ });
const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const hasFocus = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement!.closest(selector) !== null, selector);

async function openOverlay(page: Page, surface: typeof SITES[number] = "foundation") {
  await page.goto(address(surface));
  await badgeOf(page).click();
  await dialogOf(page).waitFor();
  await copiesOf(page).nth(1).waitFor(); // they come once the overlay was drawn
}

/** Whether the window shows all of an element. */
const inView = (element: Locator) =>
  element.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** Waits until a fade is over. */
async function settled(page: Page) {
  await page.evaluate(() =>
    // One that is cancelled is over too.
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  );
}

async function pressTabUntil(page: Page, selector: string) {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, selector)) return;
  }
  throw new Error(`Tab never came to ${selector}`);
}

for (const viewport of SIZES) {
  const width = `${viewport.width} px`;
  const context = { viewport, permissions: CLIPBOARD };

  browser.test(`with the mouse from the badge to both copies to Escape at ${width}`, {
    context,
  }, async (page) => {
    await openOverlay(page);
    const blocks = await dialogOf(page).locator("pre").allTextContents();
    assertEquals(blocks.length, 2);
    for (const [i, text] of blocks.entries()) {
      const button = copiesOf(page).nth(i);
      assertEquals(await button.textContent(), "📋 Copy");
      await button.click();
      await button.filter({ hasText: "✓ Copied" }).waitFor();
      assertEquals(await clipboardOf(page), text);
    }
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await hasFocus(page, ".mcp-badge"), "the focus is given back");
  });

  browser.test(`with the keyboard alone the same way at ${width}`, { context }, async (page) => {
    await page.goto(address("commercial"));
    await badgeOf(page).waitFor();
    for (const key of ["Enter", "Space"]) {
      await pressTabUntil(page, ".mcp-badge");
      await page.keyboard.press(key);
      await dialogOf(page).waitFor();
      assert(await hasFocus(page, "dialog"));
      await page.evaluate(() => navigator.clipboard.writeText("something else"));
      await pressTabUntil(page, ".copy");
      await page.keyboard.press(key);
      const text = await dialogOf(page).locator("pre").first().innerText();
      await becomes(() => clipboardOf(page), text);
      await page.waitForFunction(() => document.activeElement!.textContent === "✓ Copied");
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      assert(await hasFocus(page, ".mcp-badge"));
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
  });

  browser.test(`the overlay is centred, dims the page and keeps it still at ${width}`, {
    context,
  }, async (page) => {
    await openOverlay(page);
    await settled(page);
    const box = (await dialogOf(page).boundingBox())!;
    assertEquals(box.width, Math.min(640, viewport.width));
    assertEquals(box.x, (viewport.width - box.width) / 2);
    assert(box.y >= 0 && box.y + box.height <= viewport.height, "it stays on the screen");
    const backdrop = await dialogOf(page).evaluate((dialog) =>
      getComputedStyle(dialog, "::backdrop").backgroundColor
    );
    assertEquals(backdrop, "rgba(0, 0, 0, 0.7)");

    await page.mouse.move(viewport.width / 2, viewport.height / 2);
    await page.evaluate(() => {
      let turns = 0;
      addEventListener("wheel", () => document.documentElement.dataset.turns = String(++turns));
    });
    await page.mouse.wheel(0, 20_000);
    await becomes(
      () =>
        dialogOf(page).evaluate((dialog) =>
          dialog.scrollTop > 0 && dialog.scrollTop + dialog.clientHeight >= dialog.scrollHeight - 1
        ),
      true,
    );
    await page.mouse.wheel(0, 20_000);
    await becomes(() => page.evaluate(() => document.documentElement.dataset.turns), "2");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assertEquals(await page.evaluate(() => scrollY), 0);
    assert(await inView(dialogOf(page).getByText("has no part in governing it")));
    assert(await inView(dialogOf(page).getByRole("button", { name: "Close" })));
  });
}

browser.test(
  "the cross and the backdrop close it, a selection that ends outside does not",
  {},
  async (page) => {
    await openOverlay(page);
    await settled(page);
    const heading = (await dialogOf(page).getByRole("heading").first().boundingBox())!;
    await page.mouse.move(heading.x + 4, heading.y + 4);
    await page.mouse.down();
    await page.mouse.move(20, heading.y + 200, { steps: 3 });
    await page.mouse.up();
    const box = (await dialogOf(page).boundingBox())!;
    await page.mouse.click(box.x, box.y + box.height / 2); // its own border, as its scrollbar is
    assert(await dialogOf(page).evaluate((dialog: HTMLDialogElement) => dialog.open));

    await page.mouse.click(20, 400);
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await hasFocus(page, ".mcp-badge"));

    await badgeOf(page).click();
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await hasFocus(page, ".mcp-badge"));
  },
);

browser.test("Tab goes round inside the overlay, both ways", {}, async (page) => {
  await openOverlay(page);
  for (const key of ["Tab", "Shift+Tab"]) {
    const seen: number[] = [];
    for (let presses = 0; presses < 14; presses++) {
      await page.keyboard.press(key);
      assert(await hasFocus(page, "dialog"), `press ${presses} of ${key} left the dialog`);
      seen.push(
        await page.evaluate(() => [...document.all].indexOf(document.activeElement!)),
      );
    }
    const stops = new Set(seen).size;
    assertEquals(stops, 6, "the cross, two links, two copies, a link");
    assertEquals(seen[0], seen[stops], "the round begins again");
  }
});

/** The badge's own animation, as the style sheets have it: name and how often. */
const pulseOf = (page: Page) =>
  badgeOf(page).evaluate((badge) => {
    const { animationName, animationIterationCount } = getComputedStyle(badge);
    return [animationName, animationIterationCount];
  });

/** Notes every fade of the dialog that begins, with the time that it is to take. */
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
    await settled(page);
    const fades = await page.evaluate(() =>
      (globalThis as unknown as { fades: string[] }).fades.splice(0)
    );
    return fades.sort();
  };
}

const FADE = ["::backdropopacity 0.2s", "opacity 0.2s", "translate 0.2s"];

browser.test("it fades up in 200 ms, and away", {}, async (page) => {
  const fades = await recordFades(page);
  await openOverlay(page);
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

browser.test("the badge pulses once, on the first load only", {}, async (page) => {
  await page.goto(address("foundation"));
  await badgeOf(page).waitFor();
  assertEquals(await pulseOf(page), ["badge-pulse", "1"]);
  await page.goto(address("foundation", "/connect"));
  await badgeOf(page).waitFor();
  assertEquals(await pulseOf(page), ["none", "1"]);
});

browser.test("with reduced motion nothing pulses or fades", {
  context: { reducedMotion: "reduce" },
}, async (page) => {
  await page.addInitScript(() => {
    addEventListener("transitionrun", ({ target }) => {
      if ((target as Element).localName === "dialog") document.title = "moving";
    });
  });
  await openOverlay(page);
  assertEquals(await pulseOf(page), ["none", "1"]);
  assertEquals(await dialogOf(page).evaluate((dialog) => getComputedStyle(dialog).opacity), "1");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  assertNotEquals(await page.title(), "moving");
});

browser.test("'✓ Copied' stands for two seconds, and is told to screen readers", {
  context: { permissions: CLIPBOARD },
}, async (page) => {
  await page.clock.install();
  await openOverlay(page);
  const button = copiesOf(page).first();
  const status = dialogOf(page).getByRole("status").first();
  assertEquals(await status.textContent(), "");
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await button.click();
  await button.filter({ hasText: "✓" }).waitFor();
  assertEquals(await button.textContent(), "✓ Copied");
  assertEquals(await status.textContent(), "Copied to the clipboard.");
  assertEquals(await copiesOf(page).nth(1).textContent(), "📋 Copy");
  // The two seconds begin when Preact has run the effect, at the next frame.
  await page.clock.runFor(50);
  await page.clock.runFor(1900);
  assertEquals(await button.textContent(), "✓ Copied");
  await page.clock.runFor(100);
  assertEquals(await button.textContent(), "📋 Copy");
  assertEquals(await status.textContent(), "");

  // Copied once more meanwhile, they begin anew.
  await button.click();
  await button.filter({ hasText: "✓" }).waitFor();
  await page.clock.runFor(1500);
  const text = await clipboardOf(page);
  await page.evaluate(() => navigator.clipboard.writeText("something else"));
  await button.click();
  await becomes(() => clipboardOf(page), text);
  await page.clock.runFor(1500);
  assertEquals(await button.textContent(), "✓ Copied");
  await page.clock.runFor(600);
  assertEquals(await button.textContent(), "📋 Copy");
});

browser.test("a refused clipboard selects the text and says so", {}, async (page) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
  });
  await openOverlay(page);
  await copiesOf(page).nth(1).click();
  const status = dialogOf(page).getByRole("status").filter({ hasText: "The text is selected" });
  await status.waitFor();
  assert((await status.boundingBox())!.height > 10, "it can be seen");
  assertEquals(
    await page.evaluate(() => String(getSelection())),
    await dialogOf(page).locator("pre").nth(1).textContent(),
  );
  assertEquals(await copiesOf(page).nth(1).textContent(), "📋 Copy");
});

for (const surface of SITES) {
  browser.test(
    `${surface}: the overlay says all of it, and the copied texts connect real clients`,
    {
      context: { permissions: CLIPBOARD },
    },
    async (page) => {
      await openOverlay(page, surface);
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
        await copiesOf(page).nth(i).click();
        await page.waitForFunction(
          (i) => document.querySelectorAll("dialog .copy")[i].textContent === "✓ Copied",
          i,
        );
        copied.push(await clipboardOf(page));
      }
      const [command, json] = copied;
      const [name, url] = /^claude mcp add --transport http (\S+) (\S+)$/.exec(command)!.slice(1);
      assertEquals(JSON.parse(json), { mcpServers: { [name]: { type: "streamable-http", url } } });
      assertEquals(json, JSON.stringify(JSON.parse(json), null, 2));

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
    },
  );
}

browser.test("with a modifier the badge is still a link", {}, async (page) => {
  await page.goto(address("foundation"));
  assertEquals(await badgeOf(page).getAttribute("href"), "/connect");
  // Whether the browser then opens a tab is its own affair, and not headless Chromium's always.
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

browser.test("without scripts the badge leads to a page with the same content", {
  context: { javaScriptEnabled: false, viewport: SIZES[1] },
}, async (page) => {
  await page.goto(address("commercial"));
  await page.getByRole("link", { name: "MCP Enabled ↓", exact: true }).click();
  await page.waitForURL(address("commercial", "/connect"));
  const main = page.locator("main");
  assertEquals(await main.getByRole("heading", { level: 2 }).allTextContents(), HEADINGS);
  assertEquals(await main.getByRole("button").count(), 0);
  assertMatch(await main.locator("pre").first().innerText(), /^claude mcp add/);
});

browser.test("the page's copy buttons appear without moving anything, and copy", {
  context: { permissions: CLIPBOARD, viewport: SIZES[1] },
}, async (page) => {
  await page.goto(address("foundation", "/connect"));
  const copy = page.locator("main .copy").first();
  await copy.click();
  await page.waitForFunction(() => document.querySelector(".copy")!.textContent === "✓ Copied");
  assertEquals(await clipboardOf(page), await page.locator("main pre").first().innerText());
  const shift = await page.evaluate(() =>
    new Promise<number>((resolve) => {
      new PerformanceObserver((list) => {
        const shifts = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[];
        resolve(
          shifts.reduce((sum, { value, hadRecentInput }) => hadRecentInput ? sum : sum + value, 0),
        );
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(0), 200);
    })
  );
  assertEquals(shift, 0);
});

for (const colorScheme of ["dark", "light"] as const) {
  browser.test(`axe-core finds nothing in ${colorScheme}, open or on the page, down to 320 px`, {
    context: { colorScheme, viewport: { width: 320, height: 640 } },
  }, async (page) => {
    for (const surface of SITES) {
      await openOverlay(page, surface);
      await settled(page);
      assertEquals(await axeViolations(page), [], `${surface}, open`);
      const wider = () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.querySelector("dialog") ??
            document.documentElement;
          return scrollWidth - clientWidth;
        });
      assertEquals(await wider(), 0, `${surface}, open`);
      await page.goto(address(surface, "/connect"));
      await page.locator("main .copy").first().waitFor();
      assertEquals(await axeViolations(page), [], `${surface} /connect`);
      assertEquals(await wider(), 0, `${surface} /connect`);
    }
  });
}

browser.test(
  "the home asks for at most 20 KB of scripts, the badge for 6 KB of them",
  {},
  async (page) => {
    const scripts = new Map<string, number>();
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.set(request.url(), 0);
    });
    const load = async (url: string) => {
      scripts.clear();
      await page.goto(url);
      await page.getByRole("button").first().waitFor();
      await badgeOf(page).waitFor({ timeout: 2000 }).catch(() => {});
      const sizes = new Map<string, number>();
      for (const script of scripts.keys()) {
        const { host, pathname, search } = new URL(script);
        const response = await site.handler(
          new Request(`http://${host}${pathname}${search}`, { headers: { host } }),
        );
        const zipped = response.body!.pipeThrough(new CompressionStream("gzip"));
        sizes.set(pathname, (await new Response(zipped).bytes()).length);
      }
      return sizes;
    };
    const sum = (sizes: Iterable<number>) => [...sizes].reduce((a, b) => a + b, 0);
    const without = await load(site.services.surfaces.url("trust", "/")!);
    const home = await load(address("foundation"));
    assertNotEquals(home.size, 0);
    assert(sum(home.values()) <= 20 * 1024, `home: ${sum(home.values())} bytes`);
    const own = [...home].filter(([path]) => !without.has(path)).map(([, size]) => size);
    assert(own.length > 0 && sum(own) <= 6 * 1024, `the badge: ${sum(own)} bytes`);
  },
);
