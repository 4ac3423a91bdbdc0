import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { scheduleTimeout } from "../../base/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { actNow } from "../../platform/alert_kind.ts";
import { openKv, rulesOf } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { createMailer } from "../../platform/mail/mod.ts";
import { MailError, type OutgoingMail } from "../../platform/mail/mail.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import type { Operator } from "../operators/mod.ts";
import { type Cause, causeOf, joinCauses } from "./causes.ts";
import { createRecipients } from "./recipients.ts";
import { createUrgentMails } from "./urgent.ts";

const ADA = "ada@example.org";
const BOB = "bob@example.org";
const ENV = "env@example.org";

const KINDS = {
  disk_full: actNow("Disk full", "site"),
  bank_rejected: actNow("Bank token rejected", "console"),
  log_refused: actNow("Public log refused by a witness", "site", {
    quoted: ["witness"],
    cause: "log",
  }),
  log_halted: actNow("Public log halted", "site", { cause: "log" }),
  new_kind: actNow("Kind without instructions", "console"),
};

const operator = (email: string, urgent = true): Operator => ({
  email,
  layer: "L1",
  source: "console",
  mails: { urgent, morning: true, digest: true },
});

/** A store that several processes share, the administrators, and what the mail server does. */
async function night() {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.parse("2026-03-01T02:00:00.000Z") };
  const sent: OutgoingMail[] = [];
  const mail = { refuse: (_: OutgoingMail): Error | Promise<never> | null => null };
  const team = {
    foundation: [operator(ADA)],
    commercial: [operator(ADA), operator(BOB)],
  };
  const { organisations } = parseConfig({});
  const surfaces = createSurfaces(parseConfig({}));
  const log: string[] = [];
  function process(instance: string) {
    const mailer = createMailer({
      kv,
      clock: () => clock.now,
      secrets: createSecrets({ kv, given: [new Uint8Array(32)] }),
      senders: { product: "p@x.example", foundation: "f@x.example", commercial: "c@x.example" },
      log: () => {},
      onFailure: () => {},
      transport: {
        name: "test",
        async send(outgoing) {
          const refused = await mail.refuse(outgoing);
          if (refused !== null) throw refused;
          sent.push(outgoing);
        },
      },
    });
    const recipients = createRecipients({
      operators: { list: (organisation) => Promise.resolve(team[organisation]) },
      ops: { l1: [ENV] },
      clock: () => clock.now,
    });
    const run = createUrgentMails({
      ...{ kv, instance, mailer, recipients, organisations, surfaces },
      clock: () => clock.now,
      schedule: (run) => scheduleTimeout(run, 20), // so that a mail that hangs is cut off at once
      kinds: () => KINDS,
      log: ({ event }) => void log.push(String(event)),
    });
    return { run, recipients };
  }
  const cause = (kind: keyof typeof KINDS, alert?: string, problem = "x"): Cause =>
    causeOf(KINDS, { organisation: "commercial", kind, problem }, {
      alert,
      since: new Date(clock.now).toISOString(),
    })!;
  return {
    ...{ kv, clock, sent, mail, team, process, cause, log },
    /** Returns who got which mail since the last call. */
    told: () => sent.splice(0).map(({ to, subject }) => `${to} ${subject.split(": ")[1]}`).sort(),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a cause is mailed once by one of two processes, to each administrator whom it concerns once", async () => {
  using site = await night();
  const [one, two] = [site.process("one"), site.process("two")];
  await Promise.all([one.recipients.read(), two.recipients.read()]);
  const causes = [site.cause("disk_full", "a1"), site.cause("bank_rejected", "b1")];
  for (let minute = 0; minute < 30; minute++) {
    await Promise.all([one.run(causes), two.run(causes)]);
    site.clock.now += MINUTE_MS;
  }
  const mails = site.sent.map(({ to }) => to).sort();
  // Each process may send one of the two causes, but no cause is mailed twice.
  const told = site.sent.flatMap(({ to, text }) =>
    ["Disk full", "Bank token rejected"].filter((name) => text.includes(`${name}\n\n`))
      .map((name) => `${to} ${name}`)
  ).sort();
  assertEquals(told, [
    `${ADA} Bank token rejected`,
    `${ADA} Disk full`,
    `${BOB} Bank token rejected`,
    `${BOB} Disk full`,
  ]);
  assert(mails.length <= 4);
  const three = site.process("three"); // after a restart
  await three.recipients.read();
  site.sent.length = 0;
  await three.run(causes);
  assertEquals(site.told(), []);
});

