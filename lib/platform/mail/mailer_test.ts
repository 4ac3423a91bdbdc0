import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createSecrets } from "../secrets.ts";
import { createHttpTransport } from "./http.ts";
import { type Mail, MailError, type MailTransport, type OutgoingMail } from "./mail.ts";
import {
  countMailFailure,
  createMailer,
  type Mailer,
  type MailerOptions,
  readMailFailures,
} from "./mailer.ts";
import { createSmtpTransport, smtpUrl } from "./smtp.ts";
import { startMailApi } from "./testing/mail_api.ts";
import { postMail } from "./testing/post_mail.ts";
import { startSmtpServer, TEST_CA } from "./testing/smtp_server.ts";

const TOKEN = "pJ-3_0aGq9mXvR5tYwZ1bC7dEfHiKlNoPsUu2468AbE";
const FROM = "Qualpack <no-reply@qualpack.example>";
const SENDERS = { product: FROM, foundation: "f@foundation.example", commercial: "c@c.example" };
const LINK = `https://qualpack.example/auth/verify?token=${TOKEN}`;
const mailTo = (to: string): Mail => ({
  sender: "product",
  to,
  subject: "Sign in",
  text: LINK,
  html: `<p>${LINK}</p>`,
});

interface Setup extends AsyncDisposable {
  mailer: Mailer;
  kv: Deno.Kv;
  seen: { lines: Record<string, unknown>[]; failures: number };
  clock: { now: number };
  /** Commits mails and sends them in the background. */
  post(...mails: Mail[]): Promise<void>;
}

/** Creates a mailer with an in-memory store. */
async function setup(
  transport: MailTransport,
  options: Partial<MailerOptions> = {},
): Promise<Setup> {
  const kv = await Deno.openKv(":memory:");
  const clock = { now: Date.now() };
  const lines: Record<string, unknown>[] = [];
  const seen = { lines, failures: 0 };
  const mailer = createMailer({
    kv,
    clock: () => clock.now,
    secrets: createSecrets({ kv, given: [new Uint8Array(32)] }),
    transport,
    senders: SENDERS,
    log: (line) => lines.push(line),
    onFailure: () => void seen.failures++,
    ...options,
  });
  return {
    mailer,
    kv,
    seen,
    clock,
    post: (...mails) => postMail(mailer, { kv, clock: () => clock.now }, ...mails),
    async [Symbol.asyncDispose]() {
      await mailer.flush();
      kv.close();
    },
  };
}

const failed = (transport: string, reason: string) => ({
  level: "error",
  event: "mail_failed",
  transport,
  reason,
});

/** The log line of a first failure that will be retried. */
const delayed = (transport: string, reason: string) => ({
  level: "warn",
  event: "mail_delayed",
  transport,
  reason,
  attempt: 1,
  retry_seconds: 60,
});

Deno.test("a mail that a person wrote has the name in front of the sender's, and is not automatic", async () => {
  const sent: OutgoingMail[] = [];
  await using fixture = await setup({
    name: "fake",
    send: (mail) => Promise.resolve(void sent.push(mail)),
  });
  const { post, mailer, seen } = fixture;
  await post({ ...mailTo("a@example.org"), author: "Zoë O'Hara" });
  await post({ ...mailTo("b@example.org"), sender: "foundation", author: "Ada" });
  await post(mailTo("c@example.org"));
  await mailer.flush();
  assertEquals(sent.map(({ from, automatic }) => [from, automatic]), [
    [`"Zoë O'Hara (Qualpack)" <no-reply@qualpack.example>`, false],
    ["Ada <f@foundation.example>", false],
    [FROM, true],
  ]);
  for (
    const author of ["Eve <eve@example.org>", "Ada\nBcc: eve@example.org", "a@example.org", ""]
  ) {
    await post({ ...mailTo("d@example.org"), author });
  }
  await mailer.flush();
  assertEquals([sent.length, seen.failures], [3, 4]);
});

Deno.test("send() returns before the delivery, and flush() waits for it", async () => {
  const steps: string[] = [];
  const held = Promise.withResolvers<void>();
  await using site = await setup({
    name: "gated",
    async send({ from, to }) {
      steps.push(`${from} to ${to}`);
      await held.promise;
      steps.push("delivered");
    },
  });
  await site.post(mailTo("ada@example.org"));
  steps.push("returned");
  const flushed = site.mailer.flush().then(() => steps.push("flushed"));
  held.resolve();
  await flushed;
  assertEquals(steps.toSorted(), [
    `${FROM} to ada@example.org`,
    "delivered",
    "flushed",
    "returned",
  ]);
  assertEquals(steps.slice(-2), ["delivered", "flushed"]);
  assertEquals(site.seen, { lines: [], failures: 0 });
});

Deno.test("flush() waits for mails sent in the meantime, and close() closes the transport last", async () => {
  const sent: string[] = [];
  const transport: MailTransport = {
    name: "slow",
    async send({ to }) {
      if (to === "first@example.org") await site.post(mailTo("second@example.org"));
      sent.push(to);
    },
    close: () => void sent.push("closed"),
  };
  await using site = await setup(transport);
  await site.post(mailTo("first@example.org"));
  await site.mailer.close(10_000);
  assertEquals(sent.toSorted().slice(1), ["first@example.org", "second@example.org"]);
  assertEquals(sent[2], "closed");
});

