import { assertEquals } from "@std/assert";
import { paymentEvent, signStandard, signStripe } from "../../../sandbox/payment_events.ts";
import { utf8 } from "../../base/encoding.ts";
import { verifySignature } from "./webhook_signature.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const TIME = NOW / 1000;
const SECRET = `whsec_${btoa("a secret of a provider")}`;
const OTHER = `whsec_${btoa("the secret of another one")}`;
const BODY = JSON.stringify(paymentEvent());

const verify = (headers: Record<string, string>, body = BODY, secrets = [SECRET]) =>
  verifySignature({ headers: new Headers(headers) }, utf8(body), secrets, NOW).ok;

const stripe = (secret = SECRET, time = TIME, body = BODY) =>
  signStripe(body, secret, time).headers;
const standard = (secret = SECRET, time = TIME, id = "msg_1", body = BODY) =>
  signStandard(body, secret, { id, time }).headers;
const macOf = (headers: Record<string, string>) => /v1=(.*)/.exec(headers["stripe-signature"])![1];

Deno.test("a signature computed with openssl verifies, in both schemes", () => {
  // HMAC-SHA-256 of "1492774577.{}" with the text "whsec_test_secret", computed with openssl.
  const mac = "53140ab8fa70c511cc40d5c9198af7dde7bbaee877038c056d8250c3bd3b2e11";
  const headers = new Headers({ "stripe-signature": `t=1492774577,v1=${mac},v0=00` });
  const at = (now: number) => verifySignature({ headers }, utf8("{}"), ["whsec_test_secret"], now);
  assertEquals(at(1_492_774_577_000).ok, true);
  // HMAC-SHA-256 of "msg_1.1492774577.{}" with the same key in base64, computed with openssl.
  const standardHeaders = new Headers({
    "webhook-id": "msg_1",
    "webhook-timestamp": "1492774577",
    "webhook-signature": "v1,i57vcOod/TyWBJ+qO2eb1GsIOtKNBY0AWE+Hf3vMJqI=",
  });
  const secret = "whsec_d2hzZWNfdGVzdF9zZWNyZXQ=";
  const standard = verifySignature(
    { headers: standardHeaders },
    utf8("{}"),
    [secret],
    1_492_774_577_000,
  );
  assertEquals(standard.ok, true);
});

Deno.test("a signature verifies with any configured secret, in both schemes", () => {
  for (const sign of [stripe, standard]) {
    assertEquals(verify(sign()), true);
    assertEquals(verify(sign(OTHER), BODY, [SECRET, OTHER]), true);
    const headers = new Headers(sign(OTHER));
    const signed = verifySignature({ headers }, utf8(BODY), [SECRET, OTHER], NOW);
    assertEquals(signed.ok && signed.secret, OTHER);
    assertEquals(verify(sign(OTHER)), false);
    assertEquals(verify(sign(), BODY, []), false);
  }
});

Deno.test("one valid signature among several is enough, in any position", () => {
  const [good, bad] = [macOf(stripe()), macOf(stripe(OTHER))];
  for (const macs of [[good, bad], [bad, good], ["zz", good], [bad, bad, good]]) {
    const header = [`t=${TIME}`, ...macs.map((mac) => `v1=${mac}`)].join(",");
    assertEquals(verify({ "stripe-signature": header }), true, header);
  }
  const headers = standard();
  const other = standard(OTHER)["webhook-signature"];
  const both = `${other} v1a,xyz ${headers["webhook-signature"]}`;
  assertEquals(verify({ ...headers, "webhook-signature": both }), true);
  const named = Object.entries(headers).map((
    [name, value],
  ) => [name.replace("webhook", "svix"), value]);
  assertEquals(verify(Object.fromEntries(named)), true);
});

Deno.test("a time is accepted up to 300 seconds in either direction", () => {
  for (const sign of [stripe, standard]) {
    for (
      const [offset, valid] of [[-300, true], [300, true], [-301, false], [301, false]] as const
    ) {
      assertEquals(verify(sign(SECRET, TIME + offset)), valid, `${sign.name} ${offset}`);
    }
  }
});

Deno.test("a changed body, time or id is refused", () => {
  const signed = stripe();
  assertEquals(verify(signed, BODY + " "), false);
  assertEquals(verify(signed, BODY.replace("12500", "12501")), false);
  const moved = signed["stripe-signature"].replace(`t=${TIME}`, `t=${TIME + 1}`);
  assertEquals(verify({ "stripe-signature": moved }), false);
  const headers = standard();
  assertEquals(verify({ ...headers, "webhook-id": "msg_2" }), false);
  assertEquals(verify({ ...headers, "webhook-timestamp": `${TIME + 1}` }), false);
});

Deno.test("malformed and incomplete headers are refused", () => {
  const mac = macOf(stripe());
  const stripeHeaders = [
    "",
    mac,
    `t=${TIME}`,
    `v1=${mac}`,
    `t=${TIME},v0=${mac}`,
    `t=${TIME},v1=`,
    `t=${TIME},v1`,
    `t=${TIME},v1=${mac.slice(0, 62)}`,
    `t=${TIME}.0,v1=${mac}`,
    `t=-${TIME},v1=${mac}`,
    `t=${TIME},t=${TIME},v1=${mac}`,
    `t=${TIME},v1=${mac},${"v1=".padEnd(5_000, "0")}`,
  ];
  for (const header of stripeHeaders) {
    assertEquals(verify({ "stripe-signature": header }), false, header.slice(0, 100));
  }
  const headers = standard();
  for (const name of Object.keys(headers)) {
    const { [name as keyof typeof headers]: _, ...rest } = headers;
    assertEquals(verify(rest), false, name);
    assertEquals(verify({ ...headers, [name]: "" }), false, name);
  }
  assertEquals(verify({}), false);
  // An id with a full stop could shift the border between the id and the time.
  assertEquals(verify(standard(SECRET, TIME, `msg.${TIME}`)), false);
});

Deno.test("a secret that is not base64 never verifies Standard Webhooks, and does not hide another one", () => {
  const headers = standard();
  for (const secret of ["not base64, but text", "whsec_", ""]) {
    assertEquals(verify(headers, BODY, [secret]), false, secret);
    assertEquals(verify(headers, BODY, [secret, SECRET]), true, secret);
  }
});

Deno.test("a signed body that is not UTF-8 is refused in the scheme of Standard Webhooks", () => {
  const { headers } = signStandard("{\ufffd}", SECRET, { id: "msg_1", time: TIME });
  const at = (body: Uint8Array<ArrayBuffer>) =>
    verifySignature({ headers: new Headers(headers) }, body, [SECRET], NOW).ok;
  assertEquals(at(utf8("{\ufffd}")), true);
  assertEquals(at(new Uint8Array([0x7b, 0xff, 0x7d])), false);
  assertEquals(at(utf8("\ufeff{\ufffd}")), false);
});
