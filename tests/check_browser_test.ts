import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page, Request } from "playwright-core";
import { degrees } from "@cantoo/pdf-lib";
import { PNG } from "pngjs";
import { encode } from "uqr";
import { documentPath, formatDocumentId } from "../lib/features/documents/mod.ts";
import { createPdf } from "../lib/features/documents/testing/pdfs.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import {
  axeViolations,
  axeViolationsInBothSchemes,
  becomes,
  sidewaysScroll,
  testBrowser,
} from "./browser.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

let fixture: RecordFixture;
let record: string;
/** A registered file with content that appears in no page. */
const FILE = Buffer.from("xylographic ".repeat(10_000));
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const browser = testBrowser();
const test = withoutMotion(browser);
Deno.test.beforeAll(async () => {
  fixture = await serveOnFreePort((env) => recordFixture(env));
  record = await fixture.register();
  unwrap(
    await fixture.site.services.documents.add({
      record,
      organisation: "commercial",
      title: "Certificate",
      kind: "Certificate",
      public: true,
      guessable: false,
      file_name: "certificate.txt",
      by: "admin@example.org",
    }, new Blob([FILE]).stream()),
  );
});
Deno.test.afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const address = () => fixture.site.services.surfaces.url("trust", "/check")!;
const heading = (page: Page) => page.locator(".verdict h2");
const kindsOf = async (hash: string) =>
  (await fixture.site.services.chains.page(hash))!.events.map(({ kind }) => kind);

async function open(page: Page): Promise<void> {
  await page.goto(address());
  await page.locator("#check-file:enabled").waitFor();
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator("#check-file").setInputFiles({ name, mimeType: "text/plain", buffer });

/** Drops a file on the page. It consists of equal pieces, because a large one would take long to send. */
const drop = (page: Page, name: string, text: string, pieces: number) =>
  page.evaluate(([name, text, pieces]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(Array(pieces).fill(new Blob([text])), name));
    const event = { dataTransfer, bubbles: true, cancelable: true };
    const main = document.querySelector("main")!;
    main.dispatchEvent(new DragEvent("dragover", event));
    main.dispatchEvent(new DragEvent("drop", event));
  }, [name, text, pieces] as const);

const shownHash = async (page: Page) => (await page.locator(".verdict .hash-rows").textContent())!;

