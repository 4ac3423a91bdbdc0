import { assert, assertEquals } from "@std/assert";
import { formatSender, mailSender } from "./address.ts";
import { smtpUrl } from "./smtp.ts";
import { createDevOutbox, createTransport, type TransportConfig } from "./transport.ts";

const MAIL = {
  from: "no-reply@qualpack.example",
  to: "ada@example.org",
  subject: "Sign in to Qualpack",
  text: "Open\n\nhttp://site.localhost:8000/auth/verify?token=abc_-1\n\nsoon.",
  html: "<p>Open</p>",
};

Deno.test("the outbox lists mails newest first and prints their links", async () => {
  const printed: string[] = [];
  const clock = () => Date.parse("2026-03-01T09:30:00.000Z");
  const outbox = createDevOutbox({ print: (line) => printed.push(line), clock, keep: 3 });
  for (let i = 1; i <= 4; i++) await outbox.send({ ...MAIL, subject: `Mail ${i}` });
  assertEquals(outbox.list().map(({ subject }) => subject), ["Mail 4", "Mail 3", "Mail 2"]);
  const link = "http://site.localhost:8000/auth/verify?token=abc_-1";
  const at = "2026-03-01T09:30:00.000Z";
  assertEquals(outbox.list()[0], { ...MAIL, subject: "Mail 4", at, link });
  assertEquals(printed.length, 4);
  assertEquals(printed[3], `Mail 4: ${link}`);
});

Deno.test("the outbox keeps the last 100 mails", async () => {
  const [outbox, other] = [1, 2].map(() => createDevOutbox({ print: () => {}, clock: Date.now }));
  for (let i = 1; i <= 101; i++) await outbox.send({ ...MAIL, subject: `${i}` });
  assertEquals(outbox.list().length, 100);
  assertEquals(outbox.list().at(-1)?.subject, "2");
  assertEquals(other.list(), []);
});

Deno.test("the outbox prints its own path for a mail without a link", async () => {
  const printed: string[] = [];
  const outbox = createDevOutbox({ print: (line) => printed.push(line), clock: Date.now });
  await outbox.send({ ...MAIL, text: "No link." });
  assertEquals(outbox.list()[0].link, undefined);
  assert(printed[0].includes("/dev/outbox"));
});

Deno.test("createTransport() creates the configured transport", () => {
  const deps = { fetch, print: () => {}, clock: Date.now };
  const make = (config: TransportConfig) => createTransport(config, deps);
  assertEquals(make({ transport: "outbox" }).name, "outbox");
  const smtp = make({ transport: "smtp", smtpUrl: "smtp://mail.example" });
  assertEquals(smtp.name, "smtp");
  smtp.close?.();
  const apiUrl = "https://api.mail.example/send";
  assertEquals(make({ transport: "http", apiUrl, apiKey: "key" }).name, "http");
});

Deno.test("smtpUrl fills in the port and decodes credentials", () => {
  const cases = {
    "smtp://mail.example": { host: "mail.example", port: 587, secure: false },
    "smtps://mail.example/": { host: "mail.example", port: 465, secure: true },
    "smtp://[::1]:2525": { host: "::1", port: 2525, secure: false },
    "smtp://a%40b:c%2Fd%3A@mail.example:25": {
      host: "mail.example",
      port: 25,
      secure: false,
      auth: { user: "a@b", pass: "c/d:" },
    },
  };
  for (const [url, server] of Object.entries(cases)) assertEquals(smtpUrl.parse(url), server);
});

Deno.test("smtpUrl rejects incomplete credentials, options and other schemes", () => {
  for (
    const url of [
      "",
      "mail.example:25",
      "http://mail.example",
      "smtp://",
      "smtp://s3cret@mail.example",
      "smtp://:s3cret@mail.example",
      "smtp://site:s3cret%zz@mail.example",
      "smtp://site:s3cret@mail.example/path",
      "smtp://site:s3cret@mail.example?tls.rejectUnauthorized=false",
      "smtp://site:s3cret@mail.example:99999",
    ]
  ) {
    const { error } = smtpUrl.safeParse(url);
    assert(error !== undefined, url);
    assert(!String(error).includes("s3cret"));
  }
});

Deno.test("mailSender and formatSender round-trip a name and an address", () => {
  const senders = {
    "no-reply@q.example": { name: "", address: "no-reply@q.example" },
    "Qualpack <no-reply@q.example>": { name: "Qualpack", address: "no-reply@q.example" },
    '"Attest, Inc." <n@q.example>': { name: "Attest, Inc.", address: "n@q.example" },
    '"The \\"Q\\" pack" <n@q.example>': { name: 'The "Q" pack', address: "n@q.example" },
  };
  for (const [text, sender] of Object.entries(senders)) {
    assertEquals(mailSender.parse(text), sender);
    assertEquals(formatSender(sender), text);
  }
  for (
    const text of ["", "Q", "Q <n@q.example", "a@q.example, b@q.example", "Q <n@q.example>\nX: y"]
  ) {
    assert(!mailSender.safeParse(text).success, text);
  }
});
