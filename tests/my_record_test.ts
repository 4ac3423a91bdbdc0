import { assert, assertEquals, assertFalse } from "@std/assert";
import { passkeyOf, storePasskey } from "../lib/features/passkeys/testing/stored_passkey.ts";
import { addAccess, recordRows } from "../lib/features/records/mod.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const fixture = await recordFixture();
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { kv, chains } = fixture.site.services;

async function open(path: string, cookie?: string): Promise<{ response: Response; html: string }> {
  const response = await fixture.fetch(path, { cookie });
  return { response, html: await response.text() };
}

/** Fails without printing the whole page. */
const assertIncludes = (html: string, text: string) => assert(html.includes(text), text);

/** Everything that the person entered and that no stranger may see. */
const PERSONAL = [PERSON.name, PERSON.organisation, "ada.q", "412345678", "xylographic"];

function assertNothingPersonal(html: string) {
  for (const text of PERSONAL) assertFalse(html.toLowerCase().includes(text.toLowerCase()), text);
}

Deno.test("without a session, /my-record shows the sign-in page with every way to sign in", async () => {
  await fixture.register();
  const { response, html } = await open("/my-record");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertIncludes(html, "Open your record");
  assertIncludes(html, `action="/my-record/sign-in"`);
  assertIncludes(html, `autocomplete="username webauthn"`);
  assertIncludes(html, `href="/my-record/code"`);
  assertIncludes(html, `href="/my-record/code?method=voice"`);
  assertIncludes(html, fixture.site.services.surfaces.url("commercial", "/contact")!);
  assertFalse(/type="password"/.test(html));
  assertNothingPersonal(html);
});

Deno.test("an unknown cookie and the cookie of an ended session show the sign-in page", async () => {
  const { hash, cookie } = await fixture.holder();
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await fixture.site.services.records.signOutEverywhere(hash, reader);
  for (const sent of [cookie, `record_session=${crypto.randomUUID()}`, "record_session=x"]) {
    const { html } = await open("/my-record", sent);
    assertIncludes(html, "Open your record");
    assertFalse(html.includes(hash));
    assertNothingPersonal(html);
  }
});

Deno.test("a holder sees the hash in groups, the chain, masked contact data and the log", async () => {
  const { hash, cookie } = await fixture.holder();
  const { response, html } = await open("/my-record", cookie);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const code = /<code[^>]*>((?:<span ?>[0-9a-f]{4}<\/span>){16})<\/code>/.exec(html)!;
  assertEquals(code[1].replaceAll(/<[^>]*>/g, ""), hash);
  assertIncludes(html, `/verify?hash=${hash}`);
  assertIncludes(html, "QR code: verify this record");
  for (const kind of ["hash_generated", "email_confirmed"]) assertIncludes(html, kind);
  assertIncludes(html, "a•••@m•••.org");
  assertIncludes(html, "+61 ••• ••• 678");
  assertFalse(html.toLowerCase().includes("ada.q@"));
  assertFalse(html.includes("412345678"));
  assertIncludes(html, "Signed in with an emailed link");
  assertIncludes(html, "Firefox on Linux, network 203.0.113.0/24");
  for (
    const link of [
      "/levels",
      "/my-record/declaration",
      "/my-record/correct",
      "/my-record/download.json",
      "/my-record/delete",
    ]
  ) assertIncludes(html, `href="${link}"`);
  assertEquals(html.match(/action="\/my-record\/sign-out"/g)?.length, 2);
  assertIncludes(html, `name="everywhere" value="1"`);
});

