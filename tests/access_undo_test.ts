import { assert, assertEquals } from "@std/assert";
import { setImmediate } from "node:timers";
import { HOLD_MS } from "../lib/features/documents/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { requests } from "../lib/features/documents/access/requests.ts";
import { apart, openKv } from "../lib/platform/kv/mod.ts";
import { holdKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { createMailer } from "../lib/platform/mail/mod.ts";
import { readAccessLog } from "../lib/features/records/mod.ts";
import { type AccessFixture, accessFixture, STRANGER } from "./access_site.ts";
import { statusOf } from "./contact_site.ts";

/** The ways to decide: as the holder, and as an administrator. */
const DECIDERS = {
  "the holder": (fixture: AccessFixture, form: Record<string, string>) => fixture.decide(form),
  "an administrator": (fixture: AccessFixture, form: Record<string, string>) =>
    fixture.console("/console/alerts", { form }),
};
const decideAs = async (
  fixture: AccessFixture,
  who: keyof typeof DECIDERS,
  form: Record<string, string>,
) => await statusOf(DECIDERS[who](fixture, form));

const requestOf = async ({ site, owner }: AccessFixture) =>
  (await site.services.access.list(owner.hash))[0];

const subjectsOf = async (fixture: AccessFixture) =>
  (await fixture.mails()).map(({ subject }) => subject)
    .filter((subject) => /Your request was|A request to read/.test(subject));

/** The rows that a decision changes, without the logs and versions. */
const rowsOf = async ({ entries }: AccessFixture) =>
  (await entries()).filter(({ key }) =>
    /^\["(access_requests|access_links|document_shares|alerts|outbox|record_undos)/.test(key)
  );

for (const who of ["the holder", "an administrator"] as const) {
  for (const act of ["approve", "refuse"]) {
    Deno.test(`${who} undoes "${act}" within ten seconds: the request and its alert are as before, and nobody gets a mail`, async () => {
      await using fixture = await accessFixture();
      const { services } = fixture.site;
      const id = await fixture.open();
      const before = await rowsOf(fixture);
      const until = fixture.clock.now + HOLD_MS;
      assertEquals(await decideAs(fixture, who, { act, id, reason: "Because" }), 303);
      assertEquals((await services.alerts.overview("commercial")).unread, 0);
      assertEquals(Date.parse((await requestOf(fixture)).undo_until!), until + 1);
      fixture.clock.now = until - 1;
      assertEquals(await decideAs(fixture, who, { act: "undo", id }), 303);
      assertEquals(await rowsOf(fixture), before);
      assertEquals((await services.alerts.overview("commercial")).unread, 1);
      await fixture.sendHeld();
      assertEquals(await subjectsOf(fixture), []);
      const { entries: [{ what }] } = await readAccessLog(
        services.kv,
        fixture.owner.hash,
        fixture.clock.now,
      );
      assertEquals(what, "access_undone");

      // The request can be decided again, and undoing it twice is like undoing it once.
      assertEquals(await decideAs(fixture, who, { act: "undo", id }), 303);
      assertEquals(await decideAs(fixture, who, { act: "approve", id }), 303);
      await fixture.sendHeld();
      const [token] = await fixture.tokens("/s");
      await fixture.use(token);
    });
  }

  Deno.test(`it is too late for ${who} to undo once the mail is due or was taken`, async () => {
    await using fixture = await accessFixture();
    const id = await fixture.open();
    await decideAs(fixture, who, { act: "approve", id });
    fixture.clock.now += HOLD_MS;
    assertEquals(await decideAs(fixture, who, { act: "undo", id }), 409);
    assertEquals((await requestOf(fixture)).state, "approved");
    await fixture.site.services.mailer.drain();
    // Even if the clock is set back.
    fixture.clock.now -= HOLD_MS;
    assertEquals(await decideAs(fixture, who, { act: "undo", id }), 409);
    assert((await subjectsOf(fixture)).some((subject) => subject.startsWith("Your request was")));
  });
}

/** Creates the mailer of another process, whose clock may be ahead. It adds the recipients to `sent`. */
function otherMailer({ site: { services } }: AccessFixture, aheadMs: number, sent: string[]) {
  const { kv, clock, secrets, config } = services;
  return createMailer({
    kv,
    clock: () => clock() + aheadMs,
    secrets,
    transport: { name: "other", send: ({ to }) => Promise.resolve(void sent.push(to)) },
    senders: config.mail.senders,
    log: () => {},
    onFailure: () => {},
  });
}

Deno.test("a mail is sent or its decision undone, never both, while a process whose clock is ahead sends it", async () => {
  await using fixture = await accessFixture();
  const { access } = fixture.site.services;
  const sent: string[] = [];
  const ahead = otherMailer(fixture, HOLD_MS, sent);
  for (let i = 0; i < 20; i++) {
    const id = await fixture.open({ email: `reader${i}@mail.example.com` });
    await decideAs(fixture, "an administrator", { act: "approve", id });
    const undo = () => decideAs(fixture, "an administrator", { act: "undo", id });
    const wait = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
    };
    await Promise.all([undo(), undo(), wait(i).then(() => ahead.drain())]);
    const { state } = (await access.readOf("commercial", id))!;
    assertEquals([state, sent.length], state === "open" ? ["open", 0] : ["approved", 1]);
    sent.length = 0;
  }
});

Deno.test("only the person who decided can undo it, and a decision of somebody else is not repeated", async () => {
  await using fixture = await accessFixture({
    OPS_L1_EMAILS: "admin@example.org,second@example.org",
  });
  const second = (form: Record<string, string>) =>
    statusOf(fixture.console("/console/alerts", { form, as: "second@example.org" }));
  const id = await fixture.open();
  // Two administrators at once: one decides.
  const decided = await Promise.all([
    decideAs(fixture, "an administrator", { act: "approve", id }),
    second({ act: "approve", id }),
  ]);
  assertEquals(decided.toSorted(), [303, 409]);
  const others = decided[0] === 303
    ? second
    : (form: Record<string, string>) => decideAs(fixture, "an administrator", form);
  assertEquals(await others({ act: "undo", id }), 409);
  assertEquals(await decideAs(fixture, "the holder", { act: "undo", id }), 409);
  assertEquals((await requestOf(fixture)).state, "approved");
});

Deno.test("a decision that is sent twice is one decision with one mail, and one undo takes it back", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  const twice = (form: Record<string, string>) =>
    Promise.all([1, 2, 3].map(() => decideAs(fixture, "an administrator", form)));
  assertEquals(await twice({ act: "approve", id }), [303, 303, 303]);
  assertEquals(await fixture.count("outbox"), 1);
  assertEquals(await twice({ act: "undo", id }), [303, 303, 303]);
  assertEquals(await fixture.count("outbox"), 0);
  assertEquals((await requestOf(fixture)).state, "open");
});

