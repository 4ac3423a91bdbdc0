import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { documentPath, formatDocumentId } from "../lib/features/documents/mod.ts";
import { recordRows } from "../lib/features/records/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { shareFixture } from "./share_site.ts";

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

const fixture = await shareFixture();
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { owner: { hash }, document, site: { services } } = fixture;
const page = { accept: "text/html" };

const find = (text: string) => fixture.fetch("/find", { form: { text }, headers: page });

/** Returns where a text leads. */
async function placeOf(text: string): Promise<string | null> {
  const response = await find(text);
  await response.body?.cancel();
  return response.headers.get("location");
}

Deno.test("a number, a hash, an entry or a link leads to its page of this site, whatever host it names", async () => {
  const file = sha256("something");
  const number = formatDocumentId(document);
  const places: Record<string, string> = {
    [number]: documentPath(document),
    [` document ${number.toLowerCase().replaceAll("-", " ")} `]: documentPath(document),
    [`https://evil.example/d/${document}/2`]: documentPath(document),
    [hash.toUpperCase()]: `/verify?hash=${hash}`,
    [`//evil.example/verify?hash=${hash}`]: `/verify?hash=${hash}`,
    [file]: `/check?sha256=${file}`,
    [`/check?sha256=${hash}`]: `/check?sha256=${hash}`,
    "Entry 1,234": "/log?find=1234#find",
    "https://evil.example/log?find=9#find": "/log?find=9#find",
  };
  for (const [text, place] of Object.entries(places)) {
    assertEquals(await placeOf(text), place, text);
  }
});

Deno.test("a text that leads nowhere is shown again with the reason, and redirects to no other site", async () => {
  for (const text of ["", "  ", "https://evil.example/", "//evil.example", "<b>", "a".repeat(40)]) {
    const response = await find(text);
    assertEquals([response.status, response.headers.get("location")], [400, null], text);
    const html = await response.text();
    assertStringIncludes(html, 'aria-invalid="true"');
    assertFalse(html.includes("<b>"));
  }
  assertStringIncludes(await (await find("a".repeat(40))).text(), "hash of type SHA-1");
  assertEquals((await find("x".repeat(501))).status, 400);
});

Deno.test("a key and a shared link are answered without scripts, and are in no address", async () => {
  const { row } = (await services.records.read(hash))!;
  await services.kv.set(recordRows.key(hash), { ...row, level: 3 });
  const { key } = unwrap(await services.records.keys.issue({ hash, reader: READER }));
  const code = await fixture.share();
  for (
    const [text, shown] of [
      [key, "Check a key"],
      [`https://trust.example/k#${key}`, "Check a key"],
      [code, "Open the document"],
      [`https://trust.example/s#${code}`, "Open the document"],
    ]
  ) {
    const response = await find(text);
    assertEquals([response.status, response.headers.get("location")], [200, null], text);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertStringIncludes(await response.text(), shown);
  }
});

Deno.test("/log finds an entry by its number, and those of a record by its hash, with their neighbours", async () => {
  const log = async (find: string) => {
    const response = await fixture.fetch(`/log?find=${encodeURIComponent(find)}`, {
      headers: page,
    });
    return { status: response.status, html: await response.text() };
  };
  await services.jobs.run("log");
  const entry = await log("0");
  assertEquals(entry.status, 200);
  assertStringIncludes(entry.html, "Entry 0");
  assertStringIncludes(entry.html, 'href="/log?find=1#find"');
  const record = await log(hash);
  assertStringIncludes(record.html, "all of its events up to the newest");
  for (const path of [`/verify?hash=${hash}`, "/verify#saved-chain"]) {
    assertStringIncludes(record.html, `href="${path}"`);
    assertFalse(entry.html.includes(`href="${path}"`), path);
  }
  const [, slot] = /<td[^>]*>([0-9a-f]{64})</.exec(entry.html)!;
  assertStringIncludes((await log(slot)).html, "Entry 0");
  const missing = await log("999999");
  assertEquals(missing.status, 404);
  assertMatch(missing.html, /<input[^>]* value="999999"/);
  assertEquals((await log(sha256("unknown"))).status, 404);
  for (const text of ["-1", "1e3", "NaN", "<b>", "1".repeat(30)]) {
    const { status, html } = await log(text);
    assert(status === 400, text);
    assertFalse(html.includes("<b>"));
  }
});