Deno.test("a level is presented as the publisher's statement, with one prominent next step", async () => {
  const { hash, cookie } = await fixture.holder();
  // The button that adds a passkey needs scripts, so it is not in the server's HTML.
  const steps: [
    declared: boolean,
    passkeys: number,
    level: number,
    step: string,
    links: string[],
  ][] = [
    [false, 0, 1, "Say what your record is for", ["Make a declaration"]],
    [true, 0, 2, "Add a passkey", []],
    [true, 1, 3, "Get your key", ["Get your key"]],
  ];
  for (const [declared, passkeys, level, step, links] of steps) {
    const record = (await fixture.site.services.records.read(hash))!;
    const declarations = declared ? [{ at: "2026-03-01T09:30:00.000Z", text: "x".repeat(20) }] : [];
    await kv.set(record.contact.key, { ...record.contact.value, declarations });
    await kv.set(recordRows.key(hash), { ...record.row, passkeys });
    const { html } = await open("/my-record", cookie);
    assertIncludes(html, `Level ${level} `);
    assertIncludes(html, "The level is a statement by Attest Systems");
    assertIncludes(html, `Next step:</span> ${step}</h3>`);
    const primary = [...html.matchAll(/class="button primary"[^>]*>([^<]+)/g)].map((m) => m[1]);
    assertEquals(primary, links);
    assertFalse(/verified record|level [^.]* verified/i.test(html));
  }
});

Deno.test("a holder of several records chooses one, and sees no personal data before", async () => {
  const hashes = [await fixture.register(), await fixture.register()];
  const cookie = await fixture.signIn(hashes);
  const { response, html } = await open("/my-record", cookie);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertIncludes(html, "You have 2 records");
  for (const hash of hashes) assertIncludes(html, `name="record" value="${hash}"`);
  assertNothingPersonal(html);
  const alone = await fixture.signIn(hashes.slice(1));
  assertIncludes((await open("/my-record?choose=1", alone)).html, "Record hash");
});

Deno.test("?again=1 asks a holder to sign in again in the ways that the holder has, and is the sign-in page for a stranger", async () => {
  const { hash, cookie } = await fixture.holder();
  const { html } = await open("/my-record?again=1", cookie);
  assertIncludes(html, "Sign in again");
  assertFalse(html.includes("Other ways to sign in"), "there is no passkey or confirmed number");
  assertIncludes(html, "within the last ten minutes");
  assertIncludes(html, "Use your record's address, a•••@m•••.org.");
  assertNothingPersonal(html);
  await storePasskey(kv, passkeyOf(hash));
  const withPasskey = (await open("/my-record?again=1", cookie)).html;
  assertIncludes(withPasskey, "Other ways to sign in");
  assertFalse(withPasskey.includes("Text me a code"));
  const stranger = await open("/my-record?again=1");
  assertIncludes(stranger.html, "Text me a code");
  assertFalse(stranger.html.includes("Sign in again"));
  assertIncludes(stranger.html, "Open your record");
});

Deno.test("a holder who signs in again returns to what asked for it, and nowhere else", async () => {
  const { hash, cookie } = await fixture.holder();
  const document = "7K3M9Q2XB4TW01RA";
  const pages = {
    "number": "/my-record/number",
    [`share.${document}`]: `/my-record/share?document=${document}`,
    "1": null,
    "https://evil.example": null,
    "//evil.example": null,
    "../log": null,
    "toString": null,
    "accept%0d%0aset-cookie:x=1": null,
  };
  for (const [name, path] of Object.entries(pages)) {
    fixture.clock.now += HOUR_MS;
    const asked = await open(`/my-record?again=${name}`, cookie);
    const set = asked.response.headers.get("set-cookie")!.split(";")[0];
    assertEquals((await open("/my-record", `${cookie}; ${set}`)).response.status, 200, name);
    const again = await fixture.signIn([hash]);
    const { response } = await open("/my-record", `${again}; ${set}`);
    assertEquals(response.headers.get("location"), path, name);
  }
});

Deno.test("a replaced record says so, and leads to the new one if the sign-in opens it", async () => {
  const [old, corrected] = [await fixture.register(), await fixture.register()];
  const cookie = await fixture.signIn([old]);
  const both = await fixture.signIn([old, corrected]);
  const record = (await fixture.site.services.records.read(old))!;
  await kv.set(recordRows.key(old), { ...record.row, replaced_by: corrected });
  const alone = await open("/my-record", cookie);
  assertIncludes(alone.html, "This record was replaced");
  assertFalse(alone.html.includes("/my-record/correct"));
  assertFalse(alone.html.includes("Open the new record"));
  assertFalse(alone.html.includes("Next step"));
  assertFalse(alone.html.includes("Add a passkey"));
  assertIncludes((await open("/my-record", both)).html, "Replaced by a newer record");
});

