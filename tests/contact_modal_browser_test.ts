import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page, Route } from "playwright-core";
import { CONFIG } from "../lib/contact/config.ts";
import { axeViolations, becomes } from "./browser.ts";
import {
  closeOf,
  dialogOf,
  ENDPOINT,
  fillIn,
  focusOf,
  linkOf,
  logOf,
  nameOf,
  NARROW,
  openModal,
  openPage,
  playThrough,
  reach,
  standBy,
  submitAtFullPace,
  submitOf,
  WIDE,
} from "./contact_page.ts";
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

/** Reopens the dialog with the link on the page. */
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
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  const hasModule = async () =>
    (await Promise.all(scripts)).some((code) => code.includes(COPY.STAND_BY));
  await openPage(page, site, surface);
  assert(scripts.length > 0);
  assertEquals(await hasModule(), false, "the module is not loaded before it is opened");
  const menu = page.getByText("Menu", { exact: true });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await dialogOf(page).waitFor();
  assert(await hasModule());

  const sheet = (await dialogOf(page).locator(".sheet").boundingBox())!;
  assertEquals(sheet.width, Math.min(640, viewport.width));
  assertEquals(sheet.x, (viewport.width - sheet.width) / 2);
  const cross = (await closeOf(page).boundingBox())!;
  assert(sheet.y >= 0 && cross.y > sheet.y, "its top and the close button are on the screen");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  await reopen(page);
  assert(await page.getByText(COPY.FOOTER).isVisible());
}

/** Asserts that the sequence fills the screen, and that nothing closes it. */
async function assertFullScreen({ page, viewport }: ModalPage, phase: string) {
  assertEquals(await closeOf(page).count(), 0, `no close button in ${phase}`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  assert(await dialogOf(page).isVisible(), `still open in ${phase}`);
  const dialog = (await dialogOf(page).boundingBox())!;
  assertEquals([dialog.width, dialog.height], [viewport.width, viewport.height]);
  if (phase === "standby") assert(await standBy(page).isVisible());
}

/** Closes the modal after the sequence, and opens an empty form. */
async function assertReturn({ page }: ModalPage) {
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
  await page.mouse.click(5, 400);
  assert(await dialogOf(page).isVisible(), "a click next to the text does not close it");
  await closeOf(page).click();
  await dialogOf(page).waitFor({ state: "hidden" });
  const inPlace = () => document.activeElement!.closest(":is(#participate, #contact) a") !== null;
  assert(await page.evaluate(inPlace), "the focus returns to the link");
  await reopen(page);
  await page.getByRole("button", { name: COPY.AGAIN }).click();
  assertEquals(await nameOf(page).inputValue(), "");
}

test(
  `foundation at ${WIDE.width} px: the links open the modal, and the sequence returns to the page`,
  { context: { viewport: WIDE } },
  async (page) => {
    const wide = { page, viewport: WIDE };
    await openWithLinks(wide, "foundation");
    await fillIn(page);
    await submitAtFullPace(page);
    for (const phase of ["standby", "fade", "teletype", "ends", "feed"]) {
      await reach(page, phase);
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport);
        await assertFullScreen({ page, viewport }, phase);
      }
    }
    await reach(page, "watch");
    await assertReturn(wide);
  },
);

test(
  `commercial at ${NARROW.width} px: the links open the modal, and the sequence returns to the page`,
  { context: { viewport: NARROW } },
  async (page, _context, t) => {
    const narrow = { page, viewport: NARROW };
    await openWithLinks(narrow, "commercial");
    await fillIn(page);
    await submitOf(page).click();
    await reach(page, "standby");
    await assertFullScreen(narrow, "standby");
    await t.step("with reduced motion, everything appears without typing", async () => {
      const animations = () => page.evaluate(() => document.getAnimations().length);
      assertEquals(await animations(), 0);
      await page.clock.runFor(3_000);
      assertEquals(await page.locator('dialog[data-phase="watch"]').count(), 1, "at once");
      assertEquals(await animations(), 0);
      assertEquals(await page.locator(".cursor, .untyped").count(), 0);
      assert((await dialogOf(page).innerText()).includes("MESSAGE ENDS"));
    });
    await assertReturn(narrow);
  },
);

