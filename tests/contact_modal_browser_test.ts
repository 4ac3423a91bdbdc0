import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page, Route } from "playwright-core";
import { CONFIG } from "../lib/contact/config.ts";
import {
  closeOf,
  dialogOf,
  fillIn,
  focusOf,
  logOf,
  playThrough,
  reach,
  submitOf,
  violationsOf,
} from "./contact_page.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite({ CONTACT_CLIENT_LIMIT: "0" });
const { surfaces } = site.services;
const { COPY } = CONFIG;

const SITES = ["foundation", "commercial"] as const;
const SIZES = [{ width: 1280, height: 800 }, { width: 375, height: 740 }];
const ENDPOINT = "**/api/ir/register";

async function openPage(page: Page, surface: typeof SITES[number] | "investor") {
  await page.clock.install();
  await page.clock.resume(); // another page's stands still, if it was filled in
  await page.goto(surfaces.url(surface, "/")!, { waitUntil: "networkidle" });
  // The badge is a button once the islands are awake; the form has taken its place by then, or will.
  const awake = surface === "investor" ? ".root form" : ".mcp-badge[role=button]";
  await page.locator(awake).first().waitFor({ state: "attached" });
}

async function openModal(page: Page, surface: typeof SITES[number] = "commercial") {
  await openPage(page, surface);
  await page.locator("#participate").getByRole("link", { name: /Contact us|Register/ }).click();
  await dialogOf(page).waitFor();
}

/** Sends on what a page has sent, past the page: only what comes back is the test's. */
async function arrive(route: Route): Promise<Response> {
  const request = route.request();
  return await site.request("api", "/api/ir/register", {
    method: "POST",
    headers: await request.allHeaders(),
    body: request.postData(),
  });
}

for (const surface of SITES) {
  for (const viewport of SIZES) {
    const where = `${surface} at ${viewport.width} px`;
    browser.test(`${where}: Contact in the bar and in Participate open the modal`, {
      context: { viewport },
    }, async (page) => {
      const scripts: Promise<string>[] = [];
      page.on("response", (response) => {
        if (response.request().resourceType() === "script") scripts.push(response.text());
      });
      const hasModule = async () =>
        (await Promise.all(scripts)).some((code) => code.includes(COPY.STAND_BY));
      await openPage(page, surface);
      assert(scripts.length > 0);
      assertEquals(await hasModule(), false, "nothing of the module before it is opened");
      const menu = page.getByText("Menu", { exact: true });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
      await dialogOf(page).waitFor();
      assert(await hasModule());

      const box = (await dialogOf(page).locator(".sheet").boundingBox())!;
      assertEquals(box.width, Math.min(640, viewport.width));
      assertEquals(box.x, (viewport.width - box.width) / 2);
      const cross = (await closeOf(page).boundingBox())!;
      assert(box.y >= 0 && cross.y > box.y, "its top and the cross are on the screen");
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "hidden" });
      await page.locator("#participate").getByRole("link", { name: /Contact us|Register/ }).click();
      await dialogOf(page).waitFor();
    });

    browser.test(`${where}: from the form to the feed's end, and back to the page`, {
      context: { viewport },
    }, async (page) => {
      await openModal(page, surface);
      await fillIn(page);
      assert(await closeOf(page).isVisible());
      await submitOf(page).click();

      for (const phase of ["standby", "fade", "teletype", "ends", "feed"]) {
        await reach(page, phase);
        assertEquals(await closeOf(page).count(), 0, `no cross in ${phase}`);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.mouse.click(5, 5);
        assert(await dialogOf(page).isVisible(), `still open in ${phase}`);
        const dialog = (await dialogOf(page).boundingBox())!;
        assertEquals([dialog.width, dialog.height], [viewport.width, viewport.height]);
        if (phase === "standby") {
          assert(await page.getByText("STAND BY", { exact: true }).isVisible());
        }
      }
      await reach(page, "watch");
      const text = await dialogOf(page).innerText();
      for (
        const part of [
          "a•••@m•••.org",
          "+61 ••• ••• 678",
          "MESSAGE ENDS",
          "hash_generated",
          COPY.HINT,
        ]
      ) assert(text.includes(part), part);
      assert(await page.getByRole("img", { name: COPY.QR }).isVisible());
      await page.mouse.click(5, 400);
      assert(await dialogOf(page).isVisible(), "black is no backdrop: a stray click loses nothing");
      await closeOf(page).click();
      await dialogOf(page).waitFor({ state: "hidden" });
      assertMatch(await focusOf(page), /^$/); // the link, which has no name of its own
      assertEquals(
        await page.evaluate(() => document.activeElement!.closest("#participate") !== null),
        true,
      );
      await page.locator("#participate").getByRole("link", { name: /Contact us|Register/ }).click();
      assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "");
    });
  }
}

