import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PDFDocument, PDFName, PDFString, StandardFonts } from "@cantoo/pdf-lib";
import type { BrowserContext, Page } from "playwright-core";
import { PNG } from "pngjs";
import { formatDocumentId } from "../lib/features/documents/mod.ts";
import { axeViolationsInBothSchemes, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { type DocumentFixture, documentFixture } from "./document_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: DocumentFixture;
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await serveOnFreePort((env) => documentFixture(env));
});
Deno.test.afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const urlOf = (path: string) => fixture.site.services.surfaces.url("trust", path)!;

/** Returns a PDF that tries to run a script and a program, and to open another site. */
async function hostilePdf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let i = 1; i <= pages; i++) {
    const page = pdf.addPage([400, 500]);
    page.drawRectangle({ x: 0, y: 0, width: 400, height: 250 });
    page.drawText(`Words of page ${i}`, { x: 40, y: 440, size: 24, font });
    const link = pdf.context.obj({
      Type: "Annot",
      Subtype: "Link",
      Rect: [0, 0, 400, 500],
      A: { S: "URI", URI: PDFString.of("http://evil.localhost/") },
    });
    page.node.set(PDFName.of("Annots"), pdf.context.obj([link]));
  }
  pdf.addJavaScript("attack", "app.alert('run'); app.launchURL('http://evil.localhost/');");
  const action = { Type: "Action", S: "Launch", F: PDFString.of("/bin/sh") };
  pdf.catalog.set(PDFName.of("OpenAction"), pdf.context.obj(action));
  return new Uint8Array(await pdf.save());
}

async function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: urlOf("/") }]);
}

/** Returns the colour at the middle of the lower half of a page's canvas. */
const pixelOf = (page: Page, number: number) =>
  page.locator(`[data-page="${number}"] canvas`).evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext("2d")!
      .getImageData(canvas.width / 2, canvas.height * 0.75, 1, 1);
    return [...data];
  });

/** Reports an older change with every change of an element's visibility, as a busy browser does. */
function reportOlderChanges() {
  globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super((changes, observer) => {
        const older = { isIntersecting: !changes[0].isIntersecting } as IntersectionObserverEntry;
        callback([older, ...changes], observer);
      }, options);
    }
  };
}

test("a PDF with a script, a launch action and links is drawn, and nothing in it runs", {
  context: { viewport: { width: 375, height: 700 }, reducedMotion: "reduce" },
}, async (page, context) => {
  const { id } = await fixture.add(await hostilePdf(4));
  await signIn(context, await fixture.grant(id));
  const urls: string[] = [];
  const opened: string[] = [];
  context.on("request", (request) => urls.push(request.url()));
  context.on("page", (other) => opened.push(other.url()));
  page.on("dialog", (dialog) => opened.push(dialog.message()));
  await page.addInitScript(reportOlderChanges);
  await page.goto(urlOf(`/d/${id}/3`));

  await page.waitForSelector('[data-page="3"][data-drawn]');
  assertEquals(await pixelOf(page, 3), [0, 0, 0, 255]);
  await becomes(() => page.getByRole("spinbutton", { name: "Page" }).inputValue(), "3");
  // The text can be selected, and lies over the words.
  const text = page.locator('[data-page="3"] .pdf-text').getByText("Words of page 3");
  assertEquals(
    await text.evaluate((element) => {
      getSelection()!.selectAllChildren(element);
      return getSelection()!.toString();
    }),
    "Words of page 3",
  );
  const [words, sheet] = [
    await text.boundingBox(),
    await page.locator('[data-page="3"]').boundingBox(),
  ];
  assert(Math.abs((words!.x - sheet!.x) / sheet!.width - 0.1) < 0.02);

  await page.getByText(
    "compared the file with the hash that Attest Systems registered: they match.",
  )
    .waitFor();
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals(await axeViolationsInBothSchemes(page), []);

  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForSelector('[data-page="4"][data-drawn]');
  const before = sheet!.width;
  await page.getByRole("button", { name: "Larger" }).press("Enter");
  await becomes(
    async () => (await page.locator('[data-page="4"]').boundingBox())!.width > before,
    true,
  );
  assertEquals(await sidewaysScroll(page), 0); // only the pages scroll

  await page.evaluate(() => {
    globalThis.print = () =>
      document.body.dataset.printed = document.adoptedStyleSheets[0].cssRules[0].cssText;
  });
  await page.getByRole("button", { name: "Print" }).click();
  await page.waitForSelector("body[data-printed] > .pdf-sheets img:nth-child(4)", {
    state: "attached",
  });
  assertEquals(
    await page.locator("body").getAttribute("data-printed"),
    "@page { size: 400pt 500pt; margin: 0px; }",
  );
  await page.emulateMedia({ media: "print" });
  assertEquals(await page.locator("main").isVisible(), false);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assertEquals(await page.locator(".pdf-sheets").count(), 0);

  assertEquals(await fixture.events(), ["document_viewed", "document_printed"]);
  assertEquals(opened, []);
  const elsewhere = urls.filter((url) =>
    !/^(http:\/\/trust\.localhost:\d+\/|blob:http:\/\/trust)/.test(url)
  );
  assertEquals(elsewhere, []);
  assertEquals(urls.filter((url) => url.includes("/file?")).length, 1);
});

