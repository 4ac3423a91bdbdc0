import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Locator, Page, Response as PageResponse, Route } from "playwright-core";
import { CONFIG } from "../lib/features/contact/config.ts";
import { CONTACT_FIELDS, controlsOf } from "../lib/features/contact/fields.ts";
import { axeViolations, becomes } from "./browser.ts";
import {
  closeOf,
  dialogOf,
  ENDPOINT,
  fillIn,
  fillInByLabels,
  focusOf,
  linkOf,
  logOf,
  nameOf,
  NARROW,
  openPage,
  playThrough,
  reach,
  standBy,
  submitAtFullPace,
  submitOf,
  WIDE,
} from "./contact_page.ts";
import { assertPixels, PIXEL } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const test = withoutMotion(browser);
const { COPY } = CONFIG;

/** Forwards a request to the site. The test decides what the page receives. */
async function forward(route: Route): Promise<Response> {
  const request = route.request();
  return await site.request("api", "/api/ir/register", {
    method: "POST",
    headers: await request.allHeaders(),
    body: request.postData(),
  });
}

async function reopen(page: Page): Promise<void> {
  await linkOf(page).click();
  await dialogOf(page).waitFor();
}

interface ModalPage {
  page: Page;
  viewport: typeof WIDE;
}

/** Opens the modal with the header's link, closes it with Escape and opens it with the page's link. */
async function openWithLinks({ page, viewport }: ModalPage, surface: "foundation" | "commercial") {
  const scripts: PageResponse[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  // Read only here, because it would fail once the page is left.
  const hasModule = async () =>
    (await Promise.all(scripts.map((one) => one.text()))).some((code) =>
      code.includes(COPY.STAND_BY)
    );
  await openPage(page, site, surface);
  assert(scripts.length > 0);
  assertEquals(await hasModule(), false, "the module is not loaded before it is opened");
  const menu = page.getByText("Menu", { exact: true });
  const inMenu = await menu.isVisible();
  if (inMenu) await menu.click();
  const link = page.getByRole("banner").getByRole("link", { name: "Contact" });
  await link.click();
  await dialogOf(page).waitFor();
  assert(await hasModule());

  const sheet = (await dialogOf(page).locator(".sheet").boundingBox())!;
  const width = Math.min(640, viewport.width);
  assertPixels([sheet.width, sheet.x], [width, (viewport.width - width) / 2]);
  const cross = (await closeOf(page).boundingBox())!;
  assert(sheet.y >= 0 && cross.y > sheet.y, "its top and the close button are on the screen");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  const focused = await page.evaluate(() => document.activeElement!.textContent);
  assertEquals(focused, inMenu ? "Menu" : "Contact", "the focus returns");
  assertEquals(await link.isVisible(), !inMenu, "the menu is closed");
  await reopen(page);
  assert(await page.getByText(COPY.FOOTER).isVisible());
}

/**
 * Asserts that the sequence fills screens of each size, and that nothing closes it.
 */
async function assertFullScreen(page: Page, phase: string, viewports: readonly (typeof WIDE)[]) {
  assertEquals(await closeOf(page).count(), 0, `no close button in ${phase}`);
  const presses = { standby: 2, fade: 2, teletype: 2, ends: 1 }[phase] ?? 0;
  for (let i = 0; i < presses; i++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    assert(await dialogOf(page).isVisible(), `still open in ${phase}`);
    const dialog = (await dialogOf(page).boundingBox())!;
    assertPixels([dialog.width, dialog.height], [viewport.width, viewport.height]);
  }
  if (phase === "standby") assert(await standBy(page).isVisible());
}

/** Closes the modal after the sequence, and opens an empty form. */
async function assertReturn(page: Page, close: () => Promise<void>) {
  const text = await dialogOf(page).innerText();
  const parts = [
    "a•••@m•••.org",
    "+61 ••• ••• 678",
    "MESSAGE ENDS",
    "hash_generated",
    COPY.HINT,
  ];
  for (const part of parts) assert(text.includes(part), part);
  assert(await page.getByRole("img", { name: COPY.QR }).isVisible());
  await page.locator(".scroller").press("ArrowUp"); // its only event needs no scrolling
  await dialogOf(page).getByText(COPY.WHOLE_HISTORY).waitFor();
  await page.mouse.click(5, 400);
  assert(await dialogOf(page).isVisible(), "a click next to the text does not close it");
  await close();
  await dialogOf(page).waitFor({ state: "hidden" });
  const inPlace = () => document.activeElement!.closest(":is(#participate, #contact) a") !== null;
  assert(await page.evaluate(inPlace), "the focus returns to the link");
  await reopen(page);
  await page.getByRole("button", { name: COPY.AGAIN }).click();
  assertEquals(await nameOf(page).inputValue(), "");
}

/** Waits until the form shows why it was not registered. */
const assertFailure = (page: Page, text: string) =>
  becomes(() => dialogOf(page).locator(".summary > p").allTextContents(), [text]);

test(
  `foundation at ${WIDE.width} px: the links open the modal, and the sequence returns to the page`,
  { context: { viewport: WIDE } },
  async (page) => {
    await openWithLinks({ page, viewport: WIDE }, "foundation");
    await fillInByLabels(page);
    await submitAtFullPace(page);
    // Each phase starts with the size that the one before it ended with.
    const viewports = [WIDE, NARROW];
    for (const phase of ["standby", "fade", "teletype", "ends", "feed"]) {
      await reach(page, phase);
      await assertFullScreen(page, phase, viewports);
      viewports.reverse();
      if (phase !== "teletype") continue;
      await page.clock.runFor(1_000); // draws each character
      assertEquals(await page.locator(".cursor").count(), 1);
    }
    await reach(page, "watch");
    await page.setViewportSize(WIDE);
    await assertReturn(page, () => closeOf(page).click());
  },
);

/** Asserts that a note shows a record, with a link that verifies it. */
async function assertNote(note: Locator, hash: string): Promise<void> {
  await note.getByText(hash).waitFor();
  const verify = note.getByRole("link", { name: COPY.VERIFY_SHORT });
  const url = new URL((await verify.getAttribute("href"))!);
  assertEquals([url.pathname, url.search], ["/verify", `?hash=${hash}`]);
}

test(
  `commercial at ${NARROW.width} px: the links open the modal, and its record stays in a note`,
  { context: { viewport: NARROW, permissions: ["clipboard-read", "clipboard-write"] } },
  async (page, _context, t) => {
    const note = page.getByRole("complementary", { name: COPY.NOTE });
    const open = note.getByRole("button", { name: COPY.OPEN_RECEIPT });
    const hashOf = async () => (await logOf(page))[2].split(": ")[1];
    await openWithLinks({ page, viewport: NARROW }, "commercial");
    await fillIn(page);
    await submitOf(page).click();
    await reach(page, "standby");
    await assertFullScreen(page, "standby", [NARROW]);
    await t.step("with reduced motion, everything appears without typing", async () => {
      const animations = () => page.evaluate(() => document.getAnimations().length);
      assertEquals(await animations(), 0);
      await page.clock.runFor(3_000);
      assertEquals(await page.locator('dialog[data-phase="watch"]').count(), 1, "at once");
      assertEquals(await animations(), 0);
      assertEquals(await page.locator(".cursor, .untyped").count(), 0);
      assert((await dialogOf(page).innerText()).includes("MESSAGE ENDS"));
    });
    const hash = await hashOf();
    assertEquals(await note.isVisible(), false, "not during the sequence");
    await assertReturn(page, () => page.keyboard.press("Escape"));
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });

    await t.step("a note shows the record, fits the screen and copies the hash", async () => {
      await assertNote(note, hash);
      assertEquals(await axeViolations(page), []);
      for (const viewport of [WIDE, NARROW]) {
        await page.setViewportSize(viewport);
        const box = (await note.locator("details").boundingBox())!;
        assert(box.x >= 0 && box.x + box.width <= viewport.width);
        assert(box.y > 0 && box.y + box.height <= viewport.height);
      }
      await note.getByRole("button", { name: COPY.COPY_HASH }).click();
      await note.getByText(`✓ ${COPY.COPIED}`).waitFor();
      assertEquals(await page.evaluate(() => navigator.clipboard.readText()), hash);
    });

    await t.step("the next page has the note, which stays folded", async () => {
      await page.clock.resume();
      await page.goto(site.services.surfaces.url("commercial", "/connect")!);
      await assertNote(note, hash);
      await note.getByText(COPY.NOTE, { exact: true }).click();
      await note.getByText(hash).waitFor({ state: "hidden" });
      await page.reload();
      await note.waitFor({ state: "attached" });
      assertEquals(await note.getByText(hash).isVisible(), false, "it stays folded");
      await note.getByText(COPY.NOTE, { exact: true }).click();
    });

    const link = page.getByRole("contentinfo").getByRole("link", { name: "Contact form" });
    await t.step("its receipt is in the dialog, and precedes another form", async () => {
      await link.click();
      await dialogOf(page).getByText(hash).waitFor();
      await page.getByRole("button", { name: COPY.AGAIN }).click();
      await submitOf(page).waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      await open.click();
      await dialogOf(page).getByText(hash).waitFor();
      assert((await dialogOf(page).innerText()).includes("a•••@m•••.org"));
      assertEquals(await submitOf(page).count(), 0);
      assertEquals(await axeViolations(page), []);
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      assertEquals(await focusOf(page), await open.getAttribute("class"));
    });

    await t.step(
      "a second record follows in the note, the dialog and the form's page",
      async () => {
        await link.click();
        await page.getByRole("button", { name: COPY.AGAIN }).click();
        await fillIn(page);
        await playThrough(page);
        const second = await hashOf();
        await closeOf(page).click();
        await note.getByText(second).waitFor();
        await open.click();
        await dialogOf(page).getByRole("link", { name: hash }).waitFor();

        await page.clock.resume();
        await page.goto(site.services.surfaces.url("commercial", "/contact")!);
        await page.locator(".root").getByText(second).waitFor();
        assertEquals(await submitOf(page).count(), 0);
        await page.getByRole("button", { name: COPY.AGAIN }).click();
        assertEquals(await nameOf(page).inputValue(), "");
      },
    );
  },
);

