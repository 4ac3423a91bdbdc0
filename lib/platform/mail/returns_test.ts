import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { openKv } from "../kv/mod.ts";
import { deliveriesTo } from "../jobs/mod.ts";
import { createSecrets } from "../secrets.ts";
import { fingerprintsOf, mailAddresses } from "./addresses.ts";
import type { MailKind } from "./kinds.ts";
import { type Mail, MailError, type MailFailure } from "./mail.ts";
import { createMailer } from "./mailer.ts";
import type { ReturnedMail } from "./returns.ts";

const ADA = "ada@example.org";
const mailTo = (to: string): Mail => ({
  ...{ sender: "product", to, subject: "Hello", text: "Hello", html: "<p>Hello" },
});

/** Creates a mailer whose server refuses mails for the reasons in `refusals`. */
async function setup() {
  const kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const clock = { now: Date.parse("2026-03-01T09:00:00.000Z") };
  const refusals = new Map<string, [MailFailure, string]>();
  /** Called while the server accepts a mail. */
  const whileSending: ((id: string) => Promise<unknown>)[] = [];
  const sent: string[] = [];
  const returned: ReturnedMail[] = [];
  /** The address of each attempt. */
  const tried: string[] = [];
  const mailer = createMailer({
    ...{ kv, secrets, clock: () => clock.now, log() {}, onFailure() {} },
    senders: {
      product: "p@site.example",
      foundation: "f@site.example",
      commercial: "c@site.example",
    },
    addToReturn: (_commit, mail) => void returned.push(mail),
    transport: {
      name: "test",
      async send({ id, to }) {
        tried.push(to);
        const refusal = refusals.get(to);
        if (refusal !== undefined) throw new MailError(...refusal);
        await whileSending.shift()?.(id!);
        sent.push(to);
      },
    },
  });
  const mailsTo = async (to: string) =>
    (await deliveriesTo(kv, await fingerprintsOf(secrets, to), { limit: 9, now: clock.now }))
      .map(({ row }) => row);
  return {
    ...{ kv, secrets, clock, refusals, whileSending, tried, sent, returned, mailer, mailsTo },
    /** Sends a mail. Returns what became of it. */
    async send(kind: MailKind = "sign_in", to = ADA) {
      clock.now += 1_000;
      const commit = kv.atomic();
      const about = { about: "user/1", kind, expiresAt: clock.now + 7 * DAY_MS };
      const queued = await mailer.add(commit, mailTo(to), about);
      await commit.commit();
      mailer.send([queued]);
      await mailer.flush();
      const [{ id, state, reason }] = await mailsTo(to);
      return { id, outcome: [state, reason] };
    },
    outcome: async (to = ADA) => (({ state, reason }) => [state, reason])((await mailsTo(to))[0]),
    [Symbol.dispose]: () => kv.close(),
  };
}

const SENT = ["sent", null];
const STOPPED = ["failed", "address_stopped"];

Deno.test("a refused address gets no mail for a day, then one attempt; a second refusal ends all mail", async () => {
  using site = await setup();
  site.refusals.set(ADA, ["recipient_refused", "550 5.1.1"]);
  assertEquals((await site.send()).outcome, ["failed", "recipient_refused"]);
  site.refusals.clear();
  assertEquals((await site.send()).outcome, STOPPED);
  assertEquals((await site.send("sign_in", "bob@example.org")).outcome, SENT);
  site.clock.now += DAY_MS;
  assertEquals((await site.send("document_issued")).outcome, STOPPED);
  assertEquals((await site.send()).outcome, SENT);
  site.refusals.set(ADA, ["recipient_refused", "550 5.1.1"]);
  assertEquals((await site.send()).outcome, ["failed", "recipient_refused"]);
  site.refusals.clear();
  site.clock.now += 30 * DAY_MS;
  assertEquals((await site.send()).outcome, STOPPED);
  site.clock.now += 366 * DAY_MS;
  assertEquals((await site.send()).outcome, SENT);
  assertEquals(site.returned.map(({ what, reply }) => [what, reply]), [
    ["hard", "550 5.1.1"],
    ["hard", "550 5.1.1"],
  ]);
});

Deno.test("a full mailbox, greylisting and a blocked sender say nothing about the address", async () => {
  using site = await setup();
  for (
    const [failure, reply, what] of [
      ["recipient_unavailable", "552 5.2.2", []],
      ["deferred", "450 4.2.0", []],
      ["policy_refused", "554 5.7.1", ["block"]],
      ["message_refused", "554", []],
    ] as const
  ) {
    site.refusals.set(ADA, [failure, reply]);
    const { outcome } = await site.send();
    assertEquals(outcome, [failure === "message_refused" ? "failed" : "retrying", failure]);
    site.refusals.clear();
    assertEquals((await site.send("document_issued")).outcome, SENT);
    assertEquals(site.returned.splice(0).map((mail) => mail.what), [...what]);
  }
});

Deno.test("a mail that was sent and comes back later marks its own address and counts once, whatever is reported again", async () => {
  using site = await setup();
  const { id } = await site.send();
  await site.send("sign_in", "bob@example.org");
  const report = { mail: { id }, what: "hard", reply: "5.1.1" } as const;
  assertEquals(await site.mailer.report(report), true);
  for (const what of ["hard", "block", "hard"] as const) {
    assertEquals(await site.mailer.report({ ...report, what }), true);
  }
  assertEquals(await site.outcome(), ["returned", "recipient_refused"]);
  assertEquals(site.returned.length, 1);
  assertEquals((await site.send()).outcome, STOPPED);
  assertEquals((await site.send("sign_in", "bob@example.org")).outcome, SENT);
  assertEquals(await site.mailer.report({ ...report, mail: { id: crypto.randomUUID() } }), false);
  assertEquals(await site.mailer.report({ ...report, mail: { to: "eve@example.org" } }), false);
});

