import {
  assert,
  assertEquals,
  assertFalse,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { documentPath } from "../lib/features/documents/mod.ts";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { DELETION_DELAY_MS, recordRows } from "../lib/features/records/mod.ts";
import { fakeProvider } from "./codes_site.ts";
import { statusOf } from "./contact_site.ts";
import { busyPush, fillRecord } from "./full_record.ts";
import { park } from "./parked_request.ts";
import { recordFixture, type TestHolder } from "./record_site.ts";

/** The job runs in tests only when it is asked to. */
const runJob = (fixture: Awaited<ReturnType<typeof recordFixture>>) =>
  fixture.site.services.jobs.run("due");

async function deletionFixture() {
  const fixture = await recordFixture();
  const holder = await fixture.holder();
  return {
    ...fixture,
    ...holder,
    ask: (digits: string, { cookie }: Pick<TestHolder, "cookie"> = holder) =>
      fixture.fetch("/my-record/delete", { cookie, form: { digits } }),
    exists: async () => await fixture.site.services.records.read(holder.hash) !== null,
    digits: holder.hash.slice(-4),
  };
}

Deno.test("a deletion closes the record at once and takes effect after seven days", async () => {
  await using fixture = await deletionFixture();
  const { hash, digits, clock } = fixture;
  const response = await fixture.ask(` ${digits.toUpperCase()} `);
  assertEquals(response.status, 200);
  assertStringIncludes(response.headers.get("set-cookie")!, "record_session=;");
  assertStringIncludes(await response.text(), "Your record will be deleted");
  assertEquals(await fixture.count("record_sessions"), 0);
  const [mail] = await fixture.mails();
  assertStringIncludes(mail.subject, "Your record will be deleted");

  // Signing in again opens a closed record: nothing can be changed.
  const cookie = await fixture.signIn([hash]);
  const page = await fixture.fetch("/my-record/delete", { cookie });
  assertEquals([page.status, page.headers.get("location")], [303, "/my-record"]);
  assertEquals(
    await statusOf(fixture.fetch("/my-record/delete", { cookie, json: { digits } })),
    403,
  );

  clock.now += DELETION_DELAY_MS - 1;
  await runJob(fixture);
  assert(await fixture.exists());
  clock.now += 1;
  assertEquals((await runJob(fixture))!.detail, "1 deleted");
  assertFalse(await fixture.exists());
  assertEquals(await fixture.count("record_deletions"), 0);
});

Deno.test("a deletion that is sent while the record is replaced does not close the old record", async () => {
  await using fixture = await deletionFixture();
  const { hash, digits, cookie, site: { services } } = fixture;
  const { kv } = services;
  const form = new URLSearchParams({ digits });
  const request = await park(fixture, "/my-record/delete", { cookie, body: form });
  const { row } = (await services.records.read(hash))!;
  await kv.set(recordRows.key(hash), { ...row, replaced_by: "0".repeat(64) });
  assertEquals(await statusOf(request.finish()), 409);
  assertEquals((await recordRows.get(kv, hash)).value?.deletion_at, undefined);
  assertEquals(await fixture.count("record_deletions"), 0);
});

Deno.test("the page lists what every table of a record has, in plain words, and each document", async () => {
  await using fixture = await deletionFixture();
  const { hash, cookie, site: { services } } = fixture;
  const read = async () => await (await fixture.fetch("/my-record/delete", { cookie })).text();
  assertFalse((await read()).includes("nobody can check your documents"));
  const { document } = unwrap(await services.documents.add(newDocument(hash), bodyOf("A file.")));
  const page = await read();
  assertStringIncludes(page, "From then on, nobody can check your documents.");
  const list = page.split("What is deleted")[1].split("What remains")[0];
  const labels = TABLES.filter(({ owner }) => owner === "record")
    .flatMap(({ privacy }) => privacy.map(({ label }) => label));
  assertEquals(list.match(/<li\b/g)?.length, new Set(labels).size + 1);
  assertEquals(list.match(/<li *>[A-Z]/g), null, "each label has plain words");
  const groups = list.split("<details").slice(1);
  assertEquals(
    groups.map((group) => [group.match(/<h3[^>]*>(.*?)<\/h3>/)![1], / open/.test(group)]),
    [
      ["What you sent", false],
      ["Documents and access", true],
      ["Signing in", false],
      ["Apps and devices", false],
      ["Key and level", false],
      ["Logs and counts", false],
    ],
  );
  assertStringIncludes(groups[1], "1 document, 0 requests");
  assertStringIncludes(groups[1], "your documents, with all their versions (1)");
  assertStringIncludes(list, `<a href="${documentPath(document.id)}">${document.title}</a>`);
  assertStringIncludes(list, "passkeys (0)");
});

Deno.test("wrong digits, no session and an old sign-in delete nothing", async () => {
  await using fixture = await deletionFixture();
  const { hash, digits } = fixture;
  const wrong = digits === "0000" ? "1111" : "0000";
  for (const given of [wrong, "", hash]) {
    assertEquals(await statusOf(fixture.ask(given)), 400);
  }
  const json = { digits: 7 };
  const { cookie } = fixture;
  assertEquals(await statusOf(fixture.fetch("/my-record/delete", { cookie, json })), 400);
  const stranger = await fixture.ask(digits, { cookie: "" });
  assertEquals([stranger.status, stranger.headers.get("location")], [303, "/my-record"]);
  const old = await fixture.ask(digits, {
    cookie: await fixture.signIn([hash], { recent: false }),
  });
  assertEquals([old.status, old.headers.get("location")], [303, "/my-record?again=delete"]);
  assertEquals(await fixture.count("record_deletions"), 0);
});

Deno.test("the mailed link cancels a deletion without a session", async () => {
  await using fixture = await deletionFixture();
  await statusOf(fixture.ask(fixture.digits));
  const [mail] = await fixture.mails();
  const token = new URL(mail.link!).searchParams.get("token")!;
  const response = await fixture.fetch("/my-record/undo", { form: { token } });
  assertStringIncludes(await response.text(), "Your record will not be deleted");
  fixture.clock.now += DELETION_DELAY_MS;
  await runJob(fixture);
  assert(await fixture.exists());
  const cookie = await fixture.signIn([fixture.hash]);
  assertEquals(await statusOf(fixture.fetch("/my-record/delete", { cookie })), 200);
});

Deno.test("a holder who signs in again can keep the record", async () => {
  await using fixture = await deletionFixture();
  await statusOf(fixture.ask(fixture.digits));
  const form = { act: "cancel" };
  const old = await fixture.signIn([fixture.hash], { recent: false });
  await statusOf(fixture.fetch("/my-record/delete", { cookie: old, form }));
  assertEquals(await fixture.count("record_deletions"), 1);
  const cookie = await fixture.signIn([fixture.hash]);
  assertEquals(await statusOf(fixture.fetch("/my-record/delete", { cookie, form })), 303);
  assertEquals(await fixture.count("record_deletions"), 0);
});

Deno.test("40 concurrent requests schedule one deletion and send one notice", async () => {
  await using fixture = await deletionFixture();
  const { hash, digits } = fixture;
  const before = (await fixture.mails()).length;
  const cookies = await Promise.all(Array.from({ length: 40 }, () => fixture.signIn([hash])));
  const statuses = await Promise.all(
    cookies.map((cookie) => statusOf(fixture.ask(digits, { cookie }))),
  );
  // Later requests have no session, or get the closed record.
  assertEquals(new Set([...statuses, 200, 303]), new Set([200, 303]));
  assertEquals((await fixture.mails()).length, before + 1);
  assertEquals(await fixture.count("record_deletions"), 1);
  assertEquals(await fixture.count("record_sessions"), 0);
});

Deno.test("a deletion that has begun cannot be cancelled, by the holder or the mailed link", async () => {
  await using fixture = await deletionFixture();
  const { hash, digits, cookie, site: { services: { kv, records } } } = fixture;
  await statusOf(fixture.ask(digits));
  const [mail] = await fixture.mails();
  const reader = { network: "n", browser: "b" };
  const tries: unknown[] = [];
  fixture.clock.now += DELETION_DELAY_MS;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const commit = atomic();
    const remove = commit.delete.bind(commit);
    commit.delete = (key) => {
      // The first deletion of the contact: the job has begun, and nothing is erased yet.
      if (key[0] === "contacts" && tries.length === 0) {
        const send = commit.commit.bind(commit);
        commit.commit = async () => {
          tries.push(null);
          tries.push(await records.deletion.cancel(hash, reader));
          const token = new URL(mail.link!).searchParams.get("token")!;
          tries.push(await records.undo(token, reader));
          return await send();
        };
      }
      return remove(key);
    };
    return commit;
  };
  assertEquals((await runJob(fixture))!.detail, "1 deleted");
  const [, cancelled, undone] = tries as [null, { ok: boolean }, { ok: boolean }];
  assertEquals([cancelled.ok, undone.ok], [false, false]);
  assertFalse(await fixture.exists());
  assertEquals(await statusOf(fixture.fetch("/my-record/delete", { cookie })), 303);
});