Deno.test("a kind without a section in the runbook is mailed without instructions", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  await run([site.cause("new_kind", "n1"), site.cause("bank_rejected", "b1")]);
  const { subject, text } = site.sent.find(({ to }) => to === BOB)!;
  assertStringIncludes(subject, "Act now: Kind without instructions, and 1 other alert");
  assertStringIncludes(text, "Noticed: 1 Mar 2026");
  assertEquals(text.match(/Do this first/g)?.length, 1); // that of the other kind
});

Deno.test("an alert that flaps all night is mailed at most once an hour", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  for (let minute = 0; minute < 180; minute++) {
    const isOpen = minute % 10 < 5;
    await run(isOpen ? [site.cause("bank_rejected", `alert-${Math.floor(minute / 10)}`)] : []);
    site.clock.now += MINUTE_MS;
  }
  assertEquals(site.told().filter((line) => line.startsWith(ADA)).length, 3);
});

Deno.test("many causes at once are one mail, and those that follow wait for five minutes", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  const some = Array.from({ length: 20 }, (_, i) => site.cause("bank_rejected", `b${i}`, `p${i}`));
  await run(some);
  assertEquals(site.sent.length, 2);
  assertStringIncludes(site.sent[0].text, "Alerts: 20");
  site.sent.length = 0;
  for (let minute = 1; minute <= 60; minute++) {
    site.clock.now += MINUTE_MS;
    some.push(site.cause("bank_rejected", `c${minute}`, `q${minute}`));
    await run(some);
  }
  assertEquals(site.sent.filter(({ to }) => to === ADA).length, 12);
});

Deno.test("a store that refuses every write does not stop the mail, which is repeated by no later look", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  rulesOf(site.kv).readOnly = () => "store_changed";
  for (let minute = 0; minute < 120; minute++) {
    assertEquals(await run([site.cause("disk_full")]), true);
    site.clock.now += MINUTE_MS;
  }
  assertEquals(site.told(), [`${ADA} Disk full`, `${BOB} Disk full`]);
});

Deno.test("without a read of the store, those of the configuration get the mail; an operator who was removed does not", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await run([site.cause("disk_full")]);
  assertEquals(site.sent.map(({ to }) => to), [ENV]);
  assertStringIncludes(site.sent[0].text, "those whom its configuration names");
  site.sent.length = 0;
  await recipients.read();
  site.team.commercial.pop();
  await recipients.read();
  site.clock.now += 5 * HOUR_MS;
  await run([site.cause("bank_rejected", "b1")]);
  assertEquals(site.told(), [`${ADA} Bank token rejected`]);
});

Deno.test("recipients that were read long ago are named in the mail with the time", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  site.clock.now += HOUR_MS;
  await run([site.cause("disk_full")]);
  assertStringIncludes(site.sent[0].text, "those who were administrators at 1 Mar 2026, 02:00 UTC");
});

Deno.test("those who turned urgent mails off get none, unless nobody else would", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  site.team.commercial = [operator(ADA, false), operator(BOB)];
  await recipients.read();
  await run([site.cause("bank_rejected", "b1")]);
  assertEquals(site.told(), [`${BOB} Bank token rejected`]);
  site.team.commercial = [operator(ADA, false), operator(BOB, false)];
  await recipients.read();
  site.clock.now += DAY_MS;
  await run([site.cause("bank_rejected", "b2")]);
  assertEquals(site.told().length, 2);
});