browser.test("with a modifier Contact is a link, for a tab or a window", {}, async (page) => {
  await openPage(page, "commercial");
  const link = page.locator("#participate").getByRole("link", { name: /Register/ });
  const isTaken = (modifiers: object) =>
    link.evaluate((link, modifiers) => {
      let taken: boolean | undefined;
      globalThis.addEventListener("click", (event) => {
        taken = event.defaultPrevented;
        event.preventDefault();
      }, { once: true });
      const init = { bubbles: true, cancelable: true, ...modifiers };
      link.dispatchEvent(new MouseEvent("click", init));
      return taken;
    }, modifiers);
  for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) {
    assertEquals(await isTaken({ [key]: true }), false, key);
  }
  assertEquals(await isTaken({}), true);
  await dialogOf(page).waitFor();
});

browser.test("cross, backdrop and Escape close it, and nothing typed is lost", {}, async (page) => {
  await openModal(page);
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  const link = page.locator("#participate").getByRole("link", { name: /Register/ });
  const ways = [
    () => closeOf(page).click(),
    () => page.mouse.click(30, 400),
    () => page.keyboard.press("Escape"),
  ];
  for (const close of ways) {
    await close();
    await dialogOf(page).waitFor({ state: "hidden" });
    assertEquals(await page.evaluate(() => document.activeElement!.localName), "a");
    await link.click();
    await dialogOf(page).waitFor();
    assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "Ada");
  }
  // A selection that ends outside does not close it.
  const box = (await page.getByLabel("Name", { exact: true }).boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(30, box.y, { steps: 3 });
  await page.mouse.up();
  assert(await dialogOf(page).isVisible());
});

browser.test("Tab stays inside, and the page behind does not scroll", {}, async (page) => {
  await openModal(page);
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
    assert(!seen.includes(CONFIG.HONEYPOT), "nobody comes to the honeypot");
  }
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -5_000);
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
  assertEquals(await overflow(), "hidden", "nor has it a scrollbar to drag");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  assertEquals(await page.evaluate(() => scrollY), top);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((top) => scrollY < top, top);
});

browser.test(
  "the fields stand in their order, with names and what autofill asks for",
  {},
  async (page) => {
    await openModal(page);
    const fields = await page.locator("form :is(input, select, textarea)").evaluateAll((all) =>
      all.map((one) => [one.getAttribute("name"), one.getAttribute("autocomplete")].join(" "))
    );
    assertEquals([...new Set(fields)], [
      "name name",
      "organisation organization",
      "email email",
      "mobile_country tel-country-code",
      "mobile_number tel-national",
      "enquiry_type off",
      "message off",
      `${CONFIG.HONEYPOT} off`,
    ]);
    const codes = page.getByLabel(COPY.DIAL_CODE).locator("option");
    assertEquals(await codes.count(), 18);
    assertEquals(await codes.first().textContent(), "Australia (+61)");
    const trap = page.locator(`[name="${CONFIG.HONEYPOT}"]`);
    assertEquals(await trap.getAttribute("tabindex"), "-1");
    const box = (await trap.locator("xpath=..").boundingBox())!;
    assert(box.width <= 1 && box.height <= 1);
    assert(await page.getByText(COPY.FOOTER).isVisible());
  },
);

