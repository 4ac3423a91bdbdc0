import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { changeRecord, readRecord, type RecordChange } from "../lib/features/records/mod.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const TEXT = "I intend this record to support my application for a grant.";

async function levelsFixture(env: Record<string, string> = {}) {
  const fixture = await recordFixture(env);
  const { kv, auth, surfaces } = fixture.site.services;
  return {
    ...fixture,
    declare: (cookie: string, text: string, more: Record<string, string> = { deliberate: "1" }) =>
      fixture.fetch("/my-record/declaration", { cookie, form: { text, ...more } }),
    row: async (hash: string) => (await readRecord(kv, hash))!.row,
    /** Changes a condition, as another feature does. */
    async change(hash: string, change: RecordChange) {
      const commit = kv.atomic();
      changeRecord(commit, (await readRecord(kv, hash))!, change, fixture.clock.now);
      assert((await commit.commit()).ok);
    },
    /** Sends a request to a console as one of its administrators. */
    async console(
      path: string,
      { as = "admin@example.org", form, on = "commercial-console" as const }: {
        as?: string;
        form?: Record<string, string>;
        on?: "commercial-console" | "foundation-console";
      } = {},
    ) {
      const { token } = await auth.issueLink({ email: as, surface: on });
      const { sessionId } = (await auth.verify(token, on))!;
      const cookie = `app_session=${sessionId}`;
      const origin = new URL(surfaces.url(on, "/")!).origin;
      return await fixture.site.request(on, path, {
        method: form === undefined ? "GET" : "POST",
        body: form && new URLSearchParams(form),
        headers: { cookie, accept: "text/html", ...form && { origin } },
      });
    },
  };
}

Deno.test("the holder declares, level 1 becomes level 2, and every version is kept", async () => {
  await using fixture = await levelsFixture();
  const { hash, cookie } = await fixture.holder();
  assertEquals((await fixture.row(hash)).level, 1);
  const response = await fixture.declare(cookie, `  ${TEXT}\r\nIt is mine. `);
  assertEquals(response.headers.get("location"), "/my-record#declaration");
  const { level, reached } = await fixture.row(hash);
  assertEquals([level, reached[2]], [2, new Date(fixture.clock.now).toISOString()]);
  fixture.clock.now += 1_000;
  assertEquals(await statusOf(fixture.declare(cookie, `${TEXT} Again.`)), 303);
  const { contact } = (await readRecord(fixture.site.services.kv, hash))!;
  assertEquals(contact.value.declarations!.map(({ text }) => text), [
    `${TEXT}\nIt is mine.`,
    `${TEXT} Again.`,
  ]);
  const page = await (await fixture.fetch("/my-record/declaration", { cookie })).text();
  assertStringIncludes(page, "2 versions");
});

Deno.test("a declaration that is sent twice is one version", async () => {
  await using fixture = await levelsFixture();
  const { hash, cookie } = await fixture.holder();
  await Promise.all(Array.from({ length: 5 }, () => statusOf(fixture.declare(cookie, TEXT))));
  const { contact } = (await readRecord(fixture.site.services.kv, hash))!;
  assertEquals(contact.value.declarations!.length, 1);
});

Deno.test("a refused declaration is shown again with what was typed and what is wrong", async () => {
  await using fixture = await levelsFixture();
  const { hash, cookie } = await fixture.holder();
  const cases: [text: string, problem: string, more?: Record<string, string>][] = [
    ["Nineteen characters", "Use at least 20 characters."],
    ["x".repeat(2_001), "Use at most 2000 characters."],
    [`${TEXT} \u0007`, "It contains characters that cannot be shown."],
    [TEXT, "Tick the box to confirm that you mean it.", {}],
  ];
  for (const [text, problem, more] of cases) {
    const response = await fixture.declare(cookie, text, more);
    const html = await response.text();
    assertEquals(response.status, 400);
    assertStringIncludes(html, problem);
    assertStringIncludes(html, text.slice(0, 10));
  }
  const json = { text: [TEXT], deliberate: true };
  assertEquals(await statusOf(fixture.fetch("/my-record/declaration", { cookie, json })), 400);
  assertEquals((await fixture.row(hash)).level, 1);
});

Deno.test("as many versions as fit are kept, even of the longest contact", async () => {
  await using fixture = await levelsFixture();
  const { hash, cookie } = await fixture.holder({
    ...PERSON,
    name: "名".repeat(200),
    organisation: "社".repeat(200),
    message: "文".repeat(5_000),
  });
  let versions = 0;
  while (await statusOf(fixture.declare(cookie, `${versions} ${"字".repeat(1_990)}`)) === 303) {
    versions++;
  }
  assert(versions >= 8, String(versions));
  const last = await fixture.declare(cookie, `${versions} ${"字".repeat(1_990)}`);
  assertEquals(last.status, 409);
  assertStringIncludes(await last.text(), "there is no space for another one");
  assertEquals((await fixture.row(hash)).level, 2);
});

Deno.test("a stranger and a closed record get no declaration form", async () => {
  await using fixture = await levelsFixture();
  const { hash } = await fixture.holder();
  for (const form of [undefined, { text: TEXT, deliberate: "1" }]) {
    const response = await fixture.fetch("/my-record/declaration", { form });
    assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  }
  const json = { text: TEXT, deliberate: true };
  assertEquals(await statusOf(fixture.fetch("/my-record/declaration", { json })), 401);
  assertEquals((await fixture.row(hash)).level, 1);
});