Deno.test("a sender that the mail server refuses is replaced by another one", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  site.mail.refuse = ({ from }) =>
    from.startsWith("c@") ? new MailError("sender_refused", "550 5.7.1") : null;
  assertEquals(await run([site.cause("bank_rejected", "b1")]), true);
  assertEquals(site.sent.map(({ from }) => from), ["p@x.example", "p@x.example"]);
});

Deno.test("while no mail leaves, the look says so and tries again later and later; then everybody gets it", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  let tries = 0;
  site.mail.refuse = ({ to }) => {
    if (to === ADA) tries++;
    return new MailError("connection_failed");
  };
  const reached: boolean[] = [];
  for (let minute = 0; minute < 60; minute++) {
    reached.push(await run([site.cause("bank_rejected", "b1")]));
    site.clock.now += MINUTE_MS;
  }
  assertEquals([tries, reached.includes(true)], [6, false]);
  // One of two is accepted, and the other one later.
  site.mail.refuse = ({ to }) => to === BOB ? new MailError("deferred") : null;
  site.clock.now += HOUR_MS;
  assertEquals(await run([site.cause("bank_rejected", "b1")]), true);
  assertEquals(site.told(), [`${ADA} Bank token rejected`]);
  site.mail.refuse = () => null;
  for (let minute = 0; minute < 5; minute++) {
    site.clock.now += MINUTE_MS;
    await run([site.cause("bank_rejected", "b1")]);
  }
  assertEquals(site.told(), [`${BOB} Bank token rejected`]);
});

Deno.test("a mail server that hangs for one recipient does not keep the mail from the others", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  site.mail.refuse = ({ to }) => to === BOB ? new Promise(() => {}) : null;
  assertEquals(await run([site.cause("bank_rejected", "b1")]), true);
  assertEquals(site.told(), [`${ADA} Bank token rejected`]);
  site.mail.refuse = () => null;
  site.clock.now += MINUTE_MS;
  await run([site.cause("bank_rejected", "b1")]);
  assertEquals(site.told(), [`${BOB} Bank token rejected`]);
});

Deno.test("a process that claimed a cause and died is replaced after two minutes", async () => {
  using site = await night();
  const [one, two] = [site.process("one"), site.process("two")];
  await one.recipients.read();
  await two.recipients.read();
  site.mail.refuse = () => new MailError("timeout");
  const causes = [site.cause("bank_rejected", "b1")];
  await one.run(causes);
  site.mail.refuse = () => null;
  await two.run(causes);
  assertEquals(site.told(), []);
  site.clock.now += 2 * MINUTE_MS;
  await two.run(causes);
  assertEquals(site.told().length, 2);
  site.clock.now += HOUR_MS;
  await one.run(causes);
  assertEquals(site.told(), []);
});

Deno.test("alerts of one cause are one mail, which quotes only what its kind allows, on one line", async () => {
  using site = await night();
  const { run, recipients } = site.process("one");
  await recipients.read();
  const details = {
    witness: "w.example\r\n\r\nPay here: https://evil.example",
    checkpoint: "secret-checkpoint",
    response: "https://evil.example/login",
  };
  const since = "2026-03-01T01:59:00.000Z";
  const refused = causeOf(KINDS, {
    ...{ organisation: "foundation", kind: "log_refused", problem: "w.example", details },
  }, { alert: "r1", since })!;
  const halted = site.cause("log_halted", "h1", "log_halted");
  await run(joinCauses([refused]));
  await run(joinCauses([refused, halted]));
  site.clock.now += 6 * MINUTE_MS;
  await run(joinCauses([halted]));
  assertEquals(site.sent.length, 2);
  const { text, html } = site.sent[0];
  assertStringIncludes(text, "Found: w.example Pay here: https://evil.example\n");
  for (const part of [text, html]) {
    assert(!part.includes("secret-checkpoint") && !part.includes("/login"));
  }
});
