import { assert, assertEquals, assertThrows } from "@std/assert";
import { createHttpTransport } from "./http.ts";
import { MailError, type MailTransport, type OutgoingMail } from "./mail.ts";
import { countMailFailure, createMailer, type MailerOptions, readMailFailures } from "./mailer.ts";
import { createSmtpTransport, smtpUrl } from "./smtp.ts";
import { startMailApi } from "./testing/mail_api.ts";
import { startSmtpServer, TEST_CA } from "./testing/smtp_server.ts";

const TOKEN = "pJ-3_0aGq9mXvR5tYwZ1bC7dEfHiKlNoPsUu2468AbE";
const FROM = "Qualpack <no-reply@qualpack.example>";
const LINK = `https://qualpack.example/auth/verify?token=${TOKEN}`;
const mailTo = (to: string) => ({ to, subject: "Sign in", text: LINK, html: `<p>${LINK}</p>` });

/** Returns a mailer with its log and its count of failures. */
function setup(transport: MailTransport, options: Partial<MailerOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const seen = { lines, failures: 0 };
  const mailer = createMailer({
    transport,
    from: FROM,
    log: (line) => lines.push(line),
    onFailure: () => void seen.failures++,
    ...options,
  });
  return { mailer, seen };
}

const failed = (transport: string, reason: string) => ({
  level: "error",
  event: "mail_failed",
  transport,
  reason,
});

Deno.test("post() returns before the delivery, and flush() waits for it", async () => {
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const { mailer, seen } = setup({
    name: "gated",
    async send({ from, to }) {
      steps.push(`${from} to ${to}`);
      await gate.promise;
      steps.push("delivered");
    },
  });
  mailer.post(mailTo("ada@example.org"));
  steps.push("returned");
  const flushed = mailer.flush().then(() => steps.push("flushed"));
  await Promise.resolve();
  assertEquals(steps, ["returned", `${FROM} to ada@example.org`]);
  gate.resolve();
  await flushed;
  assertEquals(steps.slice(2), ["delivered", "flushed"]);
  assertEquals(seen, { lines: [], failures: 0 });
});

Deno.test("flush() waits for mails posted meanwhile, and close() closes the transport last", async () => {
  const sent: string[] = [];
  const transport: MailTransport = {
    name: "slow",
    async send({ to }) {
      await new Promise((done) => setTimeout(done, 5));
      if (to === "first@example.org") mailer.post(mailTo("second@example.org"));
      sent.push(to);
    },
    close: () => void sent.push("closed"),
  };
  const { mailer } = setup(transport);
  mailer.post(mailTo("first@example.org"));
  await mailer.close();
  assertEquals(sent, ["first@example.org", "second@example.org", "closed"]);
});

Deno.test("a mail refused over SMTP is logged and counted without address, token or password", async () => {
  await using server = await startSmtpServer();
  const { port } = server;
  const cases = [
    { url: `smtp://127.0.0.1:${port}`, to: "nobody@example.org", reason: "recipient_refused" },
    { url: `smtp://site:wr0ng@127.0.0.1:${port}`, to: "ada@example.org", reason: "auth_failed" },
  ];
  for (const { url, to, reason } of cases) {
    const { mailer, seen } = setup(
      createSmtpTransport({ server: smtpUrl.parse(url), ca: TEST_CA }),
    );
    mailer.post(mailTo(to));
    await mailer.close();
    assertEquals(seen, { lines: [failed("smtp", reason)], failures: 1 });
  }
});

Deno.test("a mail refused over HTTP is logged and counted without address, token or key", async () => {
  await using api = startMailApi(() => new Response("no ada@example.org", { status: 401 }));
  const { mailer, seen } = setup(createHttpTransport({ url: api.url, key: "key_2f9c1d", fetch }));
  mailer.post(mailTo("ada@example.org"));
  await mailer.flush();
  assertEquals(seen, { lines: [failed("http", "auth_failed")], failures: 1 });
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
    const { mailer, seen } = setup({ name: "broken", send });
    mailer.post(mailTo("ada@example.org"));
    await mailer.flush();
    assertEquals(seen, { lines: [failed("broken", "unexpected")], failures: 1 });
  }
});

Deno.test("a failed mail does not affect others", async () => {
  const sent: OutgoingMail[] = [];
  const { mailer, seen } = setup({
    name: "picky",
    send: (mail) =>
      mail.to.startsWith("nobody@")
        ? Promise.reject(new MailError("recipient_refused"))
        : Promise.resolve(void sent.push(mail)),
  });
  for (const name of ["a", "nobody", "b", "nobody"]) mailer.post(mailTo(`${name}@example.org`));
  await mailer.flush();
  assertEquals(sent.map(({ to }) => to), ["a@example.org", "b@example.org"]);
  assertEquals(seen.failures, 2);
});

Deno.test("a mail with a line break or list in a header never reaches the transport", async () => {
  const good = mailTo("ada@example.org");
  const bad = [
    { ...good, to: "ada@example.org\r\nBcc: eve@example.org" },
    { ...good, to: "ada@example.org, eve@example.org" },
    { ...good, subject: "Hello\r\nBcc: eve@example.org" },
    { ...good, replyTo: "ada@example.org\nBcc: eve@example.org" },
  ];
  const { mailer, seen } = setup({
    name: "strict",
    send: () => Promise.reject(new Error("reached")),
  });
  for (const mail of bad) mailer.post(mail);
  await mailer.flush();
  assertEquals(seen.lines, bad.map(() => failed("strict", "invalid_mail")));
});

Deno.test("createMailer() throws TypeError for a malformed sender", () => {
  const transport = { name: "none", send: () => Promise.resolve() };
  for (const from of ["", "Qualpack", "Qualpack <>", "a@b.example\r\nBcc: c@d.example"]) {
    assertThrows(() => setup(transport, { from }), TypeError);
  }
});

Deno.test("a failure that cannot be counted is still logged", async () => {
  const transport = { name: "broken", send: () => Promise.reject(new MailError("timeout")) };
  for (
    const onFailure of [
      () => Promise.reject(new Error("the store is away")),
      () => {
        throw new Error("the store is away");
      },
    ]
  ) {
    const { mailer, seen } = setup(transport, { onFailure });
    mailer.post(mailTo("ada@example.org"));
    await mailer.flush();
    assertEquals(seen.lines, [failed("broken", "timeout")]);
  }
});

Deno.test("concurrent failures are all counted in the store", async () => {
  using kv = await Deno.openKv(":memory:");
  assertEquals(await readMailFailures(kv), 0);
  const { mailer } = setup(
    { name: "broken", send: () => Promise.reject(new MailError("timeout")) },
    { onFailure: () => countMailFailure(kv) },
  );
  for (let i = 0; i < 50; i++) mailer.post(mailTo("ada@example.org"));
  await mailer.flush();
  assertEquals(await readMailFailures(kv), 50);
  const { value } = await kv.get<Deno.KvU64>(["stats", "mail_failed"]);
  assert(value instanceof Deno.KvU64);
});