Deno.test("an undo whose mail was recalled by another undo a moment ago succeeds, too", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const kv = holdKv(await openKv(":memory:"), async ({ name, keys }) => {
    if (meanwhile === null || name === "commit" || !keys.some(([table]) => table === "outbox")) {
      return;
    }
    const action = meanwhile;
    meanwhile = null;
    await apart("Somebody else does it.", action);
  });
  await using fixture = await accessFixture({}, { kv });
  const id = await fixture.open();
  await decideAs(fixture, "an administrator", { act: "approve", id });
  const undo = () => decideAs(fixture, "an administrator", { act: "undo", id });
  const first = Promise.withResolvers<number>();
  meanwhile = () => undo().then(first.resolve);
  assertEquals([await undo(), await first.promise], [303, 303]);
  assertEquals((await requestOf(fixture)).state, "open");
});

Deno.test("while a decision can be undone, asking again mails nothing, and revoking recalls the mail", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  await decideAs(fixture, "an administrator", { act: "approve", id });
  await statusOf(fixture.ask());
  assertEquals(await subjectsOf(fixture), []);
  assertEquals(await decideAs(fixture, "an administrator", { act: "revoke", id }), 303);
  assertEquals(await decideAs(fixture, "an administrator", { act: "undo", id }), 409);
  await fixture.sendHeld();
  assertEquals(await subjectsOf(fixture), []);
  assertEquals((await requestOf(fixture)).state, "revoked");
});

Deno.test("somebody who asks again before the mail of an approval is sent gets one mail, whose link works", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  await decideAs(fixture, "an administrator", { act: "approve", id });
  fixture.clock.now += HOLD_MS;
  await statusOf(fixture.ask());
  await fixture.sendHeld();
  const tokens = await fixture.tokens("/s");
  assertEquals(tokens.length, 1);
  await fixture.use(tokens[0]);
});

Deno.test("revoking an approval before its mail is sent leaves no link that undoes it", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  await decideAs(fixture, "the holder", { act: "approve", id });
  assertEquals(await fixture.count("record_undos"), 1);
  await decideAs(fixture, "the holder", { act: "revoke", id });
  assertEquals(await fixture.count("record_undos"), 0);
});

Deno.test("if the process dies after a decision, another one sends its mail", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  await decideAs(fixture, "the holder", { act: "refuse", id });
  fixture.clock.now += HOLD_MS;
  const sent: string[] = [];
  const other = otherMailer(fixture, 0, sent);
  await other.drain();
  assertEquals(sent, [STRANGER.email]);
  assertEquals(await subjectsOf(fixture), []);
});

Deno.test("a decision of an earlier version of the site, whose row says nothing about its mail, cannot be undone", async () => {
  await using fixture = await accessFixture();
  const { id } = await fixture.approve();
  const { kv } = fixture.site.services;
  const { key, value } = await requests.get(kv, id);
  const { held: _, ...earlier } = value!;
  await kv.set(key, earlier, { expireIn: DAY_MS });
  assertEquals((await requestOf(fixture)).undo_until, null);
  assertEquals(await decideAs(fixture, "the holder", { act: "undo", id }), 409);
  assertEquals(await decideAs(fixture, "the holder", { act: "revoke", id }), 303);
});