Deno.test("an administrator sets level 4 with a note and revokes it with a reason", async () => {
  await using fixture = await levelsFixture();
  const { hash, cookie } = await fixture.holder();
  const path = `/console/records/${hash}`;
  const check = { act: "check", note: "Saw the passport in a video call." };
  assertEquals(await statusOf(fixture.console(path, { form: check })), 409); // at level 1
  await statusOf(fixture.declare(cookie, TEXT));
  await fixture.change(hash, { change: "passkey_added" });
  assertEquals((await fixture.row(hash)).level, 3);

  const blank = await fixture.console(path, { form: { act: "check", note: " " } });
  assertEquals(blank.status, 400);
  assertStringIncludes(await blank.text(), "Enter a note.");
  assertEquals(await statusOf(fixture.console(path, { form: check })), 303);
  const checked = await fixture.row(hash);
  assertEquals([checked.level, checked.identity!.by, checked.identity!.note], [
    4,
    "admin@example.org",
    check.note,
  ]);
  assertEquals(await statusOf(fixture.console(path, { form: check })), 409); // only once

  // A condition below level 4 counts too.
  await fixture.change(hash, { change: "passkey_removed" });
  assertEquals((await fixture.row(hash)).level, 2);
  await fixture.change(hash, { change: "passkey_added" });
  assertEquals((await fixture.row(hash)).level, 4);

  const revoke = { act: "revoke", note: "The passport was forged." };
  assertEquals(await statusOf(fixture.console(path, { form: revoke })), 303);
  const revoked = await fixture.row(hash);
  assertEquals([revoked.level, revoked.identity, revoked.identity_revoked!.note], [
    3,
    null,
    revoke.note,
  ]);
  assertEquals(await statusOf(fixture.console(path, { form: revoke })), 409);
  const html = await (await fixture.console(path)).text();
  for (const text of [revoke.note, "Identity check revoked", TEXT, "ada.q@mail.example.org"]) {
    assertStringIncludes(html, text);
  }
});

Deno.test("only administrators of the record's own organisation see it or set its level", async () => {
  await using fixture = await levelsFixture();
  const { hash } = await fixture.holder();
  const path = `/console/records/${hash}`;
  const form = { act: "check", note: "note" };
  for (const options of [{}, { form }]) {
    const board = await fixture.console(path, { as: "board@example.org", ...options });
    assertEquals(await statusOf(board), 403);
    const on = "foundation-console" as const;
    assertEquals(await statusOf(fixture.console(path, { on, ...options })), 404);
  }
  const list = async (on: "commercial-console" | "foundation-console") =>
    await (await fixture.console("/console/records", { on })).text();
  assertStringIncludes(await list("commercial-console"), path);
  assertFalse((await list("foundation-console")).includes(path));
  for (const wrong of ["x", "0".repeat(64), "%00"]) {
    assertEquals(await statusOf(fixture.console(`/console/records/${wrong}`)), 404);
  }
});

Deno.test("the console lists records newest first, in pages, without whole addresses", async () => {
  await using fixture = await levelsFixture();
  const hashes: string[] = [];
  for (let i = 0; i < 30; i++) {
    hashes.unshift(await fixture.register({ ...PERSON, email: `person${i}@mail.example.org` }));
    fixture.clock.now += 1_000;
  }
  const linksOf = (html: string) =>
    [...html.matchAll(/href="\/console\/records\/([\da-f]{64})"/g)].map(([, hash]) => hash);
  const first = await (await fixture.console("/console/records")).text();
  assertFalse(first.includes("@mail.example.org"));
  const [, next] = first.match(/href="(\/console\/records\?after=[^"]+)"/)!;
  const second = await (await fixture.console(next)).text();
  assertEquals([...linksOf(first), ...linksOf(second)], hashes);
  assertFalse(second.includes("?after="));
  for (const wrong of ["x", "2026", "%00", `2026-01-01T00:00:00.000Z_${"z".repeat(64)}`]) {
    const html = await (await fixture.console(`/console/records?after=${wrong}`)).text();
    assertEquals(linksOf(html), linksOf(first));
  }
});

Deno.test("/levels states the publisher's conditions and that a level is not verified", async () => {
  await using fixture = await levelsFixture();
  const html = await (await fixture.fetch("/levels")).text();
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  for (
    const part of [
      "1 The record is registered. The form",
      "2 The holder has declared, in their own words, what the record is for. The holder",
      "3 Level 2, the email address is confirmed, and a mobile number is confirmed or a passkey",
      "4 Level 3, and an administrator has checked the holder’s identity and recorded how. An",
      "Verifying a chain does not verify the level",
      fixture.site.services.chains.publisher,
    ]
  ) assertStringIncludes(text, part);
});

Deno.test("an administrator starts a recovery with a note and a new address, and cancels it", async () => {
  await using fixture = await levelsFixture();
  const { hash } = await fixture.holder();
  const path = `/console/records/${hash}`;
  const form = { act: "recover", note: "Saw the passport.", email: "new.box@example.org" };
  for (
    const [wrong, text] of [[{ email: "x" }, "not an email address"], [
      { note: "" },
      "Enter a note.",
    ]] as const
  ) {
    const response = await fixture.console(path, { form: { ...form, ...wrong } });
    assertEquals(response.status, 400);
    assertStringIncludes(await response.text(), text);
  }
  assertEquals(await statusOf(fixture.console(path, { form })), 303);
  const html = await (await fixture.console(path)).text();
  assertStringIncludes(html, "n•••@e•••.org");
  assertEquals(await statusOf(fixture.console(path, { form })), 409);
  const board = { as: "board@example.org", form: { act: "cancel_recovery" } };
  assertEquals(await statusOf(fixture.console(path, board)), 403);
  assertEquals(await statusOf(fixture.console(path, { form: { act: "cancel_recovery" } })), 303);
  assertEquals(await fixture.site.services.records.recoveries.read(hash), null);
});
