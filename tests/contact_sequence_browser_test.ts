import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG, doneTitleOf, titleOf } from "../lib/features/contact/config.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import {
  closeOf,
  dialogOf,
  ENDPOINT,
  fillIn,
  focusOf,
  logOf,
  nameOf,
  NARROW,
  openModal,
  playThrough,
  reach,
  standBy,
  submitAtFullPace,
  WIDE,
} from "./contact_page.ts";
import { assertPrintsLight } from "./frame_checks.ts";
import { assertPixels } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const test = withoutMotion(browser);
const { surfaces } = site.services;
const { COPY } = CONFIG;

/** Waits until all finite animations have ended. */
const settle = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document.getAnimations()
        .filter(({ effect }) => effect!.getComputedTiming().iterations === 1)
        .map((animation) => animation.finished),
    )
  );

async function assertAccessible(page: Page, state: string): Promise<void> {
  await settle(page);
  assertEquals(await axeViolationsInBothSchemes(page), [], state);
  await assertFits(page, state);
}

async function assertFits(page: Page, state: string): Promise<void> {
  assertEquals(await sidewaysScroll(page), 0, `${state}: the page is wider than the screen`);
  const dialog = page.locator("dialog[open]");
  if (await dialog.count() === 0) return;
  const wider = await dialog.evaluate((one) => one.scrollWidth - one.clientWidth);
  assertPixels([wider], [0], `${state}: the dialog is wider than the screen`);
}

/** The hidden tab and the list are checked where the message is longer than the screen. */
const SHORT = { width: 375, height: 560 };

/** Tells the page that its tab was hidden or shown. */
const show = (page: Page, visibility: "hidden" | "visible") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visibility);

/** Appends events to the chain of the feed, and watches how the list follows them. */
async function assertFollows(page: Page): Promise<void> {
  const hash = (await logOf(page))[2].split(": ")[1];
  const rows = page.locator(".feed [role=log] li");
  const append = async (kind: "email_confirmed" | "record_verified", row: number) => {
    await site.services.chains.append(hash, kind);
    await rows.nth(row).waitFor();
  };
  const view = page.locator("dialog");
  const fromEnd = () => view.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
  assertPixels([await fromEnd()], [0]);
  await append("email_confirmed", 1);
  assertPixels([await fromEnd()], [0], "as soon as typing starts");
  await page.clock.runFor(100);
  const typed = () =>
    rows.nth(1).locator("[aria-hidden=true]").evaluateAll((cells) =>
      cells.map((cell) =>
        [...cell.childNodes].filter((node) => node.nodeType === 3)
          .map((node) => node.textContent).join("")
      ).join("|")
    );
  assert((await typed()).length < 12, "only a few characters at first");
  await page.clock.runFor(2_000);
  assertMatch(await typed(), /^\d\d \w{3} \d{4} \d\d:\d\d:\d\d\|email_confirmed\|✓$/);

  await view.evaluate((one) => one.scrollTop = 20);
  await append("record_verified", 2);
  await page.clock.runFor(2_000);
  assertPixels([await view.evaluate((one) => one.scrollTop)], [20]);
}