test(
  "the modal opens on a plain click, keeps the focus and closes in three ways",
  {},
  async (page, _context, t) => {
    await openPage(page, site, "commercial");
    await t.step("a click with a modifier key does not open the modal", async () => {
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
    });
    await t.step("Tab stays inside, and the page behind does not scroll", async () => {
      await reopen(page);
      const top = await page.evaluate(() => scrollY);
      for (const key of ["Tab", "Shift+Tab"]) {
        const seen: string[] = [];
        for (let i = 0; i < 22; i++) {
          await page.keyboard.press(key);
          seen.push(await focusOf(page));
          const inside = await page.evaluate(() => document.activeElement!.shadowRoot !== null);
          assert(inside, `${key} ${i} left the form for ${seen.at(-1)}`);
        }
        assert(seen.includes("Close") && seen.includes("message"), seen.join());
        assert(!seen.includes(CONFIG.HONEYPOT), "the honeypot is not reachable");
      }
      const honeypot =
        (await page.locator(`[name="${CONFIG.HONEYPOT}"]`).locator("..").boundingBox())!;
      assert(honeypot.width <= 1 && honeypot.height <= 1, "and not visible");
      await page.mouse.move(640, 400);
      await page.mouse.wheel(0, -5_000);
      const overflow = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
      assertEquals(await overflow(), "hidden", "the page has no scrollbar either");
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      assertEquals(await page.evaluate(() => scrollY), top);
      await page.mouse.wheel(0, -300);
      await page.waitForFunction((top) => scrollY < top, top);
      await reopen(page);
    });
    await t.step(
      "the close button, the backdrop and Escape close it and keep the draft",
      async () => {
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
        // A text selection that ends outside does not close it.
        const box = (await nameOf(page).boundingBox())!;
        await page.mouse.move(box.x + 5, box.y + 5);
        await page.mouse.down();
        await page.mouse.move(30, box.y, { steps: 3 });
        await page.mouse.up();
        assert(await dialogOf(page).isVisible());
      },
    );
  },
);

test("the browser's and the server's issues are shown", {
  expectedErrors: [/400/],
}, async (page, _context, t) => {
  await openModal(page, site);
  await t.step("issues appear at each field and in a summary that gets the focus", async () => {
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
    const described = await email.getAttribute("aria-describedby");
    assertEquals(await page.locator(`#${described}`).textContent(), "Enter your email address.");
    await email.fill("ada@mail.example.org");
    assertEquals(
      await email.getAttribute("aria-invalid"),
      null,
      "a field that has changed is not marked",
    );
    assertEquals(await axeViolations(page), []);
  });
  await t.step("the server's issues are shown, and the form keeps its values", async () => {
    await fillIn(page);
    await page.getByLabel("Mobile").fill("0412 345 678 901 234 567");
    await submitOf(page).click();
    await dialogOf(page).locator(".summary a").getByText(/not a number in Australia/).waitFor();
    await becomes(() => focusOf(page), "summary");
    assertMatch(
      await dialogOf(page).locator(".summary a").innerText(),
      /not a number in Australia/,
    );
    assertEquals(await page.getByLabel("Message").inputValue(), "Hello there");
    assert(await closeOf(page).isVisible(), "the close button is back");
    await page.getByLabel("Mobile").fill("0412 345 678");
    await submitOf(page).click();
    await standBy(page).waitFor();
  });
});