test("files are checked in the browser", {
  context: { viewport: { width: 1280, height: 900 } },
  expectedErrors: [/ERR_INTERNET_DISCONNECTED/],
}, async (page, _, t) => {
  const requests: Request[] = [];
  await Promise.all([
    page.waitForEvent("requestfinished", (request) => request.url().includes("/workers/")),
    open(page),
  ]);
  page.on("request", (request) => requests.push(request));

  await t.step(
    "a dropped file is not uploaded, and the browser proves that it has it",
    async () => {
      await drop(page, "certificate.txt", FILE.toString(), 1);
      await page.getByText("so this check is event").waitFor();
      assertEquals(await heading(page).textContent(), "Your file matches a current document");
      assertEquals(await page.locator("#check-file").inputValue(), "C:\\fakepath\\certificate.txt");
      const hash = page.locator(".verdict .hash-rows");
      assert(await page.locator(".verdict .actions").isVisible());
      assertEquals(await hash.isVisible(), false, "the details are one line");
      await page.emulateMedia({ media: "print" });
      assert(await hash.isVisible(), "on paper, the details are open");
      await page.emulateMedia({ media: "screen" });
      await page.locator(".verdict summary").press("Enter");
      assert(await hash.isVisible());
      assertEquals((await kindsOf(record)).at(-1), "document_verified");
      const isScript = (request: Request) => request.url().includes("/_fresh/js/");
      const sent = requests.filter((request) => !isScript(request)).map((request) => {
        const fields = Object.keys(JSON.parse(request.postData() ?? "{}"));
        return `${request.method()} ${new URL(request.url()).pathname} ${fields}`;
      });
      assertEquals(sent, [
        "GET /workers/hash_file.js ",
        "POST /check sha256",
        "GET /workers/hash_file.js ",
        "POST /check/verified nonce,sha256,proof",
      ]);
      for (const request of requests) assert((request.postData() ?? "").length < 300);
      assertEquals(await axeViolationsInBothSchemes(page), []);
      await page.setViewportSize({ width: 320, height: 800 });
      assertEquals(await sidewaysScroll(page), 0);
    },
  );

  await t.step(
    "a file chosen by keyboard with one changed byte has no published match",
    async () => {
      await page.emulateMedia({ colorScheme: "light" });
      const choosing = page.waitForEvent("filechooser");
      await page.locator("#check-file").press("Space");
      const changed = Buffer.from(FILE);
      changed[FILE.length - 1] ^= 1;
      const file = { name: `${"long".repeat(30)}.txt`, mimeType: "text/plain", buffer: changed };
      await (await choosing).setFiles(file);
      await becomes(() => heading(page).textContent(), "No published match");
      assertEquals(await sidewaysScroll(page), 0);
      assertEquals(await axeViolations(page), []);
      assertStringIncludes(
        await page.getByRole("status").first().textContent(),
        "No published match.",
      );
    },
  );

  await t.step("an empty file is not checked", async () => {
    await choose(page, "empty.txt", Buffer.alloc(0));
    await becomes(() => heading(page).textContent(), "Your file could not be checked");
    await page.getByText("The file is empty").first().waitFor();
  });

  const text = "0123456789abcdef".repeat(65_536);
  await t.step("a large file shows progress, and can be cancelled", async () => {
    await drop(page, "film.mp4", text, 8_192); // hashing it all would take longer than any step
    await page.waitForFunction(() => document.querySelector("progress")!.value > 4_000_000);
    assertStringIncludes(await page.locator(".check-progress").innerText(), "of 8.6 GB");
    await page.getByRole("button", { name: "Cancel" }).click();
    assertEquals(await page.locator(".check-progress").count(), 0);
    assertEquals(await page.evaluate(() => document.activeElement?.id), "check-file");
  });

  await t.step("the page responds while 67 MB are hashed", async () => {
    await drop(page, "film.mp4", text, 64);
    const [longestPause, total] = await page.evaluate(async () => {
      let longest = 0;
      const start = performance.now();
      for (let last = start; document.querySelector(".verdict") === null;) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        if (last - start > 240_000) throw new Error("Waited 240 s for the verdict.");
      }
      return [longest, performance.now() - start];
    });
    // Hashing in the page would be one pause. A part of the time, because busy machines pause too.
    assert(longestPause < Math.max(400, total / 2), `${longestPause} of ${total} ms`);
    assertEquals(await heading(page).textContent(), "No published match");
    // yes 0123456789abcdef | tr -d "\n" | head -c 67108864 | sha256sum
    assertEquals(
      await shownHash(page),
      "42ef3a50fe506ced865473b082c8b28f6ce254e6e2b01266b6a563531a6267bc",
    );
  });

  await t.step(
    "without a connection, only the hash is computed; a later attempt succeeds",
    async () => {
      // Not offline, because it is the browser's decision whether the worker is still in its cache.
      await page.route("**/check", (route) => route.abort("internetdisconnected"));
      await choose(page, "certificate.txt", FILE);
      await becomes(() => heading(page).textContent(), "Your file could not be checked");
      await page.getByText("The publisher could not be reached.").first().waitFor();
      assertEquals(await shownHash(page), SHA256);
      await page.unroute("**/check");
      await page.getByRole("button", { name: "Try again" }).click();
      await becomes(() => heading(page).textContent(), "Your file matches a current document");
    },
  );
});

