import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG } from "../lib/contact/config.ts";
import type { Registered } from "../lib/contact/receipt.ts";
import {
  assertNear,
  closeOf,
  dialogOf,
  fillIn,
  focusOf,
  playThrough,
  reach,
  submitOf,
  violationsOf,
} from "./contact_page.ts";
import { servedSite } from "./served_site.ts";
import { freePort, serve } from "./site.ts";

/** A page of somebody else: another site, a strict policy, and styles that spare nothing. */
const PORT = freePort();
const ORIGIN = `http://127.0.0.1:${PORT}`;
const { site, browser } = await servedSite({
  CONTACT_CLIENT_LIMIT: "0",
  CONTACT_ORIGINS: ORIGIN,
});
const API = site.services.surfaces.url("api")!;
const ENDPOINT = `${API}/api/ir/register`;
const { COPY } = CONFIG;

const POLICY = [
  "default-src 'self'",
  `script-src 'self' ${API}`,
  `connect-src ${API}`,
  "style-src 'self'",
  "require-trusted-types-for 'script'",
].join("; ");

const HOSTILE = `
html { font-size: 4px; direction: rtl; --card: red; --text: red; }
div, dialog, form, input, button, p { all: unset !important; width: 3px !important; }
body *, #contact { display: none !important; visibility: hidden !important;
  opacity: 0 !important; position: fixed !important; left: -999px !important;
  transform: rotate(3deg) !important; filter: blur(9px) !important; color: red !important;
  font: 3px/9 cursive !important; letter-spacing: 1em !important; pointer-events: none !important;
  --card: red !important; --text: red !important; }
:focus { outline: none !important; }
`;