Deno.test("send() waits for mails in preparation and ignores a preparation that fails", async () => {
  const sent: string[] = [];
  await using site = await setup({
    name: "open",
    send: ({ to }) => Promise.resolve(void sent.push(to)),
  });
  const { kv, mailer } = site;
  const prepare = async () => {
    const commit = kv.atomic();
    const options = { expiresAt: site.clock.now + 1_000, about: "", kind: "sign_in" as const };
    const queued = await mailer.add(commit, mailTo("ada@example.org"), options);
    await commit.commit();
    return [queued];
  };
  mailer.send(prepare());
  mailer.send(Promise.reject(new Error("not prepared")));
  await mailer.flush();
  assertEquals(sent, ["ada@example.org"]);
});

Deno.test("a mail refused over SMTP is logged and counted, without the address or the token", async () => {
  await using server = await startSmtpServer();
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
    ca: TEST_CA,
  });
  await using site = await setup(transport);
  await site.post(mailTo("nobody@example.org"));
  await site.mailer.close(10_000);
  const line = { ...failed("smtp", "recipient_refused"), reply: "550" };
  assertEquals(site.seen, { lines: [line], failures: 1 });
});

Deno.test("a mail whose sender is refused is retried, and each attempt reports whether it was", async () => {
  let refuses = true;
  await using server = await startSmtpServer({
    onMailFrom(_address, _session, done) {
      const error = new Error("5.7.1 sender not allowed: no-reply@qualpack.example");
      done(refuses ? Object.assign(error, { responseCode: 550 }) : null);
    },
  });
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
  });
  const reports: unknown[] = [];
  await using site = await setup(transport, {
    onSender: (...report) => Promise.resolve(void reports.push(report)),
  });
  await site.post(mailTo("ada@example.org"));
  await site.mailer.flush();
  const line = { ...delayed("smtp", "sender_refused"), reply: "550 5.7.1" };
  assertEquals(site.seen, { lines: [line], failures: 0 });
  refuses = false;
  site.clock.now += 60_000;
  assertEquals(await site.mailer.drain(), { sent: 1, failed: 0 });
  await site.mailer.close(10_000);
  assertEquals(reports, [["product", "550 5.7.1"], ["product", null]]);
});

Deno.test("a server that refuses one recipient, whatever it says of the sender, is not a problem of the sender", async () => {
  await using server = await startSmtpServer({
    onRcptTo({ address }, _session, done) {
      const error = new Error(`5.7.1 <${address}>: Recipient address rejected: Access denied`);
      done(Object.assign(error, { responseCode: 554 }));
    },
  });
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
  });
  const reports: unknown[] = [];
  await using site = await setup(transport, {
    onSender: (...report) => Promise.resolve(void reports.push(report)),
  });
  await site.post(mailTo("sender@example.org"));
  await site.mailer.flush();
  const line = { ...delayed("smtp", "policy_refused"), reply: "554 5.7.1" };
  assertEquals(site.seen, { lines: [line], failures: 0 });
  assertEquals([reports, site.mailer.trouble], [[], null]);
  await site.mailer.close(10_000);
});

Deno.test("a wrong SMTP password delays a mail and is logged without the address or the password", async () => {
  await using server = await startSmtpServer();
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://site:wr0ng@127.0.0.1:${server.port}`),
    ca: TEST_CA,
  });
  await using site = await setup(transport);
  await site.post(mailTo("ada@example.org"));
  await site.mailer.close(10_000);
  const line = { ...delayed("smtp", "auth_failed"), reply: "535" };
  assertEquals(site.seen, { lines: [line], failures: 0 });
});

Deno.test("a recipient that an SMTP server defers is retried with the same Message-ID", async () => {
  let deferred = 0;
  await using server = await startSmtpServer({
    onRcptTo(_address, _session, done) {
      const error = Object.assign(new Error("greylisted"), { responseCode: 451 });
      done(deferred++ === 0 ? error : null);
    },
  });
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
    ca: TEST_CA,
  });
  await using site = await setup(transport);
  await site.post(mailTo("ada@example.org"));
  await site.mailer.flush();
  const line = { ...delayed("smtp", "deferred"), reply: "451" };
  assertEquals(site.seen, { lines: [line], failures: 0 });
  site.clock.now += 60_000;
  assertEquals(await site.mailer.drain(), { sent: 1, failed: 0 });
  await site.mailer.close(10_000);
  const [{ raw }] = server.received;
  assertMatch(raw, /^Message-ID: <[\da-f-]{36}@qualpack\.example>\r$/m);
});