test("every state of the modal is accessible, fits the screen, and waits while the tab is hidden", {
  context: { viewport: WIDE, colorScheme: "dark" },
}, async (page, _context, t) => {
  const polls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("?after=")) polls.push(request.url());
  });
  await openModal(page, site);
  await t.step("the form passes axe-core", () => assertAccessible(page, "form"));
  await fillIn(page);
  await submitAtFullPace(page);
  await t.step("in standby, screen readers get the text once", async () => {
    const status = dialogOf(page).getByRole("status");
    assertEquals(await status.textContent(), `${COPY.STAND_BY}. ${COPY.STAND_BY_NOTE}`);
    assertEquals(await page.locator(".receipt").getAttribute("aria-hidden"), "true");
    await assertAccessible(page, "standby");
  });
  await page.setViewportSize(SHORT);
  await reach(page, "teletype");
  await t.step("while it is typed, screen readers get the message at once", async () => {
    const lines = await logOf(page);
    assertEquals(lines.filter((line) => line !== "").length, 10, "all at once");
    assertMatch(lines[3], /^EMAIL: a•••@m•••\.org$/);
    await page.getByText("Next: open the email to a•••@m•••.org and confirm your address.")
      .waitFor();
    assertEquals(lines[5], "TO: ATTEST SYSTEMS");
    await assertAccessible(page, "teletype");
    await page.setViewportSize(WIDE);
    await assertFits(page, "teletype");
    await page.setViewportSize(SHORT);
    const untyped = page.locator(".paper > p .untyped");
    assert(await untyped.count() > 0);
    await page.keyboard.press("Escape");
    await becomes(() => untyped.allTextContents(), [""]); // the cursor's place
    assertEquals(await page.locator(".paper > p").count(), 10, "Escape completes the text");
    assertEquals(await page.locator("dialog").getAttribute("data-phase"), "teletype");
  });
  await t.step("a hidden tab pauses the sequence and catches up later", async () => {
    await show(page, "hidden");
    const typed = () => page.locator(".paper > p").allTextContents();
    const before = await typed();
    await page.clock.runFor(60_000);
    assertEquals(await typed(), before);
    assertEquals(polls, []);
    await Promise.all([page.waitForRequest(/\?after=0/), show(page, "visible")]);
    await reach(page, "watch");
    assertEquals(polls.length, 1);
  });
  await t.step(
    "a new event is typed, and scrolls into view only if the list is at the end",
    () => assertFollows(page),
  );
  await page.setViewportSize(WIDE);
  await t.step("at the end, screen readers get the message and its events once", async () => {
    assertEquals((await logOf(page)).at(-1), "MESSAGE ENDS");
    const hidden = await page.locator(".paper > p").evaluateAll((all) =>
      all.every((one) => one.getAttribute("aria-hidden") === "true")
    );
    assert(hidden, "the typed text is hidden from screen readers");
    const row = page.locator(".feed [role=log] li").first();
    const text = await row.locator(".away").textContent();
    assertMatch(text!, /^\d\d \w{3} \d{4} .* hash_generated ✓$/);
    assertEquals(await row.locator("[aria-hidden=true]").count(), 3);
    await assertAccessible(page, "watch");
  });
  await t.step("Tab cycles", async () => {
    assertEquals(await focusOf(page), "paper");
    const stops: string[] = [];
    for (const key of ["Tab", "Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      stops.push(await focusOf(page) || "verify"); // the last link has no label, name, id or class
    }
    // The close button precedes the paper, which had the focus.
    const expected = [
      "qr-link",
      COPY.FEED_TITLE,
      "verify",
      "Close",
      "qr-link",
      "Close",
      "verify",
    ];
    assertEquals(stops, expected);
  });
});

/** Asserts it for the page and for the contact form, whose shadow root the other assertions don't reach. */
async function assertFormPrintsWithoutButtons(page: Page): Promise<void> {
  await assertPrintsLight(page, "investor");
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator("button:visible").count(), 0);
  await page.emulateMedia({ media: "screen" });
}

/** Loads the plain form first and the module after a person has begun to write. */
async function assertTakesOver(page: Page): Promise<void> {
  await page.clock.install();
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/mod-\w+\.js/, async (route) => {
    held.resolve();
    await released.promise;
    await route.continue();
  });
  await page.goto(surfaces.url("investor", "/")!);
  await held.promise;
  const heights = async () => {
    const all: number[] = [];
    for (const width of [320, 375, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      all.push(await page.evaluate(() => document.querySelector("footer")!.offsetTop));
    }
    return all;
  };
  const before = await heights();
  await page.getByLabel("Name").fill("Ada Early");
  await page.getByLabel("Dial code").selectOption("NZ");
  await page.getByLabel("Email").pressSequentially("ada@");
  released.resolve();
  await page.waitForFunction(() => document.activeElement!.shadowRoot !== null);
  assertEquals(await focusOf(page), "email");
  await page.keyboard.press("End");
  await page.keyboard.type("mail.example.org");
  const valueOf = (name: string) => page.locator(`css=[name=${name}] >> visible=true`).inputValue();
  assertEquals(await valueOf("email"), "ada@mail.example.org");
  assertEquals(await valueOf("name"), "Ada Early");
  assertEquals(await page.locator(".dial select").inputValue(), "NZ");
  const moved = (await heights()).map((height, i) => Math.abs(height - before[i]));
  assert(Math.max(...moved) <= 8, `the page below the form moved by ${moved} px`);
  await page.getByLabel("Dial code").selectOption("AU"); // of the number that is entered next
}

