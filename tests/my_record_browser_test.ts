import { assert, assertEquals } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { unwrap } from "../lib/platform/http/errors.ts";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { CONFIG } from "../lib/features/contact/config.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { NARROW, WIDE } from "./contact_page.ts";
import { assertPixels } from "./layout.ts";
import { decode } from "./qr_codes.ts";
import { recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: Awaited<ReturnType<typeof recordFixture>>;
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  const pushProviders = { ios: fakePush(), android: fakePush() };
  fixture = await serveOnFreePort((env) => recordFixture(env, { pushProviders }));
});
Deno.test.afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const { COPY } = CONFIG;
const urlOf = (path: string) => fixture.site.services.surfaces.url("trust", path)!;

/** Opens the record page of a new holder whose chain has a number of events. */
async function openRecord(page: Page, context: BrowserContext, events = 2): Promise<string> {
  const { hash, cookie } = await fixture.holder();
  for (let seq = 2; seq < events; seq++) {
    await fixture.site.services.chains.append(hash, "record_verified");
  }
  await signIn(context, cookie);
  await page.goto(urlOf("/my-record"));
  return hash;
}

async function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: urlOf("/") }]);
}

const rows = (page: Page) => page.locator(".scroller .row");
const seqsOf = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.seq)));

test(
  "the pages for signing in, of a record with a rewritten chain and about notifications pass axe-core and fit every screen",
  {
    context: { viewport: WIDE, permissions: ["clipboard-read", "clipboard-write"] },
    expectedErrors: [/status of 400 .*\/my-record\/notifications/],
  },
  async (page, context, t) => {
    await t.step("the sign-in page", async () => {
      await page.goto(urlOf("/my-record"));
      assertEquals(await axeViolationsInBothSchemes(page), []);
      for (const width of [320, 375]) {
        await page.setViewportSize({ width, height: 740 });
        assertEquals(await sidewaysScroll(page), 0, `${width} px`);
      }
    });

    let hash = "";
    await t.step("the record page, whose hash can be copied and scanned", async () => {
      await page.setViewportSize(WIDE);
      hash = await openRecord(page, context, 12);
      await page.getByText(COPY.WATCHING).waitFor();
      await Promise.all([
        page.getByText("Copied to the clipboard.").waitFor(), // for two seconds
        page.locator(".record-hash").getByRole("button", { name: "Copy" }).click(),
      ]);
      assertEquals(await page.evaluate(() => navigator.clipboard.readText()), hash);
      for (const width of [320, 375, 900]) {
        await page.setViewportSize({ width, height: 740 });
        assertEquals(await sidewaysScroll(page), 0, `${width} px`);
        assertEquals(await decode(page.locator(".hash-card .qr")), urlOf(`/verify?hash=${hash}`));
      }
    });

    await t.step("a feed whose chain was rewritten starts over with its events", async () => {
      await page.setViewportSize(WIDE);
      const { kv, chains } = fixture.site.services;
      await writeChain(kv, { hash, publisher: chains.publisher, length: 19 });
      await page.getByRole("alert").getByText(COPY.REWRITTEN).waitFor();
      await becomes(() => seqsOf(page), [14, 15, 16, 17, 18]);
      assertEquals(await axeViolationsInBothSchemes(page), []);
      await page.setViewportSize(NARROW);
      // The page is resized before the browser has reported the scroll.
      await page.locator(".scroller").evaluate((scroller) => {
        scroller.scrollTop = 0;
        dispatchEvent(new Event("resize"));
      });
      await page.getByText(COPY.BEGINNING).waitFor();
      assertEquals(await seqsOf(page), Array.from({ length: 19 }, (_, seq) => seq));
    });

    await t.step("the page about notifications, with a device and a refused form", async () => {
      await page.setViewportSize(WIDE);
      const { cookie } = await fixture.holder();
      const json = { platform: "android", token: "phone" };
      assertEquals((await fixture.fetch("/api/push/register", { cookie, json })).status, 201);
      await signIn(context, cookie);
      await page.goto(urlOf("/my-record/notifications"));
      await page.getByLabel("Hold notifications during").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Choose a time zone.").waitFor();
      assertEquals(await axeViolationsInBothSchemes(page), []);
      await page.setViewportSize({ width: 320, height: 740 });
      assertEquals(await sidewaysScroll(page), 0);
    });
  },
);