test("a file that several organisations have registered leads with the first one's verdict", {
  context: { viewport: { width: 1280, height: 900 } },
}, async (page) => {
  const { documents, issuers } = fixture.site.services;
  const file = crypto.getRandomValues(new Uint8Array(5_000));
  const by = "admin@example.org";
  const add = async (name: string) => {
    fixture.clock.now += 1_000;
    const { issuer } = unwrap(await issuers.add({ organisation: "commercial", name, by }));
    const about = { title: "Diploma", kind: "Diploma", public: false, guessable: false };
    const details = { record, organisation: "commercial", issuer: issuer.id, by } as const;
    const { document } = unwrap(
      await documents.add(
        { ...about, ...details, file_name: "a.bin" },
        new Blob([file]).stream(),
      ),
    );
    return document.id;
  };
  let proofs = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/check/verified")) proofs++;
  });
  await add("Harbour College");
  unwrap(await documents.withdraw(await add("Beta College"), "Forged", by));
  for (let i = 1; i <= 15; i++) await add(`${"Long name of a college ".repeat(4)}${i}`);
  await open(page);
  await choose(page, "a.bin", Buffer.from(file));
  await becomes(() => heading(page).textContent(), "17 organisations have registered this file");
  await page.getByText("so this check is event").or(page.getByText("is only counted")).waitFor();
  assertEquals(proofs, 1, "only the first one's record learns of the check");
  const verdict = page.locator(".verdict");
  assert(await verdict.evaluate((element) => element.classList.contains("check-match")));
  assertStringIncludes(await verdict.locator("h3").first().innerText(), ": Harbour College");
  const others = verdict.locator(".check-others li");
  assertStringIncludes(await others.first().innerText(), "Beta College (no verified domain)");
  assertStringIncludes(await others.last().innerText(), "and 2 more organisations");
  assertStringIncludes(
    await page.getByRole("status").first().textContent(),
    "17 organisations have registered this file. First, on",
  );
  assertEquals(await axeViolationsInBothSchemes(page), []);
  await page.setViewportSize({ width: 320, height: 800 });
  assertEquals(await sidewaysScroll(page), 0);
});

test("a stranger reads why the check of a document without a holder is not recorded", {
  context: { viewport: { width: 1280, height: 900 } },
}, async (page) => {
  const { issuers, issuing } = fixture.site.services;
  const { issuer } = unwrap(
    await issuers.add({
      organisation: "commercial",
      name: "Lakeside College",
      by: "a@example.org",
    }),
  );
  const notes = {
    waiting: "Nobody has accepted this document yet, so this check is not recorded.",
    test: "A test has no holder, so this check is not recorded.",
  };
  for (const [name, note] of Object.entries(notes)) {
    const text = `${name} `.repeat(1_000);
    unwrap(
      await issuing.issue(
        { issuer, test: name === "test", key: { id: "k" } },
        {
          recipient: { name: "Grace Student", email: "grace@example.org" },
          title: "Certificate III",
          type: "Certificate",
          file_name: "certificate.txt",
          guessable: false,
        },
        new Blob([text]).stream(),
        { mail: "later" },
      ),
    );
    await open(page);
    await choose(page, "certificate.txt", Buffer.from(text));
    await page.locator(".verdict .note", { hasText: note }).waitFor();
    assertEquals(await page.getByText("You are signed in").count(), 0);
  }
});

/** Returns a PDF with a QR code as an image, slightly rotated, as a scanner makes it. */
async function scanOf(text: string): Promise<Buffer> {
  const { data: modules, size } = encode(text.toUpperCase(), { border: 4 });
  const scale = 8;
  const image = new PNG({ width: size * scale, height: size * scale });
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const dark = modules[Math.floor(y / scale)][Math.floor(x / scale)];
      image.data.fill(dark ? 0 : 255, 4 * (y * image.width + x), 4 * (y * image.width + x) + 3);
      image.data[4 * (y * image.width + x) + 3] = 255;
    }
  }
  const pdf = await createPdf([{}, {}]);
  const code = await pdf.embedPng(new Uint8Array(PNG.sync.write(image)));
  pdf.getPage(1).drawImage(code, { x: 470, y: 20, width: 70, height: 70, rotate: degrees(2) });
  return Buffer.from(await pdf.save());
}

