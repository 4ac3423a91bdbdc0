import { assertEquals } from "@std/assert";
import { paymentEvent, signStandard, signStripe } from "../../../sandbox/payment_events.ts";
import { utf8 } from "../../base/encoding.ts";
import { verifySignature } from "./signature.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const TIME = NOW / 1000;
const SECRET = `whsec_${btoa("a secret of a provider")}`;
const OTHER = `whsec_${btoa("the secret of another one")}`;
const BODY = JSON.stringify(paymentEvent());

const verify = (headers: Record<string, string>, body = BODY, secrets = [SECRET]) =>
  verifySignature({ headers: new Headers(headers) }, utf8(body), secrets, NOW).ok;

const stripe = async (secret = SECRET, time = TIME, body = BODY) =>
  (await signStripe(body, secret, time)).headers;
const standard = async (secret = SECRET, time = TIME, id = "msg_1", body = BODY) =>
  (await signStandard(body, secret, { id, time })).headers;
const macOf = (headers: Record<string, string>) => /v1=(.*)/.exec(headers["stripe-signature"])![1];

Deno.test("a signature computed with openssl verifies", () => {
  // HMAC-SHA-256 of "1492774577.{}" with the text "whsec_test_secret", computed with openssl.
  const mac = "53140ab8fa70c511cc40d5c9198af7dde7bbaee877038c056d8250c3bd3b2e11";
  const headers = new Headers({ "stripe-signature": `t=1492774577,v1=${mac},v0=00` });
  const at = (now: number) => verifySignature({ headers }, utf8("{}"), ["whsec_test_secret"], now);
  assertEquals(at(1_492_774_577_000).ok, true);
});

Deno.test("a signature verifies with any configured secret, in both schemes", async () => {
  for (const sign of [stripe, standard]) {
    assertEquals(verify(await sign()), true);
    assertEquals(verify(await sign(OTHER), BODY, [SECRET, OTHER]), true);
    assertEquals(verify(await sign(OTHER)), false);
    assertEquals(verify(await sign(), BODY, []), false);
  }
});

Deno.test("one valid signature among several is enough, in any position", async () => {
  const [good, bad] = [macOf(await stripe()), macOf(await stripe(OTHER))];
  for (const macs of [[good, bad], [bad, good], ["zz", good], [bad, bad, good]]) {
    const header = [`t=${TIME}`, ...macs.map((mac) => `v1=${mac}`)].join(",");
    assertEquals(verify({ "stripe-signature": header }), true, header);
  }
  const headers = await standard();
  const other = (await standard(OTHER))["webhook-signature"];
  const both = `${other} v1a,xyz ${headers["webhook-signature"]}`;
  assertEquals(verify({ ...headers, "webhook-signature": both }), true);
});

Deno.test("a time is accepted up to 300 seconds in either direction", async () => {
  for (const sign of [stripe, standard]) {
    for (
      const [offset, valid] of [[-300, true], [300, true], [-301, false], [301, false]] as const
    ) {
      assertEquals(verify(await sign(SECRET, TIME + offset)), valid, `${sign.name} ${offset}`);
    }
  }
});

Deno.test("a changed body, time or id is refused", async () => {
  const signed = await stripe();
  assertEquals(verify(signed, BODY + " "), false);
  assertEquals(verify(signed, BODY.replace("12500", "12501")), false);
  const moved = signed["stripe-signature"].replace(`t=${TIME}`, `t=${TIME + 1}`);
  assertEquals(verify({ "stripe-signature": moved }), false);
  const headers = await standard();
  assertEquals(verify({ ...headers, "webhook-id": "msg_2" }), false);
  assertEquals(verify({ ...headers, "webhook-timestamp": `${TIME + 1}` }), false);
});

Deno.test("malformed and incomplete headers are refused", async () => {
  const mac = macOf(await stripe());
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
  const headers = await standard();
  for (const name of Object.keys(headers)) {
    const { [name as keyof typeof headers]: _, ...rest } = headers;
    assertEquals(verify(rest), false, name);
    assertEquals(verify({ ...headers, [name]: "" }), false, name);
  }
  assertEquals(verify({}), false);
  // An id with a full stop could shift the border between the id and the time.
  assertEquals(verify(await standard(SECRET, TIME, `msg.${TIME}`)), false);
});

Deno.test("a secret that is not base64 never verifies Standard Webhooks, nor does a short key", async () => {
  const empty = { id: "msg_1", time: TIME };
  const { headers } = await signStandard(BODY, `whsec_${btoa("short")}`, empty);
  assertEquals(verify(headers, BODY, [`whsec_${btoa("short")}`]), false);
  assertEquals(verify(await standard(), BODY, ["not base64, but text"]), false);
});