browser.test(
  "what is wrong stands in a summary with the focus, and at each field",
  {},
  async (page) => {
    await openModal(page);
    await submitOf(page).click();
    assertEquals(await focusOf(page), "summary");
    await page.keyboard.press("Shift+Tab");
    assertEquals(await focusOf(page), "Close", "back to what stands before it");
    const links = dialogOf(page).locator(".summary a");
    assertEquals(await links.allTextContents(), [
      ...CONFIG.FIELDS.flatMap((field) => "missing" in field ? [field.missing] : []),
    ]);
    await links.nth(1).click();
    assertEquals(await focusOf(page), "email");
    const email = page.getByLabel("Email");
    assertEquals(await email.getAttribute("aria-invalid"), "true");
    const described = await email.getAttribute("aria-describedby");
    assertEquals(await page.locator(`#${described}`).textContent(), "Enter your email address.");
    await email.fill("ada@mail.example.org");
    assertEquals(await email.getAttribute("aria-invalid"), null, "mended as far as can be told");
    assertEquals(await violationsOf(page), []);
  },
);

browser.test("what is pasted is not cut off; that it is too long is told", {}, async (page) => {
  await openModal(page);
  await fillIn(page);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.method()));
  const message = page.getByLabel("Message");
  await message.fill("");
  await message.focus();
  await page.keyboard.insertText("x".repeat(5_001));
  await submitOf(page).click();
  assertEquals(await dialogOf(page).locator(".summary a").allTextContents(), [
    COPY.TOO_LONG,
  ]);
  assertEquals((await message.inputValue()).length, 5_001);
  assertEquals(sent.filter((method) => method === "POST"), []);
});

browser.test("the server's issues win, and the form comes back as it was", {
  expectedErrors: [/400/],
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await page.getByLabel("Mobile").fill("0412 345 678 901 234 567");
  await submitOf(page).click();
  await dialogOf(page).locator(".summary").waitFor();
  assertEquals(await focusOf(page), "summary");
  assertMatch(await dialogOf(page).locator(".summary a").innerText(), /not a number in Australia/);
  assertEquals(await page.getByLabel("Message").inputValue(), "Hello there");
  assert(await closeOf(page).isVisible(), "the cross is given back");
  await page.getByLabel("Mobile").fill("0412 345 678");
  await submitOf(page).click();
  await page.getByText("STAND BY", { exact: true }).waitFor();
});

browser.test("while it is being sent nothing closes it; a failure gives it back", {
  expectedErrors: [/503/],
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  const gate = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(ENDPOINT, async (route) => {
    sent++;
    await gate.promise;
    await route.fulfill({ status: 503, json: {}, headers: { "access-control-allow-origin": "*" } });
  });
  await submitOf(page).click();
  await page.getByRole("button", { name: COPY.SUBMITTING }).waitFor();
  assertEquals(await closeOf(page).count(), 0);
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(30, 400);
  assert(await dialogOf(page).isVisible());
  // Whatever else closes it, as a browser may without asking: it comes back.
  await dialogOf(page).evaluate((dialog) => (dialog as HTMLDialogElement).close());
  await dialogOf(page).waitFor();
  gate.resolve();
  await page.getByText(COPY.FAILURES.unavailable).waitFor();
  assertEquals(sent, 1, "nothing sends it twice");
  assertEquals(await focusOf(page), "summary");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "Ada Example");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
});

browser.test("a retry keeps its key; what was changed since can be sent as new", {
  expectedErrors: [/ERR_FAILED|Failed to fetch|409/],
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  const keys: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
  });
  // It arrives, and the answer is lost.
  await page.route(ENDPOINT, async (route) => {
    await arrive(route);
    await route.abort();
  }, { times: 1 });
  await submitOf(page).click();
  await page.getByText(COPY.FAILURES.network).waitFor();

  await page.keyboard.press("Escape");
  await page.locator("#participate").getByRole("link", { name: /Register/ }).click();
  await page.getByLabel("Message").fill("Something else");
  await submitOf(page).click();
  await page.getByText(COPY.FAILURES.conflict).waitFor();
  await page.getByRole("button", { name: COPY.SEND_AS_NEW }).click();
  await page.getByText("STAND BY", { exact: true }).waitFor();
  assertEquals(keys.length, 3);
  assertEquals(keys[0], keys[1], "even over closing, for it may have arrived");
  assertNotEquals(keys[1], keys[2]);
});

