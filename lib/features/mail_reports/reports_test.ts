import { assert, assertEquals } from "@std/assert";
import { utf8 } from "../../base/encoding.ts";
import { secretsOf } from "../../base/secrets.ts";
import { returnPath } from "../../platform/mail/return_path.ts";
import { readMailEvent } from "./event.ts";
import { readMessage } from "./message.ts";

const ID = "6f1c2a34-89ab-4cde-9f01-23456789abcd";
const secrets = secretsOf(() => Promise.resolve([new Uint8Array(32)]));
const PATH = await returnPath(secrets, "bounces@site.example", ID);

/** A notification as a mail server sends it. */
function notification(
  fields: string,
  { to = PATH, type = "message/delivery-status" }: { to?: string; type?: string } = {},
) {
  const text = [
    "Return-Path: <>",
    "From: Mail Delivery System <MAILER-DAEMON@mx.example.org>",
    `To: <${to}>`,
    "Subject: Undelivered Mail Returned to Sender",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b/1"',
    "",
    "--b/1",
    "Content-Type: text/plain",
    "",
    "It could not be delivered. Action: failed",
    "--b/1",
    `Content-Type: ${type}`,
    "",
    "Reporting-MTA: dns; mx.example.org",
    "",
    "Final-Recipient: rfc822; somebody-else@example.org",
    ...fields.split("\n"),
    "",
    "--b/1",
    "Content-Type: message/rfc822",
    "",
    "Subject: Sign in",
    "",
    "--b/1--",
    "",
  ].join("\r\n");
  return utf8(text);
}

Deno.test("a notification about a mail of ours says whether its address, its sender or the moment was at fault", async () => {
  for (
    const [fields, what, reply] of [
      ["Action: failed\nStatus: 5.1.1", "hard", "5.1.1"],
      ["Action: FAILED\nStatus: 5.1.1 (bad mailbox)", "hard", "5.1.1"],
      ["Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 full", "soft", "5.2.2"],
      ["Action: failed\nStatus: 4.4.7", "soft", "4.4.7"],
      ["Action: failed\nStatus: 5.7.1", "block", "5.7.1"],
      [
        "Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.7.1\n blocked",
        "block",
        "5.0.0",
      ],
      ["Action: failed\nDiagnostic-Code: SMTP; 550 no such user", "hard", null],
      ["Action: delivered\nStatus: 2.1.5", "delivered", null],
    ] as const
  ) {
    assertEquals(
      await readMessage(secrets, notification(fields)),
      { mail: { id: ID }, what, reply },
      fields,
    );
  }
  const failed = "Action: failed\nStatus: 5.1.1";
  const global = notification(failed, { type: "message/global-delivery-status" });
  assertEquals((await readMessage(secrets, global))?.what, "hard");
  for (const action of ["delayed", "relayed", "expanded"]) {
    assertEquals(
      await readMessage(secrets, notification(`Action: ${action}\nStatus: 4.0.0`)),
      null,
    );
  }
});

Deno.test("a notification to another address, with a forged return path or without a status is refused", async () => {
  const failed = "Action: failed\nStatus: 5.1.1";
  const forged = [
    notification(failed, { to: "bounces@site.example" }),
    notification(failed, { to: PATH.replace(/\+./, (start) => (start === "+6" ? "+7" : "+6")) }),
    notification(failed, { type: "text/plain" }),
    utf8(`To: ${PATH}\r\nSubject: Out of office\r\n\r\nAction: failed`),
    utf8(""),
    crypto.getRandomValues(new Uint8Array(1_000)),
  ];
  for (const message of forged) assertEquals(await readMessage(secrets, message), undefined);
});

/** A complaint as a provider sends it to the address that is registered with it. */
const complaint = (
  { feedback = "abuse", from = PATH, header = [], type = "message/rfc822", parts = FEEDBACK }: {
    feedback?: string;
    /** The return path of the mail, as the provider reports it. */
    from?: string;
    /** The header of the mail. */
    header?: string[];
    type?: string;
    parts?: string;
  } = {},
) =>
  utf8([
    "From: <feedback@provider.example>",
    "To: <bounces@site.example>",
    "Subject: FW: Your document",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b/1"',
    "",
    "--b/1",
    "Content-Type: text/plain",
    "",
    "This is an email abuse report.",
    "--b/1",
    `Content-Type: ${parts}`,
    "",
    `Feedback-Type: ${feedback}`,
    "User-Agent: SomeGenerator/1.0",
    "Version: 1",
    `Original-Mail-From: <${from}>`,
    "Original-Rcpt-To: <somebody-else@example.org>",
    "",
    "--b/1",
    `Content-Type: ${type}`,
    "",
    ...header,
    "Subject: Your document",
    "",
    "Hello",
    "--b/1--",
    "",
  ].join("\r\n"));

const FEEDBACK = "message/feedback-report";
const OTHER = "no-reply@site.example";

Deno.test("a complaint names the mail by its return path or Message-ID, in the report or the mail that it contains", async () => {
  const expected = { mail: { id: ID }, what: "complaint", reply: null } as const;
  for (
    const given of [
      { feedback: "abuse" },
      { feedback: "Fraud" },
      { from: OTHER, header: [`Return-Path: <${PATH}>`] },
      { from: OTHER, header: [`Message-ID: <${ID}@site.example>`] },
      {
        from: OTHER,
        header: [`Message-ID:\r\n <${ID.toUpperCase()}@site.example>`],
        type: "text/rfc822-headers",
      },
    ]
  ) {
    assertEquals(await readMessage(secrets, complaint(given)), expected, JSON.stringify(given));
  }
  for (const feedback of ["not-spam", "auth-failure", "virus", "other", ""]) {
    assertEquals(await readMessage(secrets, complaint({ feedback })), null, feedback);
  }
});