const page = (body: string, policy = POLICY) =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title>
    <meta name="viewport" content="width=device-width">${body}`,
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cross-origin-embedder-policy": "require-corp",
      },
    },
  );
const SCRIPT = `<script src="${API}/components/contact-form.js" crossorigin></script>
  <script src="/page.js"></script>`;

/** The page, its script and its policy as the documentation has them, word by word. */
const [DOCUMENTED, DOCUMENTED_SCRIPT, ...OTHERS] =
  (await Deno.readTextFile(new URL("../docs/contact-form.md", import.meta.url)))
    .replaceAll("https://api.example", API)
    .match(/(?<=\n\n)( {4}.*\n)+/g)!;
const DOCUMENTED_POLICY = OTHERS.find((block) => block.includes("default-src"))!.trim();

const FILES: Record<string, () => Response> = {
  "/documented": () => page(DOCUMENTED.replace("/page.js", "/documented.js"), DOCUMENTED_POLICY),
  "/documented.js": () => script(DOCUMENTED_SCRIPT),
  "/": () => page(`<main><h1>Elsewhere</h1><div id="contact"></div></main>${SCRIPT}`),
  "/column": () =>
    page(`<link rel="stylesheet" href="/column.css"><main><h1>Elsewhere</h1>
      <div id="contact"></div></main>${SCRIPT}`),
  "/column.css": () =>
    new Response("main { width: 320px; margin: auto; }", {
      headers: { "content-type": "text/css" },
    }),
  "/dark": () =>
    page(`<link rel="stylesheet" href="/dark.css"><main><h1>Elsewhere</h1>
      <div id="contact"></div></main>${SCRIPT}`),
  "/dark.css": () =>
    new Response("html { background: #111; color: #eee; }", {
      headers: { "content-type": "text/css" },
    }),
  "/hostile": () =>
    page(
      `<link rel="stylesheet" href="/hostile.css"><div id="contact"></div>${SCRIPT}`,
    ),
  "/fallback": () =>
    page(
      `<main><h1>Elsewhere</h1><div id="contact"><a href="/mail">Write to us</a>
      <input name="name" aria-label="Name" value="Ada"></div></main>${SCRIPT}`,
    ),
  "/challenge": () =>
    page(
      `<main><h1>Elsewhere</h1><div id="contact"></div></main>
      <script src="/challenge.js"></script>${SCRIPT}`,
    ),
  "/page.js": () => script("globalThis.globalsBefore = undefined;"),
  "/hostile.css": () => new Response(HOSTILE, { headers: { "content-type": "text/css" } }),
  "/challenge.js": () =>
    script(`
      globalThis.turnstile = {
        calls: [],
        render(element, options) {
          const button = document.createElement("button");
          button.textContent = "I am a person";
          button.onclick = () => options.callback("token-" + turnstile.calls.length);
          element.append(button);
          turnstile.calls.push(["render", options.sitekey, options.action, element.isConnected]);
          return "widget";
        },
        reset(id) { turnstile.calls.push(["reset", id]); },
        remove(id) { turnstile.calls.push(["remove", id]); },
      };`),
  "/favicon.ico": () => new Response(null, { status: 204 }),
};
const script = (text: string) =>
  new Response(text, { headers: { "content-type": "text/javascript" } });

let elsewhere: ReturnType<typeof serve>;
Deno.test.beforeAll(() => {
  elsewhere = serve(
    (req) => FILES[new URL(req.url).pathname]?.() ?? new Response(null, { status: 404 }),
    PORT,
  );
});
Deno.test.afterAll(() => elsewhere[Symbol.asyncDispose]());

type Mode = "modal" | "page";

async function mount(
  page: Page,
  path: string,
  mode: Mode,
  options: { endpoint?: string; challenge?: { siteKey: string } } = {},
) {
  await page.clock.install();
  await page.goto(ORIGIN + path);
  await page.evaluate(
    ([mode, options]) => {
      const { ContactForm } = globalThis as unknown as {
        ContactForm: typeof import("../components/contact/mod.ts");
      };
      const form = ContactForm.mount("#contact", { mode, ...options } as never);
      Object.assign(globalThis, { form });
      if (mode === "modal") form.open();
    },
    [mode, { endpoint: ENDPOINT, ...options }] as const,
  );
  await page.getByLabel("Name", { exact: true }).waitFor();
}

const call = (page: Page, method: "open" | "close" | "destroy") =>
  page.evaluate((method) => {
    (globalThis as unknown as { form: Record<string, () => void> }).form[method]();
  }, method);

const SIZES = [{ width: 1280, height: 800 }, { width: 375, height: 740 }];

for (const mode of ["modal", "page"] as const) {
  for (const viewport of SIZES) {
    browser.test(
      `on a foreign page in ${mode} mode at ${viewport.width} px it registers and plays to the end`,
      { context: { viewport } },
      async (page) => {
        await mount(page, "/", mode);
        assertEquals(await violationsOf(page), []);
        await fillIn(page);
        await submitOf(page).click();
        await reach(page, "teletype");
        const box = (await dialogOf(page).boundingBox())!;
        assertEquals([box.width, box.height], [viewport.width, viewport.height]);
        await call(page, "close");
        assert(await dialogOf(page).isVisible(), "the page cannot close it either");
        await reach(page, "watch");
        assert((await dialogOf(page).innerText()).includes("hash_generated"));
        assertEquals(await violationsOf(page), []);
        assertEquals(await page.evaluate(() => document.querySelectorAll("[style]").length), 0);
        const inside = await page.locator("#contact").evaluate((host) =>
          host.shadowRoot!.querySelectorAll("[style]").length
        );
        assertEquals(inside, 0, "no inline styles");
        await call(page, "close");
        await dialogOf(page).waitFor({ state: "hidden" });
      },
    );
  }
}

browser.test(
  "the script leaves one global, and the way to it is short and open",
  {},
  async (page) => {
    await page.goto(`${ORIGIN}/fallback`);
    const globals = () => page.evaluate(() => Object.keys(globalThis));
    const without = await page.context().newPage();
    await without.goto(`${ORIGIN}/hostile.css`);
    const before = await without.evaluate(() => Object.keys(globalThis));
    const added = (await globals()).filter((name) => !before.includes(name));
    assertEquals(added.sort(), ["ContactForm", "globalsBefore"]);
  },
);

browser.test("the documented page works as it stands", {}, async (page) => {
  await page.clock.install();
  await page.goto(`${ORIGIN}/documented`);
  await page.getByRole("button", { name: "Contact us" }).click();
  await fillIn(page);
  await playThrough(page);
  assert((await dialogOf(page).innerText()).includes(COPY.MESSAGE_ENDS));
});

browser.test("hostile styles do not touch it", {}, async (page) => {
  const measure = () =>
    page.locator("#contact").evaluate((host) =>
      [...host.shadowRoot!.querySelectorAll("form *")].map((one) => {
        const { x, width, height } = one.getBoundingClientRect();
        const { color, fontSize, letterSpacing, opacity, display } = getComputedStyle(one);
        return [one.localName, x, width, height, color, fontSize, letterSpacing, opacity, display]
          .join();
      })
    );
  await mount(page, "/", "modal");
  const expected = await measure();
  assert(expected.length > 30);
  await mount(page, "/hostile", "modal");
  assertEquals(await measure(), expected);
  await fillIn(page);
  await playThrough(page);
  assert(await page.getByRole("img", { name: COPY.QR }).isVisible());

  await mount(page, "/hostile", "page");
  assert(await submitOf(page).isVisible());
});

for (const colorScheme of ["dark", "light"] as const) {
  browser.test(`on a page of another colour it can be read, by who prefers ${colorScheme}`, {
    context: { colorScheme },
  }, async (page) => {
    for (const path of ["/", "/dark"]) {
      await mount(page, path, "page");
      await submitOf(page).click();
      assertEquals(await violationsOf(page), [], path);
    }
  });
}

browser.test("in a narrow column of a wide page it fits too", {}, async (page) => {
  await mount(page, "/column", "page");
  const column = (await page.locator("#contact").boundingBox())!;
  assertEquals(column.width, 320);
  for (const label of ["Name", "Organisation", "Mobile", "Message"]) {
    const box = (await page.getByLabel(label, { exact: label === "Name" }).boundingBox())!;
    assert(box.width > 140 && box.x + box.width < column.x + column.width, label);
  }
  await fillIn(page);
  await submitOf(page).click();
  await reach(page, "standby");
  const card = await page.locator(".sheet").evaluate((one) => one.scrollWidth - one.clientWidth);
  assertEquals(card, 0);
});

browser.test("destroy leaves nothing behind, and it can be mounted anew", {}, async (page) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await mount(page, "/fallback", "modal");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "Ada", "taken over");
  assertEquals(await page.getByText("Write to us").count(), 0);
  await fillIn(page);
  await playThrough(page);
  const before = requests.length;
  await call(page, "destroy");
  await call(page, "destroy");
  assertEquals(await dialogOf(page).count(), 0);
  assert(await page.getByText("Write to us").isVisible(), "what was there before is back");
  assertEquals(await page.evaluate(() => document.adoptedStyleSheets.length), 0, "it scrolls");
  await page.clock.runFor(60_000);
  assertEquals(requests.length, before, "nothing is asked for any more");
  await call(page, "open");
  assertEquals(await dialogOf(page).count(), 0);

  await page.evaluate((endpoint) => {
    const { ContactForm } = globalThis as unknown as {
      ContactForm: typeof import("../components/contact/mod.ts");
    };
    ContactForm.mount("#contact", { mode: "page", endpoint });
  }, ENDPOINT);
  assert(await submitOf(page).isVisible());
});

browser.test("destroyed in the middle of the sequence it is gone at once", {}, async (page) => {
  await mount(page, "/", "page");
  await fillIn(page);
  await submitOf(page).click();
  await reach(page, "teletype");
  await call(page, "destroy");
  assertEquals(await page.locator("dialog").count(), 0);
  await page.clock.runFor(30_000);
  assertEquals(
    await page.locator("#contact").evaluate((host) => host.shadowRoot!.childNodes.length),
    1,
  );
});

browser.test("what cannot be mounted is told", {}, async (page) => {
  await page.goto(ORIGIN + "/");
  const mounting = (selector: string, options: object) =>
    page.evaluate(([selector, options]) => {
      const { ContactForm } = globalThis as unknown as {
        ContactForm: typeof import("../components/contact/mod.ts");
      };
      try {
        ContactForm.mount(selector, options as never);
        return "mounted";
      } catch (error) {
        return String(error);
      }
    }, [selector, options] as const);
  const good = { mode: "page", endpoint: ENDPOINT };
  assertMatch(
    await mounting("#nowhere", good),
    /TypeError: ContactForm.mount: nothing on the page/,
  );
  assertMatch(await mounting("#1", good), /TypeError: ContactForm.mount: nothing on the page/);
  assertMatch(await mounting("#contact", { ...good, mode: "lite" }), /mode should be/);
  assertMatch(await mounting("#contact", { ...good, endpoint: "/api" }), /full web address/);
  assertMatch(
    await mounting("#contact", { ...good, endpoint: "javascript:1" }),
    /full web address/,
  );
  assertMatch(await mounting("script", good), /cannot contain it/);
  assertEquals(await mounting("#contact", good), "mounted");
  assertMatch(await mounting("#contact", good), /already mounted/);
});

browser.test("the challenge is shown where its script is, and its answer goes along once", {
  expectedErrors: [/400/],
}, async (page) => {
  const bodies: { challenge?: string }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") bodies.push(request.postDataJSON());
  });
  await mount(page, "/challenge", "modal", { challenge: { siteKey: "site-key" } });
  const person = page.getByRole("button", { name: "I am a person" });
  await person.waitFor();
  await fillIn(page);
  await submitOf(page).click();
  await dialogOf(page).locator(".summary a").click();
  const focusedText = () => page.evaluate(() => document.activeElement!.textContent);
  assertEquals(await focusedText(), "I am a person");
  await page.keyboard.press("Tab");
  assertEquals(await focusOf(page), "button primary", "Tab passes through it");
  await page.keyboard.press("Shift+Tab");
  assertEquals(await focusedText(), "I am a person");
  assertEquals(bodies.length, 0, "without an answer nothing is sent");

  await person.click();
  await page.route(ENDPOINT, (route) =>
    route.fulfill({
      status: 400,
      json: { error: "challenge_failed", message: "" },
      headers: { "access-control-allow-origin": ORIGIN },
    }), { times: 1 });
  await submitOf(page).click();
  await page.getByText(COPY.FAILURES.challenge_failed).waitFor();
  assertEquals(bodies[0].challenge, "token-1");
  await submitOf(page).click();
  await dialogOf(page).locator(".summary a").waitFor();
  assertEquals(bodies.length, 1, "an answer is good for one attempt");

  await person.click();
  await playThrough(page);
  await call(page, "destroy");
  const calls = await page.evaluate(() =>
    (globalThis as unknown as { turnstile: { calls: unknown[][] } }).turnstile.calls
  );
  assertEquals(calls[0], ["render", "site-key", "contact", true]);
  assertEquals(calls.at(-1), ["remove", "widget"]);
});

browser.test("without its script there is no challenge", {}, async (page) => {
  await mount(page, "/", "modal", { challenge: { siteKey: "site-key" } });
  await fillIn(page);
  await playThrough(page);
});

browser.test("an origin that may not embed it is told so", {
  expectedErrors: [/CORS|ERR_FAILED|403/],
}, async (page) => {
  await page.clock.install();
  await page.goto(site.services.surfaces.url("site", "/")!);
  await page.goto(`http://localhost:${PORT}/`);
  await page.evaluate((endpoint) => {
    const { ContactForm } = globalThis as unknown as {
      ContactForm: typeof import("../components/contact/mod.ts");
    };
    ContactForm.mount("#contact", { mode: "page", endpoint });
  }, ENDPOINT);
  await fillIn(page);
  await submitOf(page).click();
  // The browser keeps the answer from the page, which cannot tell why.
  await page.getByText(COPY.FAILURES.network).waitFor();
  assertEquals(await focusOf(page), "summary");
});

