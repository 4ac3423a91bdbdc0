import { Buffer } from "node:buffer";
// deno run -A --frozen --lock=dev.lock --no-check /work/private/console/journey.ts
import { serveOnFreePort } from "./tests/served_site.ts";
import { recordFixture } from "./tests/record_site.ts";
import { launchBrowser } from "./tests/browser.ts";
import { unwrap } from "./lib/platform/http/errors.ts";

const OUT = "/work/private/console/shots";
await Deno.mkdir(OUT, { recursive: true });
const setup = await serveOnFreePort((env) => recordFixture({ ...env, OPS_L1_EMAILS: "admin@example.org" }, {}));
const { site, clock } = setup as never as { site: any; clock: { now: number } };
clock.now = Date.now();
const { services } = site;
const { issuer } = unwrap(await services.issuers.add({ organisation: "commercial", name: "Harbour College", by: "admin@example.org" })) as any;
const C = "commercial-console";
const { token } = await services.auth.issueLink({ email: "admin@example.org", surface: C });
const { sessionId } = (await services.auth.verify(token, C))!;
const base = services.surfaces.url(C, "/")!;
const browser = await launchBrowser();
const states: any = {};
async function context(width: number, scheme: "light" | "dark", js = true) {
  const ctx = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme, locale: "en-US", reducedMotion: "reduce", serviceWorkers: "block", javaScriptEnabled: js });
  await ctx.addCookies([{ name: "app_session", value: sessionId, url: base }]);
  ctx.setDefaultTimeout(60000);
  return ctx;
}
const desk = await context(1280, "light");
const page = await desk.newPage();
page.on("console", (m) => m.type() === "error" && console.log("CONSOLE", m.text(), m.location().url));
page.on("pageerror", (e) => console.log("PAGEERROR", e));
const phone = await (await context(375, "dark")).newPage();
let n = 0;
async function shot(name: string, p = page, full = true) {
  await p.waitForTimeout(700);
  const side = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  console.log(String(++n).padStart(2, "0"), name, p.url().slice(base.length), "sideways", side, "title:", await p.title());
  await p.screenshot({ path: `${OUT}/${String(n).padStart(2, "0")}-${name}.png`, fullPage: full });
}
const both = async (name: string) => {
  await shot(name);
  await phone.goto(page.url());
  await shot(name + "-phone", phone);
};
const rows = (faulty: boolean) => {
  const lines = ["name,email,external_id,grade"];
  for (let i = 1; i <= 40; i++) {
    let name = i === 13 ? "Mei Chen" : i === 21 ? "Maximiliana Konstantina Wolfeschlegelsteinhausenbergerdorff" : `Student Number${i}`;
    let email = i === 13 ? "mei.chen@example.org" : `student${i}@example.org`;
    let id = `2026-${String(i).padStart(4, "0")}`;
    let grade = i % 3 ? "Pass" : "Distinction";
    if (faulty && i % 4 === 0) { if (i % 8) email = "student at example"; else name = ""; }
    if (i === 5) grade = "#N/A";
    lines.push([name, email, id, grade].join(","));
  }
  return lines.join("\n") + "\n";
};
const upload = async (p: any, text: string) =>
  await p.setInputFiles("#field-batch-file", { name: "grads2.csv", mimeType: "text/csv", buffer: Buffer.from(text) as any });
const run = async () => { await services.jobs.run("batches"); };
const what = Deno.args[0] ?? "all";
try {
  await page.goto(base + `console/issuers/${issuer.id}`);
  await both("documents-empty");
  await page.click("text=Batches");
  await both("batches-empty");
  await page.click("text=Issue certificates from a file");
  await both("upload");
  await page.fill("#field-batch-date", "");
  await upload(page, rows(true));
  await page.click("text=Check the file");
  console.log("focus", await page.evaluate(() => document.activeElement?.className), "scroll", await page.evaluate(() => scrollY));
  await shot("refused");
  await page.click(".error-summary a >> nth=2");
  console.log("focus after link", await page.evaluate(() => document.activeElement?.id));
  // phone
  await phone.goto(page.url());
  await upload(phone, rows(true));
  await phone.click("text=Check the file");
  await shot("refused-phone", phone);
  // right
  await page.fill("#field-batch-date", "2026-11-20");
  await page.fill("#field-batch-title", "Certificate III in Individual Support");
  await page.selectOption("#field-batch-mode", "live");
  await upload(page, rows(false));
  await page.click("text=Check the file");
  await page.waitForURL(/batches\/[0-9a-f-]{36}/);
  await page.waitForSelector(".pdf-page[data-drawn]");
  await both("checked");
  await page.click("text=Look at it >> nth=4");
  await page.waitForSelector(".pdf-page[data-drawn]");
  await shot("checked-chosen", page, false);
  const t0 = Date.now();
  await page.click("button:has-text(\"Issue 40\")");
  await shot("issuing");
  while (true) { await run(); const list = await services.batches.list({ issuer, test: false }); if (list[0].state !== "issuing") break; }
  console.log("issued in", Date.now() - t0);
  await page.reload();
  await both("holding");
  await page.click("text=Send now…");
  await shot("send-asks", page, false);
  await page.click("text=Undo…");
  await shot("undo-asks", page, false);
  await page.click("#rows tbody tr:nth-child(3) a");
  await page.waitForSelector(".pdf-page[data-drawn]");
  await both("document-waiting");
  await page.goBack();
  await page.click("text=Send now…");
  await page.click("text=/Send .* mails now/");
  await run(); await run();
  await page.reload();
  await shot("sent");
  await page.goto(base + `console/issuers/${issuer.id}`);
  await both("documents");
  await page.click("a[rel=next]");
  await shot("documents-2", page, false);
  await page.fill("input[type=search]", "Mei Chen");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=1 document on this page");
  await shot("search-mei");
  await page.goto(base + "console");
  await page.waitForSelector("a.console-search kbd");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("mei ch");
  await page.waitForSelector("text=Harbour College");
  await shot("palette", page, false);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".pdf-page[data-drawn]");
  await both("mei");
  await page.click("text=Withdraw…");
  await shot("withdraw-asks");
  await page.click("text=/Withdraw the document of/");
  await shot("withdraw-required", page, false);
  await page.fill("#field-reason", "It has the wrong course.");
  await page.click("text=/Withdraw the document of/");
  await page.waitForSelector("[data-result]");
  await both("withdrawn");
  await page.goto(base + `console/issuers/${issuer.id}/settings`);
  await both("settings");
  await page.goto(base + `console/issuers/${issuer.id}/keys`);
  await both("keys");
  await page.goto(base + `console/issuers/${issuer.id}/batches`);
  await both("batches");
  // without scripts
  const plain = await (await context(375, "light", false)).newPage();
  await plain.goto(base + `console/issuers/${issuer.id}/batches/new`);
  await upload(plain, "name,email\nAda,ada\n");
  await plain.click("text=Check the file");
  await shot("plain-refused", plain);
  await plain.fill("#field-batch-title", "Diploma");
  await upload(plain, "name,email\nAda,ada@example.org\nBob,bob@example.org\n");
  await plain.click("text=Check the file");
  await shot("plain-checked", plain);
  await plain.click("button:has-text(\"Issue 2\")");
  await run();
  await plain.reload();
  await shot("plain-holding", plain);
} catch (e) {
  console.log("FAILED", e);
  await shot("failed").catch(() => {});
} finally {
  await browser.close();
  await setup[Symbol.asyncDispose]();
}
Deno.exit(0);