Deno.test("a complaint that proves no mail of ours is refused, and a notification needs the return path", async () => {
  const forged = PATH.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"));
  const header = [`Message-ID: <${ID}@site.example>`];
  for (
    const given of [
      { from: OTHER },
      { from: forged, header: [`Return-Path: <${forged}>`] },
      { from: OTHER, header: [`References: <${ID}@site.example>`] },
      { from: OTHER, header: ["Subject: x", "", ...header] },
      { from: OTHER, header, type: "text/plain" },
      { parts: "text/plain", header },
      { parts: "message/delivery-status", header },
    ]
  ) {
    assertEquals(await readMessage(secrets, complaint(given)), undefined, JSON.stringify(given));
  }
});

Deno.test("a notification that is made to take long is read in a moment", async () => {
  const size = 256 * 1024;
  const failed = "Action: failed\nStatus: 5.1.1\n";
  const hostile = {
    "white space in a field": notification(`${failed}X: a${" ".repeat(200_000)}b`),
    "lines": notification(failed + "\n".repeat(120_000)),
    "parts": notification(failed + "\n--b/1\n\n".repeat(20_000)),
    "mails in mails": utf8(
      `To: ${PATH}\r\n` + "Content-Type: message/rfc822\r\n\r\n".repeat(size / 32),
    ),
    "addresses": utf8(`To: ${PATH}, ${"g:a@b.example;".repeat(size / 14)}\r\n\r\n`),
    "mails in mails to another address": utf8(
      "Content-Type: message/rfc822\r\n\r\n".repeat(size / 32),
    ),
  };
  for (const [name, message] of Object.entries(hostile)) {
    const start = performance.now();
    await readMessage(secrets, message);
    const ms = performance.now() - start;
    // Each took many seconds, the first one minutes; the limit leaves room for a busy machine.
    assert(ms < 3_000, `${name}: ${ms} ms`);
  }
});

Deno.test("a status that follows a long text is found, and the mail after it is not read", async () => {
  const [beforeStatus, status] = new TextDecoder()
    .decode(notification("Action: failed\nStatus: 5.1.1")).split("It could not be delivered.");
  const text = "This line is about the mail, in words for people.\r\n".repeat(600);
  const found = await readMessage(
    secrets,
    utf8(`${beforeStatus}${text}${status}${text.repeat(6)}`),
  );
  assertEquals([found?.what, found?.reply], ["hard", "5.1.1"]);
});

const event = (type: string, data: object) =>
  readMailEvent(JSON.stringify({ type, created_at: "2026-03-01T09:00:00Z", data }));

Deno.test("events of a provider name the mail by its tag, otherwise by the address", () => {
  const to = ["ada@example.org"];
  const bounce = { type: "Permanent", subType: "General", message: "The mailbox does not exist." };
  for (const tags of [[{ name: "mail_id", value: ID }], { mail_id: ID }]) {
    assertEquals(event("email.bounced", { to, tags, bounce }), {
      ...{ mail: { id: ID }, what: "hard", reply: null },
    });
  }
  assertEquals(event("email.bounced", { to, bounce }), {
    ...{ mail: { to: to[0] }, what: "hard", reply: null },
  });
  // A tag that is not the id of a mail is somebody else's.
  for (const mail_id of ["", "7", "x".repeat(5_000)]) {
    assertEquals(event("email.bounced", { to, tags: { mail_id }, bounce })?.mail, { to: to[0] });
  }
  assertEquals(event("email.complained", { to })?.what, "complaint");
  assertEquals(event("email.delivered", { to: to[0] })?.what, "delivered");
});

Deno.test("the code of the receiving server decides about an event, before the provider's words", () => {
  const to = ["ada@example.org"];
  for (
    const [bounce, what, reply] of [
      [{ type: "Permanent", diagnosticCode: ["smtp; 550 5.7.1 blocked"] }, "block", "5.7.1"],
      [{ type: "Permanent", message: "552 5.2.2 over quota" }, "soft", "5.2.2"],
      [{ type: "Transient", diagnosticCode: "smtp; 550 5.1.1 unknown" }, "hard", "5.1.1"],
      [{ type: "Transient", subType: "General" }, "soft", null],
      [{ type: "Permanent", subType: "MailboxFull" }, "soft", null],
      [{ type: "Undetermined" }, "soft", null],
      [undefined, "soft", null],
    ] as const
  ) {
    const { what: found, reply: code } = event("email.bounced", { to, bounce })!;
    assertEquals([found, code], [what, reply], JSON.stringify(bounce));
  }
});

Deno.test("other events are ignored, and text that is not an event is refused", () => {
  assertEquals(event("email.opened", { to: ["ada@example.org"] }), null);
  assertEquals(event("toString", { to: ["ada@example.org"] }), null);
  assertEquals(event("email.bounced", { to: "not an address" }), undefined);
  assertEquals(event("email.bounced", { to: [] }), undefined);
  for (const body of ["", "{}", "[]", '{"type":"email.bounced"}', '"x"']) {
    assertEquals(readMailEvent(body), undefined, body);
  }
});