Deno.test("a record that will be deleted shows only when, and how to keep it", async () => {
  const { hash, cookie } = await fixture.holder();
  const record = (await fixture.site.services.records.read(hash))!;
  await kv.set(recordRows.key(hash), { ...record.row, deletion_at: "2026-12-01T10:00:00.000Z" });
  const { html } = await open("/my-record", cookie);
  assertIncludes(html, "1 Dec 2026, 10:00 UTC");
  assertIncludes(html, "Keep my record");
  assertNothingPersonal(html);
});

Deno.test("a deleted record's session shows the sign-in page", async () => {
  const { hash, cookie } = await fixture.holder();
  const record = (await fixture.site.services.records.read(hash))!;
  await kv.delete(record.contact.key);
  assertIncludes((await open("/my-record", cookie)).html, "Open your record");
});

Deno.test("the access log has pages, newest first, each entry once", async () => {
  const { hash, cookie } = await fixture.holder();
  for (let i = 0; i < 89; i++) {
    const commit = kv.atomic();
    const reader = { network: `198.51.100.${i}`, browser: "Firefox" };
    addAccess(commit, hash, { what: "record_verified", reader }, fixture.clock.now + i);
    await commit.commit();
  }
  const networks: string[] = [];
  let path: string | undefined = "/my-record/log";
  let pages = 0;
  while (path !== undefined) {
    const { response, html }: { response: Response; html: string } = await open(path, cookie);
    assertEquals(response.headers.get("cache-control"), "no-store");
    networks.push(...[...html.matchAll(/network ([\d.]+)/g)].map((match) => match[1]));
    path = /href="(\/my-record\/log\?cursor=[^"]+)"/.exec(html)?.[1];
    pages++;
  }
  const expected = Array.from({ length: 89 }, (_, i) => `198.51.100.${88 - i}`);
  assertEquals(networks.filter((network) => network.startsWith("198.")), expected);
  assertEquals(pages, 3, "90 entries, of which one is the sign-in");
  const { html } = await open("/my-record", cookie);
  assertEquals(html.match(/class="what"/g)?.length, 5);
  assertIncludes(html, `href="/my-record/log"`);
});

Deno.test("the access log names the kinds of suppressed readings in plain words", async () => {
  const { hash, cookie } = await fixture.holder();
  const commit = kv.atomic();
  const reader = { network: "198.51.100.0/24", browser: "Firefox" };
  const detail = "(document_verified × 4)";
  addAccess(commit, hash, { what: "readings_suppressed", detail, reader }, fixture.clock.now);
  await commit.commit();
  const { html } = await open("/my-record/log", cookie);
  assertIncludes(html, "(document checked × 4)");
});

Deno.test("the log's page redirects strangers to the sign-in page, and ignores a bad cursor", async () => {
  const { response } = await open("/my-record/log");
  assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  const { cookie } = await fixture.holder();
  for (const cursor of ["x", "%00", "2026-03-01T09:30:00.000Z~../..", "a".repeat(3_000)]) {
    const { response, html } = await open(`/my-record/log?cursor=${cursor}`, cookie);
    assertEquals(response.status, 200);
    assertIncludes(html, "Signed in");
  }
});

Deno.test("without scripts, older events are behind a link", async () => {
  const { hash, cookie } = await fixture.holder();
  for (let i = 0; i < 10; i++) await chains.append(hash, "record_verified");
  const { html } = await open("/my-record", cookie);
  assertEquals(html.match(/<li class="row"/g)?.length, 5);
  // The newest five events have the numbers 7 to 11.
  const link = /href="[^"]*(\/verify\?hash=\w+&amp;before=7)"/.exec(html)!;
  const older = await open(link[1].replace("&amp;", "&"));
  assertIncludes(older.html, "email_confirmed");
});
