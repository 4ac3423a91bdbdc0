import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { DELETION_DELAY_MS } from "../lib/records/mod.ts";
import { statusOf } from "./contact_site.ts";
import { recordFixture, type TestHolder } from "./record_site.ts";

/** The job runs in tests only when it is asked to. */
const runJob = (fixture: Awaited<ReturnType<typeof recordFixture>>) =>
  fixture.site.services.jobs.run("deletions");

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

Deno.test("a deletion closes the record at once and takes effect after a day", async () => {
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
  assertEquals([old.status, old.headers.get("location")], [303, "/my-record?again=1"]);
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