Deno.test("a deletion that is cancelled while the job runs does not happen", async () => {
  await using fixture = await deletionFixture();
  await statusOf(fixture.ask(fixture.digits));
  fixture.clock.now += DELETION_DELAY_MS;
  const { kv, records } = fixture.site.services;
  const list = kv.list.bind(kv);
  kv.list = ((...args: Parameters<typeof list>) =>
    (async function* () {
      for await (const entry of list(...args)) {
        if (entry.key[0] === "record_deletions") {
          await records.deletion.cancel(fixture.hash, { network: "n", browser: "b" });
        }
        yield entry;
      }
    })()) as unknown as typeof list;
  await runJob(fixture);
  assert(await fixture.exists());
});

const LIMITS_OF_OTHERS = TABLES.flatMap(({ part, owner }) =>
  part === undefined || owner === "record" ? [] : [part]
);

/**
 * The rows that may remain: the chains and their entries in the log; what apps sent about themselves; for minutes, counters and the hash of
 * a random browser id; and for a year, what administrators did to the record, which names it only by its hash.
 */
const REMAINING = new RegExp(
  `^\\["(audit|audit_by_action|audit_by_person|chains|changes|chain_events|jobs|stats|code_[a-z_]+|limits","(${
    LIMITS_OF_OTHERS.join("|")
  })|otp_codes_by_browser|oauth_clients|oauth_requests|log_chains|log_pending)"`,
);

