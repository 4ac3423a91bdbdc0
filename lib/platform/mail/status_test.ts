import { assertEquals } from "@std/assert";
import { type Bounce, bounceOf, replyCode } from "./status.ts";

/** Replies as servers send them, by what they say about the address. */
const REPLIES: Record<Bounce, string[]> = {
  hard: [
    "550 5.1.1 The email account that you tried to reach does not exist",
    "550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table",
    "556 5.1.10 Domain does not accept mail (nullMX)",
    "550 5.2.1 The email account that you tried to reach is disabled",
    "550 No such user here",
    "553 sorry, that mailbox does not exist",
    "550 5.7.17 Mailbox owner has changed",
    "5.1.2",
  ],
  soft: [
    "450 4.2.0 Greylisted",
    "421 4.7.0 Try again later",
    "452 4.2.2 Mailbox full",
    "552 5.2.2 The email account that you tried to reach is over quota",
    "552 Mailbox is full",
    "550 user exceeded storage quota",
    "554 5.4.7 Delivery time expired",
    "554 5.3.4 Message too big",
    "550 5.4.1 Recipient address rejected: Access denied",
    "2.1.5",
    "",
  ],
  block: [
    "550 5.7.1 Service unavailable; client host blocked using Spamhaus",
    "554 5.7.26 Unauthenticated mail is prohibited",
    "550 5.1.8 Sender address rejected",
    "550 5.1.7 Bad sender's mailbox address",
    "554 IP listed on an RBL",
    "550 Your message was rejected as spam",
    "554 relay access denied",
    "550 5.0.0 your reputation is too low",
  ],
};

Deno.test("replies of servers are about the address, pass, or are about the sender", () => {
  for (const [bounce, replies] of Object.entries(REPLIES)) {
    for (const reply of replies) assertEquals(bounceOf(reply), bounce, reply);
  }
});

Deno.test("the code of a reply is kept without its text", () => {
  assertEquals(replyCode("550-5.1.1 <ada@example.org> unknown"), "550 5.1.1");
  assertEquals(replyCode("550 No such user"), "550");
  assertEquals(replyCode("550 5.1.1.2 odd"), "550");
  assertEquals(replyCode("go away"), undefined);
});
