import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { main as mailReport } from "../lib/app/commands/mail_report.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  batchDefaults,
  type BatchRow,
  isTooMany,
  RETURNED_MS,
} from "../lib/features/issuing/batches/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { startSmtpServer } from "../lib/platform/mail/testing/smtp_server.ts";
import { signStandard } from "../sandbox/payment_events.ts";
import { BY, keyFixture } from "./key_site.ts";
import { serveOnFreePort } from "./served_site.ts";

Deno.test("a batch has too many returned mails at 20 and 5%, counted since somebody last decided", () => {
  const batch = (sent: number, returned: number, accepted = { sent: 0, returned: 0 }) =>
    isTooMany({ sent, returned, accepted });
  assertEquals([batch(400, 20), batch(401, 20), batch(24, 19), batch(10_000, 500)], [
    ...[true, false, false, true],
  ]);
  const accepted = { sent: 400, returned: 20 };
  assertEquals([batch(424, 39, accepted), batch(424, 40, accepted)], [false, true]);
});

const SECRET = `whsec_${btoa("a secret of the mail server")}`;
const EVENTS = "/api/mail/events";

/**
 * A site whose mail server refuses addresses that begin with `bad`, is busy for `busy`, blocks the sender for
 * `block`, and accepts the others.
 */