const EVENTS = 10_000;
let grown: Promise<Registered> | undefined;

/** A registration whose chain has grown to 10,000 events, made once. */
function longChain(): Promise<Registered> {
  return grown ??= (async () => {
    const response = await site.request("api", "/api/ir/register", {
      method: "POST",
      headers: { "content-type": "application/json", "origin": ORIGIN },
      body: JSON.stringify({
        name: "Ada",
        email: "ada@mail.example.org",
        enquiry_type: "Other",
        elapsed_ms: 3_000,
      }),
    });
    const registered: Registered = await response.json();
    const { chains } = site.services;
    for (let seq = 1; seq < EVENTS; seq++) await chains.append(registered.hash, "record_verified");
    return { ...registered, ...await chains.page(registered.hash, { limit: 5 }) };
  })();
}

/** Plays to the feed of the long chain; returns which pages of it are asked for from then on. */
async function openLongChain(page: Page, mode: Mode): Promise<number[]> {
  const json = await longChain();
  const asked: number[] = [];
  page.on("request", (request) => {
    const before = new URL(request.url()).searchParams.get("before");
    if (before !== null) asked.push(Number(before));
  });
  await mount(page, "/", mode);
  await page.route(
    ENDPOINT,
    (route) =>
      route.fulfill({ status: 201, json, headers: { "access-control-allow-origin": ORIGIN } }),
  );
  await fillIn(page);
  await playThrough(page);
  return asked;
}