Deno.test("deleting a record deletes all data about its person, and nobody else's", async () => {
  const provider = fakeProvider();
  await using fixture = await recordFixture(
    {},
    { codeProvider: provider, pushProviders: { android: busyPush() } },
  );
  const { records, documents } = fixture.site.services;
  const other = {
    name: "Quentin Other",
    email: "quentin@mail.example.org",
    digits: "0491 570 006",
  };
  const others = await fillRecord(fixture, provider, other);
  const before = await fixture.entries();
  const person = {
    name: "Wilhelmina Gone",
    email: "mina@mail.example.org",
    digits: "0491 570 157",
  };
  const hashes = await fillRecord(fixture, provider, person);
  const [hash] = hashes;

  const salts = (await documents.list(hash)).map(({ log_salt }) => log_salt!);
  assert(salts.length > 0 && salts.every((salt) => salt.length === 64));
  assertEquals(await records.deletion.deleteRecord(hash), { ok: true, deleted: 3 });
  const after = await fixture.entries();
  const known = new Set(before.map(({ key }) => key));
  const left = after.filter(({ key }) => !known.has(key) && !REMAINING.test(key));
  assertEquals(left.map(({ key }) => key), []);
  const personal = /Wilhelmina|Gone|mina@|491570157|491 570 157/;
  for (const { key, text } of after) {
    assertFalse(personal.test(key + text), key);
    for (const salt of salts) assertFalse(text.includes(salt), key);
    if (
      !/^\["(audit|audit_by_action|audit_by_person|chains|changes|chain_events|log_chains)"/.test(
        key,
      )
    ) {
      for (const each of hashes) assertFalse((key + text).includes(each), key);
    }
  }
  const now = new Map(after.map(({ key, text }) => [key, text]));
  for (const { key, text } of before) {
    if (!REMAINING.test(key) || others.some((each) => key.includes(each))) {
      assertEquals(now.get(key), text, key);
    }
  }
  assertEquals((await fixture.site.services.chains.page(hash))!.events.length > 0, true);
  assertEquals(await records.deletion.deleteRecord(hash), { ok: true, deleted: 0 });
});

Deno.test("the job finishes a deletion that was interrupted at any step", async () => {
  const provider = fakeProvider();
  await using fixture = await recordFixture({}, {
    codeProvider: provider,
    pushProviders: { android: busyPush() },
  });
  const { kv, records } = fixture.site.services;
  const person = {
    name: "Wilhelmina Gone",
    email: "mina@mail.example.org",
    digits: "0491 570 157",
  };
  const hashes = await fillRecord(fixture, provider, person);
  let lists = 0;
  const list = kv.list.bind(kv);
  kv.list = ((...args: Parameters<typeof list>) => {
    if (++lists === 9) throw new Error("interrupted");
    return list(...args);
  }) as typeof list;
  await assertRejects(() => records.deletion.deleteRecord(hashes[0]), Error, "interrupted");
  assertEquals(await records.read(hashes[0]), null);
  await runJob(fixture);
  for (const { key, text } of await fixture.entries()) {
    if (
      !/^\["(audit|audit_by_action|audit_by_person|chains|changes|chain_events|log_chains)"/.test(
        key,
      )
    ) {
      for (const each of hashes) assertFalse((key + text).includes(each), key);
    }
  }
});
