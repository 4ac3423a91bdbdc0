import { assert, assertEquals, assertRejects } from "@std/assert";
import { HANG_MS } from "../../testing/times.ts";
import { MailError } from "./mail.ts";
import { checkSmtp, createSmtpTransport, type SmtpOptions, smtpUrl } from "./smtp.ts";
import { startSmtpServer, TEST_CA } from "./testing/smtp_server.ts";

const TOKEN = "pJ-3_0aGq9mXvR5tYwZ1bC7dEfHiKlNoPsUu2468AbE";
const LINK = `https://qualpack.example/auth/verify?token=${TOKEN}`;
const FROM = "Qualpack <no-reply@qualpack.example>";
const mailTo = (to: string, product = "Qualpack") => ({
  to,
  from: FROM,
  subject: `Sign in to ${product}`,
  text: `Sign in to ${product}:\n\n${LINK}\n\nThe link expires in 15 minutes and works once.\n`,
  html: `<!doctype html><title>Sign in to ${product}</title><a href="${LINK}">Sign in</a>`,
});

/** Sends one mail and closes the connection. */
async function send(
  url: string,
  mail: Parameters<ReturnType<typeof createSmtpTransport>["send"]>[0],
  options: Partial<SmtpOptions> = {},
) {
  const transport = createSmtpTransport({ server: smtpUrl.parse(url), ...options });
  try {
    await transport.send(mail);
  } finally {
    transport.close?.({ force: true });
  }
}

async function failure(sending: Promise<void>): Promise<string> {
  const error: MailError = await assertRejects(() => sending, MailError);
  return error.code;
}

Deno.test("a mail arrives unchanged over plain SMTP", async () => {
  await using server = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const mail = { ...mailTo("ada+inbox@example.org"), replyTo: "help@qualpack.example" };
  await send(`smtp://127.0.0.1:${server.port}`, mail);
  const [received] = server.received;
  assertEquals(server.received.length, 1);
  assertEquals(received.secure, false);
  assertEquals(received.sender, "no-reply@qualpack.example");
  assertEquals(received.recipients, ["ada+inbox@example.org"]);
  assertEquals(received.headers.subject, "Sign in to Qualpack");
  assertEquals(received.headers.from, FROM);
  assertEquals(received.headers.to, "ada+inbox@example.org");
  assertEquals(received.headers["reply-to"], "help@qualpack.example");
  assertEquals(received.headers["auto-submitted"], "auto-generated");
  await send(`smtp://127.0.0.1:${server.port}`, { ...mail, automatic: false });
  assertEquals(server.received[1].headers["auto-submitted"], undefined);
  const returnTo = "bounces+1@qualpack.example";
  await send(`smtp://127.0.0.1:${server.port}`, { ...mail, returnTo });
  const { sender, recipients, headers } = server.received[2];
  assertEquals([sender, recipients, headers.from], [returnTo, [mail.to], FROM]);
  assertEquals(received.text, mail.text.trimEnd());
  assertEquals(received.html, mail.html);
  assert(received.text.split("\n").includes(LINK));
});

Deno.test("the transport and the check greet the server with the given name", async () => {
  const greetings: string[] = [];
  await using server = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth(_auth, { hostNameAppearsAs }, done) {
      greetings.push(hostNameAppearsAs);
      done(null, { user: "site" });
    },
  });
  const url = `smtp://site:s%40cret%3A@127.0.0.1:${server.port}`;
  const helo = "mail.qualpack.example";
  await send(url, mailTo("ada@example.org"), { helo });
  const signal = AbortSignal.timeout(HANG_MS);
  assertEquals(await checkSmtp({ server: smtpUrl.parse(url), helo, signal }), null);
  assertEquals(greetings, [helo, helo]);
});

Deno.test("quoted-printable preserves the link, and names keep their non-ASCII letters", async () => {
  await using server = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const mail = {
    ...mailTo("ada@example.org", "Qualpäck Übung"),
    from: '"Qualpäck, Inc." <n@q.example>',
  };
  await send(`smtp://127.0.0.1:${server.port}`, mail);
  const [received] = server.received;
  const unwrapped = received.raw.replaceAll("=\r\n", "");
  assert(unwrapped.includes("verify?token=3D"), "sent as quoted-printable");
  assertEquals(received.headers.subject, "Sign in to Qualpäck Übung");
  assert(/^"?Qualpäck, Inc\."? <n@q\.example>$/.test(received.headers.from), received.headers.from);
  assertEquals(received.sender, "n@q.example");
  assertEquals(received.text, mail.text.trimEnd());
  assertEquals(received.html, mail.html);
});