browser.test("its time counts from a draft's first opening, and anew for the next draft", {
  expectedErrors: [/400/],
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  const open = async () => {
    await page.locator("#participate").getByRole("link", { name: /Register/ }).click();
    await dialogOf(page).waitFor();
  };
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  await open();
  await playThrough(page);
  await closeOf(page).click();
  await open();
  await page.getByLabel("Name", { exact: true }).fill("Ada Example");
  await page.getByLabel("Email").fill("ada@mail.example.org");
  await page.getByLabel("Technical").check();
  await submitOf(page).click();
  await page.getByText(COPY.FAILURES.too_fast).waitFor();
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "Ada Example");
  await page.clock.runFor(2_000);
  await submitOf(page).click();
  await page.getByText("STAND BY", { exact: true }).waitFor();
});

browser.test("unchanged, a retry is the same record", {
  expectedErrors: [/ERR_FAILED|Failed to fetch/],
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  let first = "";
  await page.route(ENDPOINT, async (route) => {
    first = (await (await arrive(route)).json()).hash;
    await route.abort();
  }, { times: 1 });
  await submitOf(page).click();
  await page.getByText(COPY.FAILURES.network).waitFor();
  await playThrough(page);
  assert((await logOf(page)).includes(`${COPY.MESSAGE.RECORD}: ${first}`));
});

browser.test("a screen reader gets each text once, and at once", {}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await submitOf(page).click();
  const status = dialogOf(page).getByRole("status");
  await reach(page, "standby");
  assertEquals(await status.textContent(), `${COPY.STAND_BY}. ${COPY.STAND_BY_NOTE}`);
  assertEquals(await page.locator(".receipt").getAttribute("aria-hidden"), "true");
  await reach(page, "teletype");
  const lines = await logOf(page);
  assertEquals(lines.filter((line) => line !== "").length, 9, "all at once");
  assertMatch(lines[3], /^EMAIL: a•••@m•••\.org$/);
  await reach(page, "watch");
  assertEquals((await logOf(page)).at(-1), "MESSAGE ENDS");
  const hidden = await page.locator(".paper > p").evaluateAll((all) =>
    all.every((one) => one.getAttribute("aria-hidden") === "true")
  );
  assert(hidden, "what is typed is for the eyes");
  const row = page.locator(".feed [role=log] li").first();
  assertMatch(
    (await row.locator(".away").textContent())!,
    /^\d\d \w{3} \d{4} .* hash_generated ✓$/,
  );
  assertEquals(await row.locator("[aria-hidden=true]").count(), 3);
});

browser.test("an event that happens meanwhile is typed in at the bottom", {}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await playThrough(page);
  const hash = (await logOf(page))[2].split(": ")[1];
  await site.services.chains.append(hash, "email_confirmed");
  const answered = page.waitForResponse(/\?after=0/);
  await page.clock.runFor(5_000);
  await answered;
  const row = page.locator(".feed [role=log] li").nth(1);
  await row.waitFor();
  await page.clock.runFor(100);
  const shown = () =>
    row.locator("[aria-hidden=true]").evaluateAll((cells) =>
      cells.map((cell) =>
        [...cell.childNodes].filter((node) => node.nodeType === 3)
          .map((node) => node.textContent).join("")
      ).join("|")
    );
  assert((await shown()).length < 12, "it begins with a few characters");
  await page.clock.runFor(2_000);
  assertMatch(await shown(), /^\d\d \w{3} \d{4} \d\d:\d\d:\d\d\|email_confirmed\|✓$/);
});

