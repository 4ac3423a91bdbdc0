import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG } from "../lib/features/contact/config.ts";
import { axeViolations, becomes, type PageOptions } from "./browser.ts";
import {
  dialogOf,
  fillIn,
  focusOf,
  logOf,
  nameOf,
  NARROW,
  playThrough,
  reach,
  submitAtFullPace,
  submitOf,
  WIDE,
} from "./contact_page.ts";
import { assertPixels } from "./layout.ts";
import { servedSite } from "./served_site.ts";
import { serve } from "./site.ts";
import { withoutMotion } from "./still_pages.ts";

/** A foreign page: on another site, with a strict policy and styles that affect everything. */
const elsewhere = serve((req) =>
  FILES[new URL(req.url).pathname]?.() ?? new Response(null, { status: 404 })
);
const ORIGIN = `http://127.0.0.1:${elsewhere.port}`;
const { site, browser } = await servedSite({
  CONTACT_CLIENT_LIMIT: "0",
  CONTACT_ORIGINS: ORIGIN,
});
const test = withoutMotion(browser);
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

/** The page, its script and its policy, copied from the guide as its readers see it. */
const GUIDE = await (await site.request("api", "/docs/contact-form")).text();
const [DOCUMENTED, DOCUMENTED_SCRIPT, ...OTHERS] = Array.from(
  GUIDE.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g),
  ([, code]) =>
    code.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
);
const DOCUMENTED_POLICY = OTHERS.find((block) => block.includes("default-src"))!.trim();

