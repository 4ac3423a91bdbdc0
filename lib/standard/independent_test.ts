/**
 * A second implementation of the chain, written from the standard's text alone, without `lib/chain`.
 * These tests fail if the text and the library differ.
 */
import { assert, assertEquals } from "@std/assert";
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { VECTORS as vectors } from "./vectors.ts";

type Flat = Record<string, string | number | boolean | null>;

const ZERO = Uint8Array.of(0);
const ascii = (text: string) => new TextEncoder().encode(text);
const raw = (hex: string) => Uint8Array.from(hex.match(/../g)!, (digits) => parseInt(digits, 16));
const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** JCS of a flat object: names sorted by UTF-16 code units, values formatted as in ECMAScript. */
const jcs = (object: Flat): string =>
  `{${
    Object.keys(object).sort()
      .map((name) => `${JSON.stringify(name)}:${JSON.stringify(object[name])}`)
      .join(",")
  }}`;

for (const vector of vectors.valid) {
  Deno.test(`an implementation of the text reproduces the hashes of "${vector.title}"`, () => {
    assertEquals(jcs(vector.record as Flat), vector.recordCanonical);
    const record = [
      ascii("verifiable-records/1/record"),
      ZERO,
      raw(vector.salt),
      ascii(jcs(vector.record as Flat)),
    ];
    assertEquals(hexOf(...record), vector.recordPreimage);
    assertEquals(sha256(...record).toString("hex"), vector.recordHash);

    let previous = sha256(...record);
    for (const { event, canonical, preimage, prev, hash } of vector.events) {
      assertEquals(jcs(event), canonical);
      assertEquals(previous.toString("hex"), prev);
      const parts = [
        ascii("verifiable-records/1/event"),
        ZERO,
        previous,
        ascii(jcs(event)),
      ];
      assertEquals(hexOf(...parts), preimage);
      previous = sha256(...parts);
      assertEquals(previous.toString("hex"), hash);
    }
  });
}

Deno.test("an implementation of the text reproduces the signed head", () => {
  const { head, recordHash, events } = vectors.valid[1];
  const { privateKey, signed } = head!;
  const { kty, crv, x } = privateKey;
  assertEquals(jcs({ crv, kty, x }), head!.thumbprintInput);
  assertEquals(
    sha256(ascii(jcs({ crv, kty, x }))).toString("base64url"),
    head!.kid,
  );

  const { signature, ...statement } = signed;
  assertEquals(statement, {
    origin: `trust.example/${recordHash}`,
    size: events.length,
    tip: events[events.length - 1].hash,
    at: "2026-03-01T00:05:00.000Z",
    kid: head!.kid,
  });
  assertEquals(jcs(statement), head!.canonical);
  const message = raw(
    hexOf(ascii("verifiable-records/1/head"), ZERO, ascii(jcs(statement))),
  );
  assertEquals(hexOf(message), head!.message);

  const secret = createPrivateKey({ key: privateKey, format: "jwk" });
  assertEquals(sign(null, message, secret).toString("base64url"), signature);
  assertEquals(signature, head!.signature);
  const open = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  const bytes = Uint8Array.from(
    atob(signature.replaceAll("-", "+").replaceAll("_", "/")),
    (each) => each.charCodeAt(0),
  );
  assert(verify(null, message, open, bytes));
  message[0] ^= 1;
  assert(!verify(null, message, open, bytes));
});

function hexOf(...parts: Uint8Array[]): string {
  return parts.flatMap((part) => [...part])
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