test("investor and workbench: page mode opens the full page and returns", {
  context: { viewport: NARROW, colorScheme: "dark" },
}, async (page, _context, t) => {
  await t.step(
    "the module keeps the focus and text of the plain form",
    () => assertTakesOver(page),
  );
  await page.setViewportSize(NARROW);
  await t.step("the form passes axe-core, and fits 375, 320 and 1280 px", async () => {
    await assertAccessible(page, "form");
    for (const viewport of [{ width: 320, height: 640 }, WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      await assertFits(page, `form at ${viewport.width} px`);
    }
  });
  await t.step("it prints light and without buttons", () => assertFormPrintsWithoutButtons(page));
  const [posted] = await Promise.all([
    page.waitForRequest(ENDPOINT),
    fillIn(page).then(() => submitAtFullPace(page)),
  ]);
  assertEquals(posted.url(), surfaces.url("api", "/api/ir/register"));
  await t.step("in standby, the card is in the page", async () => {
    assertEquals(await dialogOf(page).isVisible(), false, "the card is in the page");
    assertEquals(await focusOf(page), titleOf("Attest Systems"), "the section has the focus");
    assert(await standBy(page).isVisible());
    await assertAccessible(page, "standby");
  });
  await reach(page, "teletype");
  await t.step("the message takes up the whole screen", async () => {
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      const box = (await dialogOf(page).boundingBox())!;
      assertPixels([box.width, box.height], [viewport.width, viewport.height]);
    }
    await page.keyboard.press("Escape");
    assert(await dialogOf(page).isVisible());
    // The modal shows the same.
    await reach(page, "watch");
    await assertFits(page, "watch");
  });
  await t.step("Escape returns to the page, with a note in place of the form", async () => {
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await page.getByRole("heading", { name: doneTitleOf("Attest Systems") }).isVisible());
    assertEquals(await focusOf(page), titleOf("Attest Systems"));
    await assertAccessible(page, "the note after the feed");
    await page.getByRole("button", { name: COPY.AGAIN }).click();
    assertEquals(await nameOf(page).inputValue(), "");
  });
  await t.step(
    "choosing Light colours lightens the form, and the sequence stays black",
    async () => {
      await page.emulateMedia({ colorScheme: "dark" });
      const text = () => page.locator(".root").evaluate((root) => getComputedStyle(root).color);
      assertEquals(await text(), "rgb(233, 238, 245)");
      await page.getByLabel("Colours").selectOption("light");
      assertEquals(await text(), "rgb(19, 28, 43)");
      await fillIn(page);
      await submitAtFullPace(page);
      await reach(page, "teletype");
      const background = await dialogOf(page).evaluate((one) =>
        getComputedStyle(one).backgroundColor
      );
      assertEquals(background, "rgb(0, 0, 0)");
    },
  );
  await t.step("Skip completes the text, and the feed stays until it is closed", async () => {
    const skip = page.getByRole("button", { name: COPY.SKIP_NAME });
    await skip.focus();
    await page.keyboard.press("Enter");
    await becomes(() => page.locator(".paper > p .untyped").allTextContents(), [""]);
    await reach(page, "ends");
    assert(await dialogOf(page).isVisible(), "the phases after the text keep their times");
    await page.clock.fastForward(30_000);
    await page.getByText(COPY.HINT).waitFor();
    await closeOf(page).waitFor();
    assertEquals(await dialogOf(page).isVisible(), true, "nobody has closed it");
    await closeOf(page).click();
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await page.getByRole("heading", { name: doneTitleOf("Attest Systems") }).isVisible());
    assertEquals(await focusOf(page), titleOf("Attest Systems"));
  });
  await t.step("the workbench has page mode at /contact", async () => {
    await page.clock.resume();
    await page.goto(surfaces.url("workbench", "/contact")!);
    await page.locator(".root form").waitFor();
    await fillIn(page);
    const [posted] = await Promise.all([page.waitForRequest(ENDPOINT), playThrough(page)]);
    assertEquals(new URL(posted.url()).origin, surfaces.url("workbench"));
    await closeOf(page).click();
    await dialogOf(page).waitFor({ state: "hidden" });
  });
});