test(
  "a reader sees the verdict and the first page, and another file than the registered one is not shown",
  { expectedErrors: [/net::ERR_FAILED .*\/file\?/] },
  async (page, context) => {
    const { id } = await fixture.add(await hostilePdf(3));
    await signIn(context, await fixture.grant(id));
    const verdict = page.getByRole("heading", { level: 1 });
    await page.goto(urlOf(`/d/${id}`));
    await page.waitForSelector('[data-page="1"][data-drawn]');
    assertStringIncludes(await verdict.innerText(), "Genuine: issued by Attest Systems on ");
    assertEquals(await page.locator("[data-page]").count(), 1);
    await page.getByRole("button", { name: "Show all 3 pages" }).click();
    assertEquals(await page.locator("[data-page]").count(), 3);

    const other = Uint8Array.from(await hostilePdf(2));
    await page.route("**/file?*", (route) => route.fulfill({ body: Buffer.from(other) }));
    await page.reload();
    await page.getByText("Not genuine: this is not the registered file").waitFor();
    assertEquals(await page.locator("[data-page]").count(), 0);

    await page.route("**/file?*", (route) => route.abort());
    await page.reload();
    await page.getByText("The file could not be compared").waitFor();
    assertStringIncludes(await verdict.innerText(), "Registered: issued by Attest Systems on ");
  },
);

test(
  "a text is compared with the registered hash, and another one is not shown",
  {},
  async (page, context) => {
    const { id } = await fixture.add("Ada has passed.");
    await signIn(context, await fixture.grant(id));
    await page.goto(urlOf(`/d/${id}`));
    await page.getByText("Your browser has compared the file").waitFor();
    assertStringIncludes(await page.locator(".document-text").innerText(), "Ada has passed.");
    await page.route("**/file?*", (route) => route.fulfill({ body: "Eve has passed." }));
    await page.reload();
    await page.getByText("Not genuine: this is not the registered file").waitFor();
    assertEquals(await page.locator(".document-text").count(), 0);
  },
);

test("a page that is wider than the first one is made smaller until the reader enlarges it", {
  context: { viewport: { width: 375, height: 700 } },
}, async (page, context) => {
  const pdf = await PDFDocument.create();
  for (const width of [400, 1000, 500]) pdf.addPage([width, 200]);
  const { id } = await fixture.add(new Uint8Array(await pdf.save()));
  await signIn(context, await fixture.grant(id));
  await page.goto(urlOf(`/d/${id}`));
  await page.getByRole("button", { name: "Show all 3 pages" }).click();
  for (const number of [1, 2, 3]) await page.waitForSelector(`[data-page="${number}"][data-drawn]`);
  const frame = page.locator(".pdf-frame");
  const scrolls = () => frame.evaluate((element) => element.scrollWidth > element.clientWidth);
  const widthOf = async (number: number) =>
    (await page.locator(`[data-page="${number}"]`).boundingBox())!.width;
  assertEquals(await scrolls(), false);
  const { width } = (await frame.boundingBox())!;
  for (const number of [1, 2, 3]) assert(width - await widthOf(number) < 3);
  await page.getByRole("button", { name: "Larger" }).click();
  await becomes(scrolls, true);
  await becomes(async () => Math.round(await widthOf(2) / await widthOf(1) * 10), 25);
});

test(
  "the lock screen offers access on a phone's first screen, and a page without a PDF loads no pdf.js",
  {
    context: { viewport: { width: 375, height: 667 } },
  },
  async (page, context) => {
    const { id } = await fixture.add("some text", { file_name: "a.txt" });
    await page.goto(urlOf(`/d/${id}`));
    const request = (await page.getByRole("link", { name: "Request access" }).boundingBox())!;
    assert(request.y + request.height <= 667, `it ends at ${request.y + request.height} px`);
    await signIn(context, fixture.cookie);
    const urls: string[] = [];
    context.on("request", (request) => urls.push(request.url()));
    await page.goto(urlOf(`/d/${id}`));
    await page.getByRole("button", { name: "Print" }).waitFor();
    assertEquals(urls.filter((url) => url.includes("/pdfjs/")), []);
  },
);

test(
  "an image that was not loaded is not printed, and no print is counted",
  {},
  async (page, context) => {
    const events = async (id: string) =>
      (await fixture.log()).filter(({ detail }) => detail!.startsWith(formatDocumentId(id)))
        .map(({ what }) => what);
    await page.addInitScript(() => {
      globalThis.print = () => document.body.dataset.printed = "yes";
    });
    const image = new PNG({ width: 4, height: 4 });
    const whole = new Uint8Array(PNG.sync.write(image));
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    for (const [bytes, printed] of [[whole.slice(0, 40), false], [whole, true]] as const) {
      const { id } = await fixture.add(bytes, { file_name: "a.png" });
      await signIn(context, await fixture.grant(id));
      await page.goto(urlOf(`/d/${id}`));
      await page.getByRole("button", { name: "Print" }).click();
      const outcome = printed ? page.locator("body[data-printed]") : page.getByRole("alert");
      await outcome.waitFor();
      const counted = ["document_viewed", ...printed ? ["document_printed"] : []];
      assertEquals(await events(id), counted);
    }
    // The first page has ended by now.
    assertEquals(posts.filter((url) => url.includes("/printed")).length, 1);
  },
);

test(
  "without scripts, the page of a PDF says so, and does not wait for the pages",
  { context: { viewport: { width: 375, height: 700 }, javaScriptEnabled: false } },
  async (page, context) => {
    const { id } = await fixture.add(await hostilePdf(1));
    await signIn(context, fixture.cookie);
    await page.goto(urlOf(`/d/${id}`));
    // Text locators ignore text inside noscript.
    const note = await page.locator("main noscript").first().innerText();
    assertStringIncludes(note, "Open the document");
    assertEquals(await page.getByText("Loading the pages").isVisible(), false);
  },
);