Deno.test("every attempt over HTTP has the same Idempotency-Key", async () => {
  await using api = startMailApi(
    () => new Response(null, { status: 503 }),
    () => new Response(null, { status: 503 }),
    () => new Response(),
  );
  const transport = createHttpTransport({ url: api.url, key: "k", fetch, pause: async () => {} });
  await using site = await setup(transport);
  await site.post(mailTo("ada@example.org"));
  await site.mailer.flush();
  assertEquals(site.seen, { lines: [delayed("http", "server_error")], failures: 0 });
  site.clock.now += 60_000;
  assertEquals(await site.mailer.drain(), { sent: 1, failed: 0 });
  const keys = api.received.map(({ headers }) => headers.get("idempotency-key"));
  assertEquals([keys.length, new Set(keys).size], [3, 1]);
});

Deno.test("a wrong HTTP key delays a mail and is logged without the address, the token or the key", async () => {
  await using api = startMailApi(() => new Response("no ada@example.org", { status: 401 }));
  await using site = await setup(createHttpTransport({ url: api.url, key: "key_2f9c1d", fetch }));
  await site.post(mailTo("ada@example.org"));
  await site.mailer.flush();
  assertEquals(site.seen, { lines: [delayed("http", "auth_failed")], failures: 0 });
  assertEquals(api.received.length, 1);
});

Deno.test("only the transport's name and a code are logged, whatever it throws", async () => {
  const secret = new Error(`550 ada@example.org ${TOKEN}`);
  const ways: MailTransport["send"][] = [
    () => Promise.reject(secret),
    () => {
      throw secret;
    },
    () => Promise.reject("ada@example.org"),
    () => Promise.reject(undefined),
  ];
  for (const send of ways) {
    await using site = await setup({ name: "broken", send });
    await site.post(mailTo("ada@example.org"));
    await site.mailer.flush();
    assertEquals(site.seen, { lines: [delayed("broken", "unexpected")], failures: 0 });
  }
});

Deno.test("a failed mail does not affect others", async () => {
  const sent: OutgoingMail[] = [];
  await using site = await setup({
    name: "picky",
    send: (mail) =>
      mail.to.startsWith("nobody")
        ? Promise.reject(new MailError("recipient_refused"))
        : Promise.resolve(void sent.push(mail)),
  });
  await site.post(...["a", "nobody1", "b", "nobody2"].map((name) => mailTo(`${name}@example.org`)));
  await site.mailer.flush();
  assertEquals(sent.map(({ to }) => to), ["a@example.org", "b@example.org"]);
  assertEquals(site.seen.failures, 2);
});

Deno.test("a mail with a line break or list in a header never reaches the transport", async () => {
  const good = mailTo("ada@example.org");
  const bad = [
    { ...good, to: "ada@example.org\r\nBcc: eve@example.org" },
    { ...good, to: "ada@example.org, eve@example.org" },
    { ...good, subject: "Hello\r\nBcc: eve@example.org" },
    { ...good, replyTo: "ada@example.org\nBcc: eve@example.org" },
  ];
  await using site = await setup({
    name: "strict",
    send: () => Promise.reject(new Error("reached")),
  });
  await site.post(...bad);
  await site.mailer.flush();
  assertEquals(site.seen.lines, bad.map(() => failed("strict", "invalid_mail")));
});

Deno.test("createMailer() throws TypeError for a malformed sender", async () => {
  using kv = await Deno.openKv(":memory:");
  const secrets = createSecrets({ kv, given: [] });
  const transport = { name: "none", send: () => Promise.resolve() };
  for (const from of ["", "Qualpack", "Qualpack <>", "a@b.example\r\nBcc: c@d.example"]) {
    for (const key of ["product", "foundation"]) {
      const senders = { ...SENDERS, [key]: from };
      const logs = { log() {}, onFailure() {} };
      const options = { kv, clock: Date.now, secrets, transport, senders, ...logs };
      assertThrows(() => createMailer(options), TypeError);
    }
  }
});

Deno.test("a failure that cannot be counted is still logged", async () => {
  const transport = {
    name: "broken",
    send: () => Promise.reject(new MailError("message_refused")),
  };
  for (
    const onFailure of [
      () => Promise.reject(new Error("the store is away")),
      () => {
        throw new Error("the store is away");
      },
    ]
  ) {
    await using site = await setup(transport, { onFailure });
    await site.post(mailTo("ada@example.org"));
    await site.mailer.flush();
    assertEquals(site.seen.lines, [failed("broken", "message_refused")]);
  }
});

Deno.test("concurrent failures are all counted in the store", async () => {
  using kv = await Deno.openKv(":memory:");
  assertEquals(await readMailFailures(kv, "commercial"), 0);
  await using site = await setup(
    { name: "broken", send: () => Promise.reject(new MailError("recipient_refused")) },
    { onFailure: (sender) => countMailFailure(kv, sender) },
  );
  await site.post(...Array.from({ length: 50 }, (_, i) => mailTo(`ada${i}@example.org`)));
  await site.mailer.flush();
  const counts = { foundation: 0, commercial: 0 };
  for (const key of ["foundation", "commercial"] as const) {
    counts[key] = await readMailFailures(kv, key);
  }
  // The product's failures count for the commercial organisation.
  assertEquals(counts, { foundation: 0, commercial: 50 });
  const { value } = await kv.get<Deno.KvU64>(["stats", "mail_failed", "commercial"]);
  assert(value instanceof Deno.KvU64);
});