browser.test("a new event comes into view for who is at the end, and for nobody else", {
  context: { viewport: { width: 375, height: 560 } },
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await playThrough(page);
  const hash = (await logOf(page))[2].split(": ")[1];
  const rows = page.locator(".feed [role=log] li");
  const happen = async (count: number) => {
    await site.services.chains.append(hash, "record_verified");
    const answered = page.waitForResponse(/\?after=/);
    await page.clock.runFor(5_000);
    await answered;
    await rows.nth(count - 1).waitFor();
  };
  const view = page.locator("dialog");
  const fromEnd = () => view.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
  assertEquals(await fromEnd(), 0);
  await happen(2);
  assertEquals(await fromEnd(), 0, "as soon as it is being typed");
  await page.clock.runFor(2_000);
  await view.evaluate((one) => one.scrollTop = 20);
  await happen(3);
  await page.clock.runFor(2_000);
  assertEquals(await view.evaluate((one) => one.scrollTop), 20);
});

browser.test(
  "a tab that is hidden stands still, and catches up when it is seen",
  {},
  async (page) => {
    const polls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("?after=")) polls.push(request.url());
    });
    await openModal(page);
    await fillIn(page);
    await submitOf(page).click();
    await reach(page, "teletype");
    const show = (visibility: "hidden" | "visible") =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", {
          value: visibility,
          configurable: true,
        });
        document.dispatchEvent(new Event("visibilitychange"));
      }, visibility);
    await show("hidden");
    const typed = () => page.locator(".paper > p").allTextContents();
    const before = await typed();
    await page.clock.runFor(60_000);
    assertEquals(await typed(), before);
    assertEquals(polls, []);
    const polled = page.waitForRequest(/\?after=0/);
    await show("visible");
    await polled;
    await reach(page, "watch");
    assertEquals(polls.length, 1);
  },
);

browser.test("at the feed's end Tab goes round what is there, both ways", {}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await playThrough(page);
  assertEquals(await focusOf(page), "paper");
  const stops: string[] = [];
  for (const key of ["Tab", "Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    stops.push(await focusOf(page) || "verify"); // the last link has no name but its text
  }
  // The cross stands before the paper that had the focus.
  assertEquals(stops, [
    "qr-link",
    COPY.FEED_TITLE,
    "verify",
    "Close",
    "qr-link",
    "Close",
    "verify",
  ]);
});

browser.test("with less motion all of it is there without typing", {
  context: { reducedMotion: "reduce" },
}, async (page) => {
  await openModal(page);
  await fillIn(page);
  await submitOf(page).click();
  await reach(page, "standby");
  const animations = () => page.evaluate(() => document.getAnimations().length);
  assertEquals(await animations(), 0);
  await page.clock.runFor(3_000);
  assertEquals(await page.locator('dialog[data-phase="watch"]').count(), 1, "at once");
  assertEquals(await animations(), 0);
  assertEquals(await page.locator(".cursor, .untyped").count(), 0);
  assert((await dialogOf(page).innerText()).includes("MESSAGE ENDS"));
});

for (const colorScheme of ["dark", "light"] as const) {
  for (const viewport of SIZES) {
    browser.test(
      `no state breaks a rule of axe-core, in ${colorScheme} at ${viewport.width} px`,
      { context: { colorScheme, viewport } },
      async (page) => {
        for (const [surface, path] of [["commercial", "modal"], ["investor", "page"]] as const) {
          if (surface === "commercial") await openModal(page);
          else await openPage(page, "investor");
          const calm = () =>
            page.evaluate(() =>
              Promise.allSettled(
                document.getAnimations()
                  .filter(({ effect }) => effect!.getComputedTiming().iterations === 1)
                  .map((animation) => animation.finished),
              )
            );
          await page.getByLabel("Name", { exact: true }).waitFor();
          await calm();
          assertEquals(await violationsOf(page), [], `${path} form`);
          await fillIn(page);
          await submitOf(page).click();
          for (const phase of ["standby", "teletype", "watch"]) {
            await reach(page, phase);
            await calm();
            assertEquals(await violationsOf(page), [], `${path} ${phase}`);
            const wider = await dialogOf(page).or(page.locator("html")).last().evaluate((one) =>
              one.scrollWidth - one.clientWidth
            );
            assertEquals(wider, 0, `${path} ${phase} is wider than the screen`);
          }
          await closeOf(page).click();
        }
        assertEquals(await violationsOf(page), [], "the note that stays");
      },
    );
  }
}