/** Plays the sequence through, and opens an empty form. */
async function startAgain(page: Page): Promise<void> {
  await reach(page, "watch");
  await closeOf(page).click();
  await dialogOf(page).waitFor({ state: "hidden" });
  await reopen(page);
  await page.getByRole("button", { name: COPY.AGAIN }).click();
}

/** The steps of the next test, which continue from one another. */
const STEPS: Record<string, (page: Page) => Promise<void>> = {
  async "a click with a modifier key does not open the modal"(page) {
    const isHandled = (modifiers: object) =>
      linkOf(page).evaluate((link, modifiers) => {
        let handled: boolean | undefined;
        globalThis.addEventListener("click", (event) => {
          handled = event.defaultPrevented;
          event.preventDefault();
        }, { once: true });
        const init = { bubbles: true, cancelable: true, ...modifiers };
        link.dispatchEvent(new MouseEvent("click", init));
        return handled;
      }, modifiers);
    for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) {
      assertEquals(await isHandled({ [key]: true }), false, key);
    }
    assertEquals(await isHandled({}), true);
    await dialogOf(page).waitFor();
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
  },
  async "Tab stays inside, and the page behind does not scroll"(page) {
    await reopen(page);
    const top = await page.evaluate(() => scrollY);
    const controls = CONTACT_FIELDS.flatMap((field) => controlsOf(field) as string[]);
    const stops = ["Close", ...controls, "button primary", "privacy"].map((name) =>
      name === "mobile_country" ? COPY.DIAL_CODE : name
    );
    for (const [key, expected] of [["Tab", stops], ["Shift+Tab", stops.toReversed()]] as const) {
      const seen: string[] = [];
      for (const _ of [...stops, "once more"]) {
        await page.keyboard.press(key);
        seen.push(await focusOf(page));
      }
      const start = expected.indexOf(seen[0]);
      const cycle = [...expected.slice(start), ...expected.slice(0, start), seen[0]];
      assertEquals(seen, cycle, "without the honeypot");
    }
    const honeypot =
      (await page.locator(`[name="${CONFIG.HONEYPOT}"]`).locator("..").boundingBox())!;
    assert(honeypot.width <= PIXEL && honeypot.height <= PIXEL, "and not visible");
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -5_000);
    const overflow = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    assertEquals(await overflow(), "hidden", "the page has no scrollbar either");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    assertPixels([await page.evaluate(() => scrollY)], [top]);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((top) => scrollY < top, top);
    await reopen(page);
  },
  async "the close button, the backdrop and Escape close it and keep the draft"(page) {
    await nameOf(page).fill("Ada");
    const ways = [
      () => closeOf(page).click(),
      () => page.mouse.click(30, 400),
      () => page.keyboard.press("Escape"),
    ];
    for (const close of ways) {
      await close();
      await dialogOf(page).waitFor({ state: "hidden" });
      assertEquals(await page.evaluate(() => document.activeElement!.localName), "a");
      await reopen(page);
      assertEquals(await nameOf(page).inputValue(), "Ada");
    }
    await nameOf(page).fill("");
    // A text selection that ends outside does not close it.
    const box = (await nameOf(page).boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(30, box.y, { steps: 3 });
    await page.mouse.up();
    assert(await dialogOf(page).isVisible());
  },
  async "issues appear at each field and in a summary that gets the focus"(page) {
    await submitOf(page).click();
    assertEquals(await focusOf(page), "summary");
    await page.keyboard.press("Shift+Tab");
    assertEquals(await focusOf(page), "Close", "the close button precedes it");
    const links = dialogOf(page).locator(".summary a");
    const missing = CONFIG.FIELDS.flatMap((field) => "missing" in field ? [field.missing] : []);
    assertEquals(await links.allTextContents(), missing);
    await links.nth(1).click();
    assertEquals(await focusOf(page), "email");
    const email = page.getByLabel("Email");
    assertEquals(await email.getAttribute("aria-invalid"), "true");
    const described = await dialogOf(page).locator("[aria-invalid=true]").evaluateAll((all) =>
      all.map((one) => {
        const root = one.getRootNode() as ShadowRoot;
        return root.getElementById(one.getAttribute("aria-describedby")!)!.textContent;
      })
    );
    assertEquals(described, missing);
    await email.fill("ada@mail.example.org");
    assertEquals(
      await email.getAttribute("aria-invalid"),
      null,
      "a field that has changed is not marked",
    );
    assertEquals(await links.allTextContents(), missing.toSpliced(1, 1), "and no longer listed");
    assertEquals(await axeViolations(page), []);
  },
  async "the server's issues are shown, and the form keeps its values"(page) {
    await fillIn(page);
    await page.getByLabel("Mobile").fill("0412 345 678 901 234 567");
    await submitOf(page).click();
    await dialogOf(page).locator(".summary a").getByText(/no such number in Australia/).waitFor();
    await becomes(() => focusOf(page), "summary");
    assertMatch(
      await dialogOf(page).locator(".summary a").innerText(),
      /no such number in Australia/,
    );
    assertEquals(await page.getByLabel("Message").inputValue(), "Hello there");
    assert(await closeOf(page).isVisible(), "the close button is back");
    await page.getByLabel("Mobile").fill("0412 345 678");
    await submitOf(page).click();
    await standBy(page).waitFor();
    await startAgain(page);
  },
  async "no enquiry type is preselected, and pressing the chosen one clears it"(page) {
    const chosen = page.getByRole("radio", { checked: true });
    await page.getByLabel("Name", { exact: true }).waitFor();
    assertEquals(await chosen.count(), 0);
    const technical = page.getByRole("radio", { name: "Technical" });
    await technical.check();
    assertEquals(await chosen.count(), 1);
    await technical.click();
    await becomes(() => chosen.count(), 0);
    await technical.press("Space");
    await becomes(() => chosen.count(), 1);
    await technical.press("Space");
    await becomes(() => chosen.count(), 0);
  },
  async "nothing closes the modal while the form is being sent"(page) {
    await fillIn(page);
    const held = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(ENDPOINT, async (route) => {
      sent++;
      await held.promise;
      await route.fulfill({
        status: 503,
        json: {},
        headers: { "access-control-allow-origin": "*" },
      });
    });
    await submitOf(page).click();
    await page.getByRole("button", { name: COPY.SUBMITTING }).waitFor();
    assertEquals(await closeOf(page).count(), 0);
    await nameOf(page).press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.mouse.click(30, 400);
    assert(await dialogOf(page).isVisible());
    // The browser may close a dialog without a `cancel` event; it is shown again.
    await dialogOf(page).evaluate((dialog) => (dialog as HTMLDialogElement).close());
    await dialogOf(page).waitFor();
    held.resolve();
    await assertFailure(page, COPY.FAILURES.unavailable);
    assertEquals(sent, 1, "it is sent once");
    assertEquals(await focusOf(page), "summary");
    assertEquals(await nameOf(page).inputValue(), "Ada Example");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
  },
  async "a retry keeps its key, and a changed form can be sent as new"(page) {
    await page.unroute(ENDPOINT);
    await reopen(page);
    const keys: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
    });
    // The request arrives, but the response is lost.
    await page.route(ENDPOINT, async (route) => {
      await forward(route);
      await route.abort();
    }, { times: 1 });
    await submitOf(page).click();
    await assertFailure(page, COPY.FAILURES.network);

    await page.keyboard.press("Escape");
    await reopen(page);
    await page.getByLabel("Message").fill("Something else");
    await submitOf(page).click();
    await assertFailure(page, COPY.FAILURES.conflict);
    await page.getByRole("button", { name: COPY.SEND_AS_NEW }).click();
    await standBy(page).waitFor();
    assertEquals(keys.length, 3);
    assertEquals(
      keys[0],
      keys[1],
      "even after closing the form, because the enquiry may have arrived",
    );
    assertNotEquals(keys[1], keys[2]);
    await startAgain(page);
  },
  async "an unchanged retry gets the same record"(page) {
    await fillIn(page);
    let first = "";
    await page.route(ENDPOINT, async (route) => {
      first = (await (await forward(route)).json()).hash;
      await route.abort();
    }, { times: 1 });
    await submitOf(page).click();
    await assertFailure(page, COPY.FAILURES.network);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    await reopen(page);
    await playThrough(page);
    assert((await logOf(page)).includes(`${COPY.MESSAGE.RECORD}: ${first}`));
  },
  async "a clipboard that is blocked selects the hash of the note"(page) {
    const hash = (await logOf(page))[2].split(": ")[1];
    await closeOf(page).click();
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const note = page.getByRole("complementary", { name: COPY.NOTE });
    await note.getByRole("button", { name: COPY.COPY_HASH }).click();
    await note.getByText(COPY.COPY_BLOCKED).waitFor();
    assertEquals(await page.evaluate(() => String(getSelection())), hash);
  },
  async "a form that is sent within two seconds of its first opening waits"(page) {
    await reopen(page);
    await page.getByRole("button", { name: COPY.AGAIN }).click();
    await nameOf(page).fill("Ada Example");
    await page.getByLabel("Email").fill("ada@mail.example.org");
    await page.getByLabel("Technical").check();
    const bodies: { elapsed_ms: number }[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push(request.postDataJSON());
    });
    await submitOf(page).click();
    await page.getByRole("button", { name: COPY.SUBMITTING }).waitFor();
    await page.clock.runFor(1_900);
    assertEquals(bodies, []);
    assert(await dialogOf(page).isVisible());
    await page.clock.runFor(100);
    await standBy(page).waitFor();
    assertEquals(bodies.map(({ elapsed_ms }) => elapsed_ms), [2_000]);
  },
};

test(
  "the modal on one page: opening and closing, issues, retries and further forms",
  { expectedErrors: [/(status of (400|409|503)|ERR_FAILED) .*\/api\/ir\/register\)$/] },
  async (page, _context, t) => {
    await openPage(page, site, "commercial");
    for (const [name, step] of Object.entries(STEPS)) {
      if (!await t.step(name, () => step(page))) return;
    }
  },
);