const FILES: Record<string, () => Response> = {
  "/documented": () =>
    page(
      DOCUMENTED.replace("/page.js", "/documented.js"),
      `${DOCUMENTED_POLICY}; require-trusted-types-for 'script'`,
    ),
  "/documented.js": () => script(DOCUMENTED_SCRIPT),
  "/": () => page(`<main><h1>Elsewhere</h1><div id="contact"></div></main>${SCRIPT}`),
  "/column": () => styledPage("/column.css"),
  "/column.css": () => css("main { width: 320px; margin: auto; }"),
  "/dark": () => styledPage("/dark.css"),
  "/dark.css": () => css("html { background: #111; color: #eee; }"),
  "/hostile": () =>
    page(`<link rel="stylesheet" href="/hostile.css"><div id="contact"></div>${SCRIPT}`),
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
  "/hostile.css": () => css(HOSTILE),
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
const css = (text: string) => new Response(text, { headers: { "content-type": "text/css" } });
const styledPage = (sheet: string) =>
  page(`<link rel="stylesheet" href="${sheet}"><main><h1>Elsewhere</h1>
    <div id="contact"></div></main>${SCRIPT}`);

Deno.test.afterAll(() => elsewhere[Symbol.asyncDispose]());

/** The sequence takes no time. */
const REDUCED: PageOptions = { context: { reducedMotion: "reduce" } };

type Mode = "modal" | "page";

interface Options {
  mode: Mode;
  endpoint?: string;
  organisation?: string;
  challenge?: { siteKey: string };
}

/** Mounts the form in the current page. Returns the error or null. */
const mountIn = (page: Page, options: Options, selector = "#contact") =>
  page.evaluate(([selector, options]) => {
    const { ContactForm } = globalThis as unknown as {
      ContactForm: typeof import("../components/contact/mod.ts");
    };
    try {
      const form = ContactForm.mount(selector, options as never);
      Object.assign(globalThis, { form });
      if (options.mode === "modal") form.open();
      return null;
    } catch (error) {
      return String(error);
    }
  }, [selector, { endpoint: ENDPOINT, ...options }] as const);

async function mount(page: Page, path: string, options: Options): Promise<void> {
  await page.clock.install();
  await page.goto(ORIGIN + path);
  assertEquals(await mountIn(page, options), null);
  await nameOf(page).waitFor();
}

const call = (page: Page, method: "open" | "close" | "destroy") =>
  page.evaluate((method) => {
    (globalThis as unknown as { form: Record<string, () => void> }).form[method]();
  }, method);

test(
  "an old browser gets the error of the guide, and keeps the page's own content",
  {},
  async (page) => {
    await page.addInitScript(() => {
      delete (CSSStyleSheet.prototype as Partial<CSSStyleSheet>).replaceSync;
      for (const name of ["any", "timeout"]) delete (AbortSignal as never)[name];
    });
    await page.goto(`${ORIGIN}/fallback`);
    assertEquals(
      await mountIn(page, { mode: "page" }),
      "TypeError: ContactForm.mount: this browser is too old, it has no constructed style sheet.",
    );
    assert(await page.getByRole("link", { name: "Write to us" }).isVisible());
    assertEquals(await page.evaluate(() => document.querySelector("#contact")!.shadowRoot), null);
  },
);

for (const [mode, viewport] of [["modal", WIDE], ["page", NARROW]] as const) {
  test(
    `a foreign page in ${mode} mode registers and plays the sequence`,
    {
      context: { viewport },
    },
    async (page) => {
      await mount(page, "/", { mode, organisation: "Harbour College" });
      await page.getByRole("heading", { name: "Contact Harbour College", exact: true }).waitFor();
      assertEquals(await axeViolations(page), []);
      await fillIn(page);
      await submitAtFullPace(page);
      await reach(page, "teletype");
      const box = (await dialogOf(page).boundingBox())!;
      assertPixels([box.width, box.height], [viewport.width, viewport.height]);
      await call(page, "close");
      assert(await dialogOf(page).isVisible(), "the page cannot close it either");
      await reach(page, "watch");
      assert((await dialogOf(page).innerText()).includes("hash_generated"));
      const inlineStyles = await page.locator("#contact").evaluate((host) =>
        [document, host.shadowRoot!].map((root) => root.querySelectorAll("[style]").length)
      );
      assertEquals(inlineStyles, [0, 0]);
      const hash = (await logOf(page))[2].split(": ")[1];
      await call(page, "close");
      await dialogOf(page).waitFor({ state: "hidden" });
      await page.reload();
      assertEquals(await page.getByText(hash).count(), 0);
      await page.evaluate(([endpoint, mode]) => {
        const { ContactForm } = globalThis as unknown as {
          ContactForm: typeof import("../components/contact/mod.ts");
        };
        ContactForm.mount("#contact", { endpoint, mode });
      }, [ENDPOINT, mode] as const);
      await page.getByText(hash).locator("visible=true").waitFor();
    },
  );
}

test(
  "the documented page works, and says what the public log has of the record, also after new events",
  REDUCED,
  async (page) => {
    await page.clock.install();
    await page.goto(`${ORIGIN}/documented`);
    await page.getByRole("button", { name: "Contact us" }).click();
    await fillIn(page);
    await playThrough(page);
    assert((await dialogOf(page).innerText()).includes(COPY.MESSAGE_ENDS));
    await site.services.jobs.run("log");
    /** Advances the time in small steps, so that the feed is still watched. */
    const says = (text: RegExp) =>
      becomes(async () => {
        await page.clock.fastForward(1_000);
        return await dialogOf(page).getByText(text).count();
      }, 1);
    await says(/^Logged by .+, which the same operator runs, so it proves nothing/);
    const hash = (await logOf(page))[2].split(": ")[1];
    await site.services.chains.append(hash, "record_verified");
    await says(/^The first \d of \d events were logged by /);
    assertEquals(await axeViolations(page), []);
  },
);

test("hostile styles do not affect the form, and a verifier with other bytes does not run", {
  ...REDUCED,
  expectedErrors: [/integrity/],
}, async (page) => {
  const said: string[] = [];
  page.on("console", (message) => {
    const found = /integrity|other bytes run/.exec(message.text());
    if (found) said.push(found[0]);
  });
  await page.route("**/verifier/*/verifier.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      headers: {
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
      },
      body: 'console.info("other bytes run");',
    }));
  const measure = () =>
    page.locator("#contact").evaluate((host) =>
      [...host.shadowRoot!.querySelectorAll("form *")].map((one) => {
        const { x, width, height } = one.getBoundingClientRect();
        const { color, fontSize, letterSpacing, opacity, display } = getComputedStyle(one);
        const style = [one.localName, color, fontSize, letterSpacing, opacity, display].join();
        return { style, box: [x, width, height] };
      })
    );
  await mount(page, "/", { mode: "modal" });
  const expected = await measure();
  assert(expected.length > 30);
  await mount(page, "/hostile", { mode: "modal" });
  const actual = await measure();
  assertEquals(actual.map(({ style }) => style), expected.map(({ style }) => style));
  assertPixels(actual.flatMap(({ box }) => box), expected.flatMap(({ box }) => box));
  await fillIn(page);
  await playThrough(page);
  assert(await page.getByRole("img", { name: COPY.QR }).isVisible());
  await becomes(async () => {
    await page.clock.fastForward(1_000);
    return said;
  }, ["integrity"]);

  await page.goto(`${ORIGIN}/hostile`);
  assertEquals(await mountIn(page, { mode: "page" }), null);
  await page.getByRole("button", { name: COPY.AGAIN }).click();
  assert(await submitOf(page).isVisible());
});

