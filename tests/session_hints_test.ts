/**
 * A process remembers where sessions led to, and reads that together with a session. What another
 * process changes must take effect at the next request all the same.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { operators } from "../lib/features/operators/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { accessFixture } from "./access_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

Deno.test("another process switches a holder's record, or ends the session, and the next request follows", async () => {
  const kv = await openKv(":memory:");
  await using here = await recordFixture({}, { kv });
  const there = await recordFixture({}, { kv }); // closes with the store
  const records: [hash: string, email: string][] = [];
  for (const email of ["a@example.org", "b@example.org"]) {
    records.push([await here.register({ ...PERSON, email }), email]);
  }
  const cookie = await here.signIn(records.map(([hash]) => hash));
  for (const [record, email] of [...records, ...records]) {
    await statusOf(there.fetch("/my-record/choose", { cookie, form: { record } }));
    const page = await (await here.fetch("/my-record/correct", { cookie })).text();
    assertStringIncludes(page, `value="${email}"`);
  }
  await statusOf(there.fetch("/my-record/sign-out", { cookie, form: {} }));
  assertEquals(await statusOf(here.fetch("/my-record/log", { cookie })), 303);
});

Deno.test("another process schedules the deletion of a record, and the next request finds it closed", async () => {
  const kv = await openKv(":memory:");
  await using here = await recordFixture({}, { kv });
  const there = await recordFixture({}, { kv });
  const { hash, cookie } = await here.holder();
  assertEquals(await statusOf(here.fetch("/my-record/log", { cookie })), 200);
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await there.site.services.records.deletion.request(hash, reader);
  const again = await here.signIn([hash]);
  assertEquals(await statusOf(here.fetch("/my-record/log", { cookie: again })), 303);
  assertEquals(await statusOf(here.fetch("/my-record/log", { cookie })), 303);
});

Deno.test("another process takes an operator's access away or ends the session, and the next request is refused", async () => {
  const kv = await openKv(":memory:");
  await using here = await recordFixture({}, { kv });
  const { services } = here.site;
  const on = "commercial-console";
  const email = "operator@example.net";
  const commit = kv.atomic();
  operators.put(commit, ["commercial", email], {
    email,
    layer: "L1",
    sessions_from: "2020-01-01T00:00:00.000Z",
    added_at: "2020-01-01T00:00:00.000Z",
    invited_by: "admin@example.org",
  });
  await commit.commit();
  const { token } = await services.auth.issueLink({ email, surface: on });
  const { sessionId, user } = (await services.auth.verify(token, on))!;
  const status = () =>
    statusOf(here.site.request(on, "/console/users", {
      headers: { cookie: `app_session=${sessionId}`, accept: "text/html" },
    }));
  assertEquals([await status(), await status()], [200, 200]);
  await kv.delete(operators.key("commercial", email));
  assertEquals(await status(), 403);
  await services.auth.endSessions({ user_id: user.user_id, surface: on });
  assertEquals(await status(), 302);
});

Deno.test("a correction moves a document to another record, whose deletion hides its lock screen", async () => {
  await using fixture = await accessFixture();
  const { document, owner: { hash }, site: { services } } = fixture;
  const screen = () => statusOf(fixture.fetch(`/d/${document}`));
  assertEquals([await screen(), await screen()], [200, 200]);
  const { record } = (await services.records.read(hash))!.contact.value;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  const corrected = { ...record, name: "Ada Corrected" };
  const { to } = unwrap(await services.records.correction.start(hash, corrected, reader));
  assertEquals((await services.documents.read(document))?.record, to);
  assertEquals([await screen(), await screen()], [200, 200]);
  unwrap(await services.records.deletion.request(to, reader));
  assertEquals(await screen(), 404);
});