Deno.test("STARTTLS with authentication: the password is sent over verified TLS", async () => {
  await using server = await startSmtpServer();
  await send(`smtp://site:s%40cret%3A@127.0.0.1:${server.port}`, mailTo("ada@example.org"), {
    ca: TEST_CA,
  });
  assertEquals(server.received.map(({ secure, user }) => ({ secure, user })), [
    { secure: true, user: "site" },
  ]);
});

Deno.test("smtps uses implicit TLS", async () => {
  await using server = await startSmtpServer({ secure: true });
  await send(`smtps://site:s%40cret%3A@localhost:${server.port}`, mailTo("ada@example.org"), {
    ca: TEST_CA,
  });
  assertEquals(server.received.map(({ secure }) => secure), [true]);
});

Deno.test("an untrusted certificate is refused, and no password is sent", async () => {
  let authenticated = false;
  await using server = await startSmtpServer({
    onAuth(_credentials, _session, done) {
      authenticated = true;
      done(null, { user: "site" });
    },
  });
  const sending = send(
    `smtp://site:s%40cret%3A@127.0.0.1:${server.port}`,
    mailTo("ada@example.org"),
  );
  assertEquals(await failure(sending), "tls_failed");
  assertEquals(authenticated, false);
  assertEquals(server.received, []);
});

Deno.test("no password is sent to another machine without STARTTLS", async () => {
  let authenticated = false;
  await using server = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth(_credentials, _session, done) {
      authenticated = true;
      done(null, { user: "site" });
    },
  });
  // An address of this machine that is not recognised as loopback.
  const sending = send(`smtp://site:s%40cret%3A@0.0.0.0:${server.port}`, mailTo("ada@example.org"));
  assertEquals(await failure(sending), "tls_failed");
  assertEquals(authenticated, false);
});

Deno.test("a server on this machine is used without TLS if there is no password", async () => {
  await using server = await startSmtpServer();
  await send(`smtp://127.0.0.1:${server.port}`, mailTo("ada@example.org"));
  assertEquals(server.received.map(({ secure }) => secure), [false]);
});

Deno.test("a wrong password, a refused recipient and a refused sender have different codes", async () => {
  await using server = await startSmtpServer({
    onMailFrom({ address }, _session, done) {
      done(address.startsWith("spam@") ? new Error(`go away, ${address}`) : null);
    },
  });
  const mail = mailTo("ada@example.org");
  const options = { ca: TEST_CA };
  const { port } = server;
  assertEquals(
    [
      await failure(send(`smtp://site:wrong@127.0.0.1:${port}`, mail, options)),
      await failure(send(`smtp://127.0.0.1:${port}`, mailTo("nobody@example.org"))),
      await failure(send(`smtp://127.0.0.1:${port}`, { ...mail, from: "spam@q.example" })),
    ],
    ["auth_failed", "recipient_refused", "sender_refused"],
  );
  assertEquals(server.received, []);
});

/** A reply to RCPT, the failure that it means, and the code that is logged. */
const RCPT_REPLIES: [reply: string, failure: string, code?: string][] = [
  ["550 5.1.1 <ada@example.org>: no such user", "recipient_refused", "550 5.1.1"],
  ["550 5.1.1 User unknown in relay recipient table", "recipient_refused", "550 5.1.1"],
  ["550 no mailbox ada@example.org", "recipient_refused", "550"],
  ["552 5.2.2 mailbox full, sender notified", "recipient_unavailable", "552 5.2.2"],
  ["550 5.7.17 The mailbox has a new owner", "recipient_refused", "550 5.7.17"],
  ["550 5.7.1 sender not allowed", "policy_refused", "550 5.7.1"],
  ["554 5.7.26 unauthenticated", "policy_refused", "554 5.7.26"],
  ["553 5.1.8 domain does not exist", "policy_refused", "553 5.1.8"],
  ["550 Sender no-reply@qualpack.example not allowed", "policy_refused", "550"],
  [
    "554 5.7.1 <ada@example.org>: Recipient address rejected: Access denied",
    "policy_refused",
    "554 5.7.1",
  ],
  ["550 <sender@example.org>: Recipient address rejected", "policy_refused", "550"],
  ["554 Relay access denied", "policy_refused", "554"],
  ["451 4.7.1 greylisted", "deferred", "451 4.7.1"],
];