test(
  "the script's global and errors, and the form on a page of any colour or width",
  {},
  async (page, _context, t) => {
    await t.step("the script defines only one global", async () => {
      await page.goto(`${ORIGIN}/hostile.css`);
      const globals = () => page.evaluate(() => Object.keys(globalThis));
      const before = await globals();
      await page.goto(`${ORIGIN}/fallback`);
      const added = (await globals()).filter((name) => !before.includes(name));
      assertEquals(added.sort(), ["ContactForm", "globalsBefore"]);
    });
    await t.step("mount throws a TypeError that describes the problem", async () => {
      const cases: [selector: string, options: Record<string, unknown>, error: RegExp | null][] = [
        ["#nowhere", {}, /TypeError: ContactForm.mount: nothing on the page/],
        ["#1", {}, /TypeError: ContactForm.mount: nothing on the page/],
        ["#contact", { mode: "lite" }, /mode should be/],
        ["#contact", { endpoint: "/api" }, /full web address/],
        ["#contact", { endpoint: "javascript:1" }, /full web address/],
        ["script", {}, /cannot contain it/],
        ["#contact", {}, null],
        ["#contact", {}, /already mounted/],
      ];
      for (const [selector, options, error] of cases) {
        const thrown = await mountIn(page, { mode: "page", ...options }, selector);
        if (error === null) assertEquals(thrown, null);
        else assertMatch(thrown ?? "", error);
      }
    });
    await t.step("the form is readable on a page of any colour, in both schemes", async () => {
      for (const path of ["/", "/dark"]) {
        await mount(page, path, { mode: "page" });
        await submitOf(page).click();
        await page.locator(".summary").waitFor();
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          const violations = await axeViolations(page, { runOnly: ["color-contrast"] });
          assertEquals(violations, [], `${path} with the ${colorScheme} scheme`);
        }
      }
    });
    await t.step(
      "the form and its card fit a narrow column, and destroy ends the sequence at once",
      async () => {
        await mount(page, "/column", { mode: "page" });
        const column = (await page.locator("#contact").boundingBox())!;
        assertPixels([column.width], [320]);
        for (const label of ["Name", "Organisation", "Mobile", "Message"]) {
          const box = (await page.getByLabel(label, { exact: label === "Name" }).boundingBox())!;
          assert(box.width > 140 && box.x + box.width < column.x + column.width, label);
        }
        await fillIn(page);
        await submitAtFullPace(page);
        const card = await page.locator(".sheet").evaluate((one) =>
          one.scrollWidth - one.clientWidth
        );
        assertPixels([card], [0]);
        await reach(page, "teletype");
        await call(page, "destroy");
        assertEquals(await page.locator("dialog").count(), 0);
        await page.clock.runFor(30_000);
        assertEquals(
          await page.locator("#contact").evaluate((host) => host.shadowRoot!.childNodes.length),
          1,
        );
      },
    );
  },
);

test(
  "without its script there is no challenge, destroy removes everything, and the form can be mounted again",
  REDUCED,
  async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    // This page has no challenge's script, so there is no challenge.
    await mount(page, "/fallback", { mode: "modal", challenge: { siteKey: "site-key" } });
    assertEquals(await nameOf(page).inputValue(), "Ada", "the draft is kept");
    assertEquals(await page.getByText("Write to us").count(), 0);
    await fillIn(page);
    await playThrough(page);
    const before = requests.length;
    await call(page, "destroy");
    await call(page, "destroy");
    assertEquals(await dialogOf(page).count(), 0);
    assert(await page.getByText("Write to us").isVisible(), "the original content is back");
    assertEquals(
      await page.evaluate(() => document.adoptedStyleSheets.length),
      0,
      "the page scrolls",
    );
    await page.clock.runFor(60_000);
    assertEquals(requests.length, before, "there are no more requests");
    await call(page, "open");
    assertEquals(await dialogOf(page).count(), 0);

    assertEquals(await mountIn(page, { mode: "page" }), null);
    await page.getByRole("button", { name: COPY.AGAIN }).click();
    assert(await submitOf(page).isVisible());
  },
);

test(
  "the challenge is shown, and each response is sent once",
  {
    ...REDUCED,
    expectedErrors: [/status of 400 .*\/api\/ir\/register\)$/],
  },
  async (page) => {
    const bodies: { challenge?: string }[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push(request.postDataJSON());
    });
    await mount(page, "/challenge", { mode: "modal", challenge: { siteKey: "site-key" } });
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
    assertEquals(bodies.length, 0, "nothing is sent without a response");

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
    assertEquals(bodies.length, 1, "a response is valid for only one attempt");

    await person.click();
    await playThrough(page);
    await call(page, "destroy");
    const calls = await page.evaluate(() =>
      (globalThis as unknown as { turnstile: { calls: unknown[][] } }).turnstile.calls
    );
    assertEquals(calls[0], ["render", "site-key", "contact", true]);
    assertEquals(calls.at(-1), ["remove", "widget"]);
  },
);

test("an origin that may not embed the form says so on the page and in the console", {
  expectedErrors: [
    /status of 403 .*\/api\/ir\/register\)$/,
    /ContactForm: This site may not use the form/,
  ],
}, async (page) => {
  await page.clock.install();
  const origin = `http://localhost:${elsewhere.port}`;
  const reason =
    `This site may not use the form yet. Its owner needs to ask us to allow ${origin}.`;
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  await page.goto(origin);
  assertEquals(await mountIn(page, { mode: "page" }), null);
  await fillIn(page);
  await submitOf(page).click();
  await page.getByText(reason, { exact: true }).waitFor();
  assertEquals(await focusOf(page), "summary");
  assert(logged.includes(`ContactForm: ${reason}`), logged.join("\n"));
});