test("a PDF without a match leads to the document whose number it prints", {
  context: { viewport: { width: 1280, height: 900 } },
}, async (page, _, t) => {
  const { documents, surfaces } = fixture.site.services;
  const add = async (guessable: boolean) => {
    const about = { title: "Diploma", kind: "Diploma", public: true, file_name: "diploma.pdf" };
    const by = { record, organisation: "commercial", by: "admin@example.org" } as const;
    const original = await (await createPdf([{}, {}])).save();
    const { document } = unwrap(
      await documents.add(
        { ...about, ...by, guessable },
        new Blob([original as BlobPart]).stream(),
      ),
    );
    const { issued } = document.versions[0];
    const copy = Buffer.from(await new Response(documents.open(issued!)).arrayBuffer());
    return { number: formatDocumentId(document.id), id: document.id, copy };
  };
  const [open_, hidden] = [await add(false), await add(true)];
  const changed = (copy: Buffer) => Buffer.concat([copy, Buffer.from("\n% saved again\n")]);
  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/check") && request.method() === "POST") {
      asked.push(request.postData());
    }
  });
  const printed = page.locator(".check-printed h3");
  const link = page.getByRole("link", { name: "Open the document's page" });
  await open(page);

  await t.step("a changed copy of a published document differs from it", async () => {
    await choose(page, "copy.pdf", changed(open_.copy));
    await becomes(() => printed.textContent(), `This file differs from document ${open_.number}`);
    assertEquals(await heading(page).textContent(), "No published match");
    assertEquals(await link.getAttribute("href"), documentPath(open_.id));
    const reasons = page.locator(".verdict li");
    assertEquals(await reasons.count(), 0, "the reasons for no match are not its own");
    assertEquals(asked.map((body) => Object.keys(JSON.parse(body!))), [
      ["sha256"],
      ["sha256", "document"],
    ]);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 320, height: 800 });
    assertEquals(await sidewaysScroll(page), 0);
  });

  await t.step("a hidden document is only linked, for its own file too", async () => {
    for (const file of [hidden.copy, changed(hidden.copy)]) {
      await open(page);
      await choose(page, "copy.pdf", file);
      await becomes(() => printed.textContent(), `The number ${hidden.number} is printed on it`);
      assertEquals(await heading(page).textContent(), "No published match");
      assertEquals(await link.getAttribute("href"), documentPath(hidden.id));
      assertEquals(await page.locator(".verdict li").count(), 2);
    }
  });

  await t.step("the number is read from the QR code of a scan", async () => {
    await open(page);
    await choose(page, "scan.pdf", await scanOf(surfaces.url("trust", `/d/${open_.id}/1`)!));
    await becomes(() => printed.textContent(), `This file differs from document ${open_.number}`);
  });

  await t.step("a damaged PDF and one without a number lead nowhere", async () => {
    const plain = Buffer.from(await (await createPdf()).save());
    for (const file of [plain, Buffer.from("%PDF-1.7 damaged")]) {
      await open(page);
      await choose(page, "other.pdf", file);
      await becomes(() => heading(page).textContent(), "No published match");
      await page.getByText("Looking for a number").waitFor({ state: "detached" });
      assertEquals(await printed.count(), 0);
    }
  });
});

test(
  "without JavaScript, the page explains how to compute a hash, and a form accepts it",
  { context: { javaScriptEnabled: false } },
  async (page) => {
    await page.goto(address());
    // Playwright's text locators ignore text inside noscript.
    const note = await page.locator("noscript").first().innerText();
    assertStringIncludes(note, "JavaScript is off");
    assertStringIncludes(note, "On a phone, enter the number");
    assert(await page.getByText("sha256sum file.pdf").isVisible());
    assertEquals(await page.locator("#check-file").isVisible(), false);
    assert(await page.getByLabel("SHA-256 hash").isVisible(), "the form is not folded");
    await page.getByLabel("SHA-256 hash").fill(`${SHA256}  certificate.txt`);
    await page.getByRole("button", { name: "Check the hash" }).click();
    await becomes(() => heading(page).textContent(), "This hash matches a current document");
  },
);