browser.test("a feed types new events, loads older ones, and can watch again", {
  context: { viewport: NARROW },
}, async (page, context, t) => {
  await page.clock.install();
  const hash = await openRecord(page, context, 40);
  await page.getByText(COPY.WATCHING).waitFor();
  const { chains } = fixture.site.services;

  await t.step("an event that is appended on the server types itself", async () => {
    assertEquals(await seqsOf(page), [35, 36, 37, 38, 39]);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    // While the page's clock is paused, it does not poll.
    await chains.append(hash, "k2_delivered");
    await becomes(() => rows(page).count(), 6);
    // The rest of the text is in an element that is not visible.
    const typed = () =>
      rows(page).last().locator(".kind").evaluate((cell) =>
        [...cell.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent)
          .join("")
      );
    const time = (await rows(page).last().locator(".time").textContent())!;
    await page.clock.runFor((time.length + 6) * CONFIG.CHAR_SPEED);
    const part = (await typed()).trimEnd();
    assert("Key delivered".startsWith(part) && part.length > 2 && part.length < 12, part);
    await page.clock.runFor(1_000);
    assertEquals(
      await rows(page).last().locator(".kind").textContent(),
      "Key delivered k2_delivered",
    );
    const view = await page.locator(".scroller").evaluate((scroller) => {
      const last = [...scroller.querySelectorAll(".row")].at(-1)!.getBoundingClientRect();
      return last.bottom <= scroller.getBoundingClientRect().bottom + 1;
    });
    assert(view, "the new event is in view");
  });

  await t.step("scrolling up loads older events", async () => {
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTop = 0);
    await page.getByText(COPY.BEGINNING).waitFor();
    assertEquals(await seqsOf(page), Array.from({ length: 41 }, (_, seq) => seq));
  });

  await t.step("a feed that has stopped watching can watch again", async () => {
    await page.clock.resume();
    await page.clock.fastForward(CONFIG.POLL_TIMEOUT + 1);
    await page.getByText(COPY.WATCHED).waitFor();
    await chains.append(hash, "record_verified");
    await page.getByRole("button", { name: COPY.WATCH_AGAIN }).click();
    await becomes(() => rows(page).count(), 42);
  });
});

test("without scripts, the record page shows the newest events and a link to older ones", {
  context: { viewport: NARROW, javaScriptEnabled: false },
}, async (page, context) => {
  await openRecord(page, context, 12);
  assertEquals(await seqsOf(page), [7, 8, 9, 10, 11]);
  const hidden = await page.locator(".scroller").evaluate((view) =>
    view.scrollHeight - view.clientHeight
  );
  assertPixels([hidden], [0], "nothing has to be scrolled into view");
  assertEquals(await page.getByText(COPY.WATCHING).count(), 0);
  await page.getByRole("link", { name: COPY.EARLIER }).click();
  await page.waitForURL(/\/verify\?hash=\w+&before=7$/);
});

test(
  "documents come second, every section is at most two screens away, and links open folded ones",
  {
    context: { viewport: { width: 1280, height: 800 } },
  },
  async (page, context) => {
    const hash = await openRecord(page, context, 12);
    const details = { title: "Certificate", kind: "Certificate", public: true, file_name: "a.txt" };
    const body = new Blob(["text"]).stream();
    const document = { record: hash, organisation: "commercial" as const, by: "a@example.org" };
    unwrap(await fixture.site.services.documents.add({ ...document, ...details }, body));
    await fixture.site.services.jobs.run("log");
    await page.reload();
    const place = page.getByText(/^Entry \d+ of \d+ in /);
    await place.waitFor({ state: "attached" });
    assertEquals(await place.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert(await place.isVisible(), "where the entry is belongs to the printed record");
    await page.emulateMedia({ media: "screen" });
    const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    assertEquals(targets, ["#level", "#documents", "#requests", "#chain", "#settings"]);
    const settings = page.locator("#settings");
    for (const [width, height] of [[1280, 800], [375, 740]]) {
      await page.setViewportSize({ width, height });
      const box = (await settings.boundingBox())!;
      assert(box.y + box.height <= 3 * height + 300, `${width} px: ${box.y + box.height}`);
    }
    await links.last().click();
    const { y } = (await links.last().boundingBox())!;
    assert(y >= 0 && y < 80, "the links stay in view");
    const everywhere = page.getByRole("button", { name: "Sign out everywhere" });
    assertEquals(await everywhere.isVisible(), false);
    await settings.getByText("Sessions").click();
    assert(await everywhere.isVisible());
    await page.goto(urlOf("/my-record#passkeys"));
    assert(await page.getByRole("button", { name: "Add a passkey" }).isVisible());
  },
);