async function returnsFixture(env: Record<string, string> = {}) {
  const smtp = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const [, kind = ""] = /^(bad|busy|block)/.exec(address) ?? [];
      const [code, text] = ({
        bad: [550, "5.1.1 No such user"],
        busy: [451, "4.7.1 Greylisted"],
        block: [554, "5.7.1 Blocked"],
      } as Record<string, [number, string]>)[kind] ?? [250, ""];
      done(code === 250 ? null : Object.assign(new Error(text), { responseCode: code }));
    },
  });
  const fixture = await keyFixture({
    ...{ MAIL_TRANSPORT: "smtp", SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
    ...{ MAIL_WEBHOOK_SECRET: SECRET, MAIL_RETURN_PATH: "bounces@mail.example" },
    ...env,
  }, { issuePdf: null, log: () => {} });
  const { site, clock } = fixture;
  fixture.clock.now = Date.now(); // the command signs with the time of the machine
  const { auth, batches, jobs, mailer, surfaces } = site.services;
  const owner = { issuer: fixture.issuer, test: false };
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const { token } = await auth.issueLink({ email: BY, surface: "commercial-console" });
  const { sessionId } = (await auth.verify(token, "commercial-console"))!;
  const asAdministrator = (path: string, init?: RequestInit) =>
    site.request("commercial-console", path, {
      ...init,
      headers: { origin, cookie: `app_session=${sessionId}`, accept: "text/html" },
    });
  return {
    ...{ ...fixture, owner, smtp, batches },
    post: (path: string, form: Record<string, string>) =>
      asAdministrator(path, { method: "POST", body: new URLSearchParams(form) }),
    page: async (path: string) => await textOf(await asAdministrator(path)),
    /** Reports what became of a mail. */
    report(body: string, { type = "application/json", secret = SECRET } = {}) {
      const id = crypto.randomUUID();
      const signed = signStandard(body, secret, { id, time: Math.floor(clock.now / 1_000) });
      const headers = { ...signed.headers, "content-type": type };
      return fixture.call(null, { path: EVENTS, method: "POST", headers, body });
    },
    async add(emails: readonly string[]): Promise<BatchRow> {
      const rows = emails.map((email, i) => `Student ${i},${email},A-${i}`);
      const file = new Blob([["name,email,external_id", ...rows].join("\n")]).stream();
      const defaults = batchDefaults.parse({ title: "Certificate III", date: "2026-11-20" });
      const checked = unwrap(await batches.check(owner.issuer, file, defaults));
      const added = { name: "students.csv", by: BY, rows: checked.rows };
      const { batch } = unwrap(await batches.add(owner, added));
      await jobs.run("batches");
      unwrap(await batches.send(owner, batch.id, BY));
      return batch;
    },
    async run() {
      await jobs.run("batches");
      await mailer.flush();
      await jobs.run("batches");
    },
    read: async ({ id }: { id: string }) => (await batches.read(owner, id))!,
    mailed: (to: string) =>
      smtp.received.filter(({ recipients }) => recipients.includes(to)).length,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

/** Returns the text of a page. */
async function textOf(page: Response): Promise<string> {
  const html = await page.text();
  return html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

/** Returns a notification to the return path of a mail. */
const notification = (to: string, status: string) =>
  [
    `To: ${to}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    "",
    "Final-Recipient: rfc822; somebody@example.org",
    "Action: failed",
    `Status: ${status}`,
    "",
    "--b--",
    "",
  ].join("\r\n");

Deno.test("a batch stops once 20 of its mails and 5% come back, says which, and goes on or ends as somebody decides", async () => {
  await using fixture = await returnsFixture();
  const { batches, owner } = fixture;
  const key = await fixture.key();
  const emails = Array.from(
    { length: 30 },
    (_, i) => `${i % 6 === 0 ? "s" : "bad"}${i}@example.org`,
  );
  const isBad = (email: string) => email.startsWith("bad");
  const batch = await fixture.add(emails);
  await fixture.run();
  const stopped = await fixture.read(batch);
  assertEquals([stopped.state, stopped.stopped_at !== null], ["sending", true]);
  assert(stopped.returned >= 20 && stopped.sent < 30, `${stopped.returned} of ${stopped.sent}`);

  // The issuer learns it by the API, and the administrators by a mail and the page.
  const path = `/api/documents/batches/${batch.id}`;
  const shown = await (await fixture.call(key, { path })).json();
  assertEquals([shown.stopped, shown.returned], ["mail_returned", stopped.returned]);
  const csv = await (await fixture.call(key, { path: `${path}/results` })).text();
  const rows = parse(csv, { skipFirstRow: true }) as unknown as Record<string, string>[];
  assertEquals(
    rows.filter(({ mail }) => mail === "recipient_refused").map(({ external_id }) => external_id),
    emails.slice(0, stopped.sent).flatMap((email, i) => isBad(email) ? `A-${i}` : []),
  );
  const console = `/console/issuers/${owner.issuer.id}/batches/${batch.id}`;
  const page = await fixture.page(console);
  assertStringIncludes(page, "It has stopped, because many of its emails came back");
  assertStringIncludes(page, `Came back ${stopped.returned}`);
  assertStringIncludes(
    page,
    "Not delivered The recipient’s mail server does not accept the address",
  );
  assertStringIncludes(await fixture.page("/console/alerts"), "Many emails of a batch came back");

  // Mails that a reader cannot tell apart are one row.
  const mails = await fixture.page("/console/mail");
  assertStringIncludes(mails, `Offer of a document Failed ${stopped.returned} times`);

  // It waits for the decision, and mails nobody meanwhile.
  fixture.clock.now += RETURNED_MS - DAY_MS;
  await fixture.run();
  assertEquals((await fixture.read(batch)).sent, stopped.sent);
  assertEquals((await fixture.post(console, { act: "send" })).status, 303);
  await fixture.run();
  const done = await fixture.read(batch);
  assertEquals([done.state, done.sent, done.returned], ["done", 30, 25]);
  const all = await fixture.page(console);
  assertStringIncludes(all, "All emails were sent, but 25 emails came back");
  assertStringIncludes(all, "Rows 1 to 25 of 30 rows Show only what came back");
  const returned = await fixture.page(`${console}?mail=failed`);
  assertEquals(returned.split("Not delivered").length - 1, 25);
  assertStringIncludes(returned, "Only rows whose email came back Show all rows");
  assertFalse(returned.includes("Next"));
  const late = await fixture.page(`${console}?mail=failed&from=20`);
  assertEquals(late.split("Not delivered").length - 1, emails.slice(20).filter(isBad).length);
  assertEquals((await fixture.page("/console/alerts")).includes("Many emails of a batch"), false);

  // Those addresses get no offer any more, and the row says so. Few bad addresses stop nothing.
  const again = await fixture.add(["bad1@example.org", "new@example.org"]);
  await fixture.run();
  const lines = await Array.fromAsync(batches.lines(again));
  assertEquals(lines.map(({ mail }) => mail), ["address_stopped", null]);
  assertEquals((await fixture.read(again)).state, "done");

  // Without a decision, the documents that nobody was mailed about are erased.
  const more = await fixture.add(Array.from({ length: 26 }, (_, i) => `bad-${i}@example.org`));
  await fixture.run();
  const before = await fixture.read(more);
  fixture.clock.now += RETURNED_MS;
  await fixture.run();
  const { state, removed, sent } = await fixture.read(more);
  assertEquals([state, removed, sent], ["undone", 26 - before.sent, before.sent]);
});

Deno.test("a busy server and one that blocks the sender mark no address; mails that the second returns stop a batch or raise an alert", async () => {
  await using fixture = await returnsFixture();
  const busy = await fixture.add(Array.from({ length: 21 }, (_, i) => `busy${i}@example.org`));
  await fixture.run();
  const { state, returned } = await fixture.read(busy);
  assertEquals([state, returned], ["done", 0]);
  // Of a batch whose mails have all left, administrators learn that they come back.
  const good = Array.from({ length: 20 }, (_, i) => `late${i}@example.org`);
  const late = await fixture.add(good);
  await fixture.run();
  for (const to of good) {
    await fixture.site.services.mailer.report({ mail: { to }, what: "block", reply: "5.7.1" });
  }
  const { state: ended, returned: all, stopped_at } = await fixture.read(late);
  assertEquals([ended, all, stopped_at], ["done", 20, null]);
  assertStringIncludes(await fixture.page("/console/alerts"), "Many emails of a batch came back");
  const blocked = await fixture.add(Array.from({ length: 26 }, (_, i) => `block${i}@example.org`));
  await fixture.run();
  const stopped = await fixture.read(blocked);
  assertEquals([stopped.state, stopped.stopped_at !== null], ["sending", true]);
  const known = await Array.fromAsync(
    fixture.site.services.kv.list({ prefix: ["mail_addresses"] }),
  );
  assertEquals(known, []);
  assertStringIncludes(await fixture.page("/console/alerts"), "Mail comes back");
});

/** Returns a complaint about a mail, as a provider sends it that does not report the return path. */
const complaint = (mail: string) =>
  [
    "To: bounces@mail.example",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    "",
    "--b",
    "Content-Type: message/feedback-report",
    "",
    "Feedback-Type: abuse",
    "",
    "--b",
    "Content-Type: message/rfc822",
    "",
    mail,
    "--b--",
    "",
  ].join("\r\n");

Deno.test("a sign-in mail that expired while the site was stopped leaves a row with the reason and an alert", async () => {
  await using fixture = await returnsFixture();
  const { site, clock } = fixture;
  const { auth, jobs, mailer, surfaces } = site.services;
  const [email, surface] = ["busy@example.org", surfaces.get("site")!];
  const responded = Promise.resolve();
  await auth.requestLink({ email, surface, clientAddress: "::1", responded });
  await mailer.flush();
  const page = async () => textOf(await fixture.post("/console/mail", { email }));
  assertMatch(await page(), /Sign-in link Retrying .*asked to try again later/);
  const alert = /Mail not delivered New .*The link in it expired before the email could be sent/;
  assertEquals(alert.test(await fixture.page("/console/alerts")), false);
  clock.now += 15 * MINUTE_MS;
  await jobs.run("mail");
  assertMatch(
    await page(),
    /Sign-in link Failed .*The link in it expired before the email could be sent/,
  );
  assertMatch(await fixture.page("/console/alerts"), alert);
});

Deno.test("a notification, a complaint and an event stop the mail to their address, whose page says so until an administrator knows better", async () => {
  await using fixture = await serveOnFreePort(returnsFixture);
  const { smtp, report, clock } = fixture;
  const { auth, mailer, surfaces } = fixture.site.services;
  const ada = "ada@example.org";
  const signIn = async (email = ada) => {
    clock.now += 1_000;
    const surface = surfaces.get("site")!;
    const responded = Promise.resolve();
    const asked = await auth.requestLink({ email, surface, clientAddress: "::1", responded });
    await mailer.flush();
    return asked;
  };
  await signIn();
  assertEquals(fixture.mailed(ada), 1);
  const [{ sender }] = smtp.received;
  assertMatch(sender, /^bounces\+[0-9a-f]{52}@mail\.example$/);

  // Nobody else can report it.
  const dsn = notification(sender, "5.1.1");
  const type = "message/rfc822";
  const other = `whsec_${btoa("the secret of somebody else")}`;
  assertEquals((await report(dsn, { type, secret: other })).status, 400);
  assertEquals(
    (await fixture.call(null, { path: EVENTS, method: "POST", body: dsn })).status,
    400,
  );
  const forged = sender.replace(/.@/, (end) => (end[0] === "0" ? "1@" : "0@"));
  assertEquals((await report(notification(forged, "5.1.1"), { type })).status, 400);
  await signIn();
  assertEquals(fixture.mailed(ada), 2);

  // The command of the mail server hands in the real one, over a socket.
  const env = { GATEHOUSE_API: surfaces.url("api")!, MAIL_WEBHOOK_SECRET: SECRET };
  const hand = (message: string) =>
    mailReport({ env, log: () => {} }, new Blob([message]).stream());
  assertEquals(await hand(dsn), 0);
  assertEquals(await hand(complaint(smtp.received[1].raw)), 0);
  assertEquals(await hand("Subject: Out of office\r\n\r\nHello"), 0);

  // The request has the same result as for any other address, and nothing is sent.
  assertEquals(await signIn(), await signIn("eve@example.org"));
  assertEquals([fixture.mailed(ada), fixture.mailed("eve@example.org")], [2, 1]);

  const found = await fixture.post("/console/mail", { email: "Ada@Example.org" });
  const html = await found.text();
  assertEquals(found.status, 200);
  const address = /name="address" value="([^"]+)"/.exec(html)![1];
  const path = `/console/mail?address=${address}`;
  const page = await fixture.page(path);
  const search = await fixture.post("/console/search", { q: "Ada@example.org" });
  assertStringIncludes(await search.text(), `href="${path}"`);
  assertStringIncludes(page, "No email goes to this address, because its server has refused it");
  assertMatch(page, /Sign-in link Failed .*No email goes to this address any more/);
  assertMatch(page, /Sign-in link Came back .*has reported the email as spam/);
  assertMatch(page, /Sign-in link Came back .*does not accept the address\. 5\.1\.1/);
  assertStringIncludes(await fixture.page("/console/mail"), "1 address was refused");

  const works = await fixture.post("/console/mail", { act: "works", address });
  assertEquals(works.status, 303);
  assertStringIncludes(
    await fixture.page(path),
    "Mail goes to this address: refusals by its server no longer count",
  );
  assertEquals((await fixture.post("/console/mail", { act: "works", address })).status, 404);
  clock.now += DAY_MS;
  await signIn();
  assertEquals(fixture.mailed(ada), 3);
  const { entries } = await fixture.site.services.audit.list("commercial", {});
  assertEquals(entries.filter(({ action }) => action === "address_works").length, 1);

  // The account's page lists the same mails.
  const [user] = (await auth.listUsers(null)).users.filter(({ email }) => email === ada);
  assertMatch(await fixture.page(`/console/users/${user.id}`), /Sign-in link Sent/);

  // An event without the mail's id is about the last mail to its address. A mistake of a server can be undone.
  const event = { type: "email.bounced", data: { to: [ada], bounce: { type: "Permanent" } } };
  assertEquals((await report(JSON.stringify(event))).status, 200);
  await fixture.post("/console/mail", { act: "all_work" });
  await signIn();
  assertEquals(fixture.mailed(ada), 4);
});