Deno.test("one mail comes back once, however its reports differ, so that nobody counts it again or stops an address with it", async () => {
  using site = await setup();
  const { id } = await site.send();
  for (let i = 0; i < 3; i++) {
    for (const what of ["hard", "block", "soft"] as const) {
      await site.mailer.report({ mail: { id }, what, reply: null });
    }
    site.clock.now += DAY_MS + HOUR_MS;
  }
  assertEquals(site.returned.map(({ what }) => what), ["hard"]);
  assertEquals((await site.send()).outcome, SENT);
  // Its recipient may still complain about it, once.
  for (const what of ["complaint", "hard", "complaint"] as const) {
    await site.mailer.report({ mail: { id }, what, reply: null });
  }
  assertEquals(site.returned.map(({ what }) => what), ["hard", "complaint"]);
});

Deno.test("a report by address that is repeated is not about the mails before", async () => {
  using site = await setup();
  for (let i = 0; i < 3; i++) await site.send();
  for (let i = 0; i < 3; i++) {
    await site.mailer.report({ mail: { to: ADA }, what: "complaint", reply: null });
  }
  assertEquals(site.returned.length, 1);
  assertEquals((await site.mailsTo(ADA)).map(({ state }) => state), ["returned", "sent", "sent"]);
});

Deno.test("a mail that comes back before the sender has noted that it was accepted stays returned", async () => {
  using site = await setup();
  site.whileSending.push((id) =>
    site.mailer.report({ mail: { id }, what: "hard", reply: "5.1.1" })
  );
  assertEquals((await site.send()).outcome, ["returned", "recipient_refused"]);
});

Deno.test("several mails that come back on one day are one refusal", async () => {
  using site = await setup();
  const [one, two] = [(await site.send()).id, (await site.send()).id];
  for (const id of [one, two]) {
    site.clock.now += HOUR_MS;
    await site.mailer.report({ mail: { id }, what: "hard", reply: "5.1.1" });
  }
  site.clock.now += DAY_MS;
  assertEquals((await site.send()).outcome, SENT);
});

Deno.test("a soft or blocked report notes the mail, and stops none to the address", async () => {
  using site = await setup();
  for (
    const [what, reason] of [["soft", "recipient_unavailable"], [
      "block",
      "policy_refused",
    ]] as const
  ) {
    await site.send();
    assertEquals(await site.mailer.report({ mail: { to: ADA }, what, reply: null }), true);
    assertEquals(await site.outcome(), ["returned", reason]);
    assertEquals((await site.send("document_issued")).outcome, SENT);
  }
});

Deno.test("after a complaint only mail stops that its recipient has not asked for", async () => {
  using site = await setup();
  const { id } = await site.send("document_issued");
  await site.mailer.report({ mail: { id }, what: "complaint", reply: null });
  assertEquals((await site.send("document_issued")).outcome, STOPPED);
  assertEquals((await site.send("notice")).outcome, SENT);
});

Deno.test("a delivery after the pause ends a first refusal, one from before does not", async () => {
  using site = await setup();
  const { id: before } = await site.send();
  await site.mailer.report({ mail: { id: before }, what: "hard", reply: "5.1.1" });
  await site.mailer.report({ mail: { id: before }, what: "delivered", reply: null });
  assertEquals((await site.send()).outcome, STOPPED);
  site.clock.now += DAY_MS + HOUR_MS;
  const { id: after } = await site.send();
  await site.mailer.report({ mail: { id: after }, what: "delivered", reply: null });
  assertEquals((await Array.fromAsync(mailAddresses.list(site.kv, []))).length, 0);
  assertEquals((await site.send("document_issued")).outcome, SENT);
});

Deno.test("rows about addresses contain no address, and reports find them after the secret was replaced", async () => {
  using site = await setup();
  const { id } = await site.send();
  await site.mailer.report({ mail: { id }, what: "hard", reply: "5.1.1" });
  const rows = await Array.fromAsync(site.kv.list({ prefix: [] }));
  assertEquals(JSON.stringify(rows).includes("ada@"), false);
  const both = createSecrets({
    kv: site.kv,
    given: [new Uint8Array(32).fill(1), new Uint8Array(32)],
  });
  const [, old] = await fingerprintsOf(both, ADA);
  assertEquals(old, (await fingerprintsOf(site.secrets, ADA))[0]);
});

Deno.test("offers to a domain that puts all off are tried again by a few, in rounds; a person's own mail does not wait for them", async () => {
  using site = await setup();
  const { tried } = site;
  const students = Array.from({ length: 60 }, (_, i) => `s${i}@example.org`);
  for (const to of [...students, ADA]) site.refusals.set(to, ["deferred", "451 4.7.1"]);
  for (const to of students) await site.send("document_issued", to);
  await site.send("sign_in");
  assertEquals(tried.length, 61);
  const drain = async (minutes: number) => {
    tried.length = 0;
    site.clock.now += minutes * MINUTE_MS;
    await site.mailer.drain();
    return [tried.filter((to) => to !== ADA).length, tried.includes(ADA)];
  };
  assertEquals(await drain(2), [0, true]);
  const [again] = await drain(3);
  assertEquals(Number(again) >= 20 && Number(again) <= 24, true, `${again}`);
  // Once the domain has accepted a mail, none waits any more.
  site.refusals.clear();
  await site.send("document_issued", "new@example.org");
  assertEquals(await drain(6), [again, true]);
  assertEquals(await drain(10), [60 - Number(again), false]);
  assertEquals((await site.outcome("s59@example.org"))[0], "sent");
});