test("the form is sent once, a retry keeps its key, and a changed form can be sent as new", {
  expectedErrors: [/503|ERR_FAILED|Failed to fetch|409/],
}, async (page, _context, t) => {
  await openModal(page, site);
  await fillIn(page);
  await t.step("nothing closes the modal while the form is being sent", async () => {
    const gate = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(ENDPOINT, async (route) => {
      sent++;
      await gate.promise;
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
    gate.resolve();
    await page.getByText(COPY.FAILURES.unavailable).waitFor();
    assertEquals(sent, 1, "it is sent once");
    assertEquals(await focusOf(page), "summary");
    assertEquals(await nameOf(page).inputValue(), "Ada Example");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
  });
  await t.step("a retry keeps its key, and a changed form can be sent as new", async () => {
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
    await page.getByText(COPY.FAILURES.network).waitFor();

    await page.keyboard.press("Escape");
    await reopen(page);
    await page.getByLabel("Message").fill("Something else");
    await submitOf(page).click();
    await page.getByText(COPY.FAILURES.conflict).waitFor();
    await page.getByRole("button", { name: COPY.SEND_AS_NEW }).click();
    await standBy(page).waitFor();
    assertEquals(keys.length, 3);
    assertEquals(
      keys[0],
      keys[1],
      "even after closing the form, because the enquiry may have arrived",
    );
    assertNotEquals(keys[1], keys[2]);
  });
});

test(
  "the record stays after the sequence: in a note, on the next page, before another form",
  {
    context: {
      viewport: NARROW,
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    },
  },
  async (page) => {
    await openModal(page, site);
    await fillIn(page);
    await playThrough(page);
    const hash = (await logOf(page))[2].split(": ")[1];
    const note = page.getByRole("complementary", { name: COPY.NOTE });
    assertEquals(await note.isVisible(), false, "not during the sequence");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    const check = async () => {
      await note.getByText(hash).waitFor();
      const verify = note.getByRole("link", { name: COPY.VERIFY_SHORT });
      const url = new URL((await verify.getAttribute("href"))!);
      assertEquals([url.pathname, url.search], ["/verify", `?hash=${hash}`]);
    };
    await check();
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

    await page.clock.resume();
    await page.goto(site.services.surfaces.url("commercial", "/connect")!);
    await check();
    await note.getByText(COPY.NOTE, { exact: true }).click();
    await note.getByText(hash).waitFor({ state: "hidden" });
    await page.reload();
    await note.waitFor({ state: "attached" });
    assertEquals(await note.getByText(hash).isVisible(), false, "it stays folded");
    await note.getByText(COPY.NOTE, { exact: true }).click();

    const open = note.getByRole("button", { name: COPY.OPEN_RECEIPT });
    await open.click();
    await dialogOf(page).getByText(hash).waitFor();
    assert((await dialogOf(page).innerText()).includes("a•••@m•••.org"));
    assertEquals(await submitOf(page).count(), 0);
    assertEquals(await axeViolations(page), []);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    assertEquals(await focusOf(page), await open.getAttribute("class"));

    await openPage(page, site, "commercial");
    await reopen(page);
    await dialogOf(page).getByText(hash).waitFor();
    await page.getByRole("button", { name: COPY.AGAIN }).click();
    await fillIn(page);
    await playThrough(page);
    const second = (await logOf(page))[2].split(": ")[1];
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

test(
  "an unchanged retry gets the same record, whose hash can be selected, and the next form waits",
  {
    expectedErrors: [/ERR_FAILED|Failed to fetch/],
  },
  async (page, _context, t) => {
    await openModal(page, site);
    await fillIn(page);
    await t.step("an unchanged retry gets the same record", async () => {
      let first = "";
      await page.route(ENDPOINT, async (route) => {
        first = (await (await forward(route)).json()).hash;
        await route.abort();
      }, { times: 1 });
      await submitOf(page).click();
      await page.getByText(COPY.FAILURES.network).waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      await reopen(page);
      await playThrough(page);
      assert((await logOf(page)).includes(`${COPY.MESSAGE.RECORD}: ${first}`));
    });
    await t.step("a clipboard that is blocked selects the hash of the note", async () => {
      const hash = (await logOf(page))[2].split(": ")[1];
      await closeOf(page).click();
      await page.evaluate(() =>
        Object.defineProperty(navigator, "clipboard", { value: undefined })
      );
      const note = page.getByRole("complementary", { name: COPY.NOTE });
      await note.getByRole("button", { name: COPY.COPY_HASH }).click();
      await note.getByText(COPY.COPY_BLOCKED).waitFor();
      assertEquals(await page.evaluate(() => String(getSelection())), hash);
    });
    await t.step("a form that is sent within two seconds of its first opening waits", async () => {
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
    });
  },
);