/** Where each of the rows in view is, and which it is. */
const rowsInView = (page: Page) =>
  page.locator(".scroller").evaluate((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    return [...view.querySelectorAll<HTMLElement>(".row")].map((
      row,
    ) => [
      Number(row.dataset.seq),
      row.getBoundingClientRect().top,
      row.getBoundingClientRect().bottom,
    ]).filter(([, start, end]) => end > top && start < bottom).map(([seq, start]) => [seq, start]);
  });

for (const viewport of SIZES) {
  browser.test(
    `10,000 events at ${viewport.width} px: scrolled up to the oldest without a jump, smoothly`,
    { context: { viewport, reducedMotion: "reduce" } },
    async (page) => {
      const asked = await openLongChain(page, "modal");
      assertEquals(asked, [], "nothing older is asked for before somebody scrolls up");
      const first = await rowsInView(page);
      assertEquals(first.map(([seq]) => seq).slice(-5), [9995, 9996, 9997, 9998, 9999]);

      // Page by page: what is in view stays where it is when older rows come above it.
      for (let i = 0; i < 3; i++) {
        const count = asked.length;
        await page.locator(".scroller").evaluate((view) =>
          view.scrollTop = Math.min(view.scrollTop - 20, 300)
        );
        await page.waitForFunction(
          () => {
            const view = document.querySelector("#contact")!.shadowRoot!.querySelector(
              ".scroller",
            )!;
            return view.scrollTop > 600;
          },
        );
        assertEquals(asked.length, count + 1);
      }

      const before = await rowsInView(page);
      const gate = Promise.withResolvers<void>();
      await page.route(`${API}/api/chain/**`, async (route) => {
        await gate.promise;
        await route.fallback();
      }, { times: 1 });
      await page.locator(".scroller").evaluate((view) => view.scrollTop = 300);
      const held = await rowsInView(page);
      assert(held[0][0] < before[0][0]);
      const answered = page.waitForResponse(/before=/);
      gate.resolve();
      await answered;
      await page.waitForFunction(() =>
        document.querySelector("#contact")!.shadowRoot!.querySelector(".scroller")!.scrollTop > 600
      );
      const after = await rowsInView(page);
      assertEquals(after.map(([seq]) => seq), held.map(([seq]) => seq));
      for (const [i, [, top]] of after.entries()) assertNear(top, held[i][1], 1, "the row moved");

      // And on to the oldest, as fast as it goes.
      await page.clock.resume();
      await page.locator(".scroller").evaluate((view) =>
        new Promise<void>((resolve) => {
          const frame = () => {
            if (view.textContent!.includes("beginning of the chain")) return resolve();
            view.scrollTop = Math.max(1, view.scrollTop - 500);
            requestAnimationFrame(frame);
          };
          requestAnimationFrame(frame);
        })
      );
      await page.locator(".scroller").evaluate((view) => view.scrollTop = 0);
      assertEquals((await rowsInView(page))[0][0], 0);
      assertEquals(asked.length, 100);
      const seqs = await page.locator(".scroller").evaluate((view) =>
        [...view.querySelectorAll<HTMLElement>(".row")].map((row) => Number(row.dataset.seq))
      );
      assertEquals(seqs, Array.from({ length: EVENTS }, (_, seq) => seq), "each once, in order");
      const drawn = await page.locator(".scroller").evaluate((view) =>
        [...view.querySelectorAll(".row")].filter((row) =>
          row.checkVisibility({ contentVisibilityAuto: true })
        ).length
      );
      assert(drawn < 500, `${drawn} rows are drawn, and not only those near the view`);
    },
  );
}

browser.test("pages that do not come can be asked for again", {
  expectedErrors: [/500/],
}, async (page) => {
  await page.emulateMedia({ reducedMotion: "reduce" }); // the whole sequence at one moment
  const asked = await openLongChain(page, "page");
  await page.route(`${API}/api/chain/**`, (route) =>
    route.fulfill({
      status: 500,
      json: {},
      headers: { "access-control-allow-origin": ORIGIN },
    }), { times: 1 });
  // At one stroke: a wheel that still turns when the refusal is there would ask again by itself.
  await page.locator(".scroller").evaluate((view) => view.scrollTop = 0);
  await page.getByText(COPY.EARLIER_FAILED).waitFor();
  await page.getByRole("button", { name: COPY.RETRY }).click();
  await page.locator('[data-seq="9994"]').waitFor({ state: "attached" });
  assertEquals(asked, [9995, 9995]);
  await closeOf(page).click();
});