Deno.test("a refusal at RCPT is never one of the sender itself; by its code or its text, it may pass", async () => {
  for (const [reply, expected, code] of RCPT_REPLIES) {
    await using server = await startSmtpServer({
      onRcptTo(_address, _session, done) {
        const [, responseCode, text] = /^(\d{3}) (.*)$/.exec(reply)!;
        done(Object.assign(new Error(text), { responseCode: Number(responseCode) }));
      },
    });
    const sending = send(`smtp://127.0.0.1:${server.port}`, mailTo("ada@example.org"));
    const error = await assertRejects(() => sending, MailError);
    assertEquals([error.code, error.reply], [expected, code], reply);
    assertEquals(Deno.inspect(error).includes("ada@"), false);
  }
});

Deno.test("a mail that is refused after its text because of its sender may be accepted later, and the sender is not refused", async () => {
  await using server = await startSmtpServer({
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => done(Object.assign(new Error("5.7.26 DMARC"), { responseCode: 550 })));
    },
  });
  const sending = send(`smtp://127.0.0.1:${server.port}`, mailTo("ada@example.org"));
  const error = await assertRejects(() => sending, MailError);
  assertEquals([error.code, error.reply], ["policy_refused", "550 5.7.26"]);
});

Deno.test("closing lets a mail that is being sent arrive, unless it is forced", async () => {
  for (const [options, outcome] of [[undefined, "sent"], [{ force: true }, "failed"]] as const) {
    const reached = Promise.withResolvers<() => void>();
    await using server = await startSmtpServer({
      onRcptTo: (_address, _session, done) => reached.resolve(() => done()),
    });
    const transport = createSmtpTransport({
      server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
    });
    const sending = transport.send(mailTo("ada@example.org")).then(() => "sent", () => "failed");
    const proceed = await reached.promise;
    transport.close?.(options);
    if (outcome === "sent") proceed();
    assertEquals(await sending, outcome);
    assertEquals(server.received.length, outcome === "sent" ? 1 : 0);
  }
});

Deno.test("a refused recipient does not break the connection for the next mail", async () => {
  await using server = await startSmtpServer();
  const transport = createSmtpTransport({
    server: smtpUrl.parse(`smtp://127.0.0.1:${server.port}`),
  });
  const results = await Promise.allSettled(
    ["a@example.org", "nobody@example.org", "b@example.org", "c@example.org", "d@example.org"]
      .map((to) => transport.send(mailTo(to))),
  );
  transport.close?.();
  assertEquals(results.map(({ status }) => status === "fulfilled"), [
    true,
    false,
    true,
    true,
    true,
  ]);
  assertEquals(server.received.flatMap(({ recipients }) => recipients).sort(), [
    "a@example.org",
    "b@example.org",
    "c@example.org",
    "d@example.org",
  ]);
});

Deno.test("a server that sends nothing times out", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const url = `smtp://127.0.0.1:${listener.addr.port}`;
  assertEquals(
    await failure(send(url, mailTo("ada@example.org"), { stepTimeoutMs: 50 })),
    "timeout",
  );
  (await accepted).close();
});

Deno.test("a server that sends slowly times out", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const trickling = listener.accept().then(async (connection) => {
    const line = new TextEncoder().encode("220-still thinking\r\n");
    try {
      while (true) {
        await connection.write(line);
        await new Promise((done) => setTimeout(done, 10));
      }
    } catch { /* the client hung up */ }
    connection.close();
  });
  const url = `smtp://127.0.0.1:${listener.addr.port}`;
  assertEquals(await failure(send(url, mailTo("ada@example.org"), { timeoutMs: 150 })), "timeout");
  await trickling;
});

Deno.test("a server that is down results in connection_failed", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const sending = send(`smtp://127.0.0.1:${port}`, mailTo("ada@example.org"));
  assertEquals(await failure(sending), "connection_failed");
});