for (const viewport of SIZES) {
  browser.test(`investor at ${viewport.width} px: page mode, to the full page and back`, {
    context: { viewport },
  }, async (page) => {
    await openPage(page, "investor");
    await page.getByLabel("Name", { exact: true }).waitFor();
    const posted = page.waitForRequest(ENDPOINT);
    await fillIn(page);
    await submitOf(page).click();
    assertEquals((await posted).url(), surfaces.url("api", "/api/ir/register"));
    await reach(page, "standby");
    assertEquals(await dialogOf(page).isVisible(), false, "the card stands in the page");
    assertEquals(await focusOf(page), COPY.TITLE, "what had the focus is gone");
    assert(await page.getByText("STAND BY", { exact: true }).isVisible());
    await reach(page, "teletype");
    const box = (await dialogOf(page).boundingBox())!;
    assertEquals([box.width, box.height], [viewport.width, viewport.height]);
    await page.keyboard.press("Escape");
    assert(await dialogOf(page).isVisible());
    await reach(page, "watch");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    assert(await page.getByRole("heading", { name: COPY.DONE_TITLE }).isVisible());
    assertEquals(await focusOf(page), COPY.TITLE);
    await page.getByRole("button", { name: COPY.AGAIN }).click();
    assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "");
  });
}

browser.test("on the workbench it is in page mode too, at its own address", {}, async (page) => {
  await page.clock.install();
  await page.goto(surfaces.url("workbench", "/contact")!);
  await page.locator(".root form").waitFor();
  await fillIn(page);
  const posted = page.waitForRequest(ENDPOINT);
  await playThrough(page);
  assertEquals(new URL((await posted).url()).origin, surfaces.url("workbench"));
});

browser.test(
  "what was typed before the module came is taken over, with the focus",
  {},
  async (page) => {
    const gate = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route(/\/mod-\w+\.js/, async (route) => {
      held.resolve();
      await gate.promise;
      await route.continue();
    });
    await page.goto(surfaces.url("investor", "/")!);
    await held.promise;
    await page.getByLabel("Name").fill("Ada Early");
    await page.getByLabel("Dial code").selectOption("NZ");
    await page.getByLabel("Email").pressSequentially("ada@");
    gate.resolve();
    await page.waitForFunction(() => document.activeElement!.shadowRoot !== null);
    assertEquals(await focusOf(page), "email");
    await page.keyboard.press("End");
    await page.keyboard.type("mail.example.org");
    assertEquals(
      await page.locator("css=[name=email] >> visible=true").inputValue(),
      "ada@mail.example.org",
    );
    assertEquals(await page.locator("css=[name=name] >> visible=true").inputValue(), "Ada Early");
    const country = page.locator(".dial select");
    assertEquals(await country.inputValue(), "NZ");
  },
);

browser.test("the toggle's colours hold for the form, and the sequence is black in both", {
  context: { colorScheme: "dark" },
}, async (page) => {
  await openPage(page, "investor");
  const text = () => page.locator(".root").evaluate((root) => getComputedStyle(root).color);
  await page.locator(".root").waitFor();
  assertEquals(await text(), "rgb(233, 238, 245)");
  await page.getByRole("button", { name: "Switch to light colours" }).click();
  assertEquals(await text(), "rgb(26, 35, 50)");
  await fillIn(page);
  await submitOf(page).click();
  await reach(page, "teletype");
  const back = await dialogOf(page).evaluate((one) => getComputedStyle(one).backgroundColor);
  assertEquals(back, "rgb(0, 0, 0)");
});

browser.test("without scripts Contact leads to the form, and the form is there", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  for (const surface of SITES) {
    await page.goto(surfaces.url(surface, "/")!);
    await page.locator("#participate").getByRole("link", { name: /Contact us|Register/ }).click();
    await page.waitForURL(surfaces.url("investor", "/")!);
  }
  await page.getByLabel("Name").fill("Ada");
  assertEquals(
    await page.locator("form").getAttribute("action"),
    surfaces.url("api", "/api/ir/register"),
  );
});
