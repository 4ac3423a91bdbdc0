import { assert, assertEquals } from "@std/assert";
import { createPrivateKey, sign } from "node:crypto";
import {
  canonical,
  eventHash,
  headMessage,
  type JsonObject,
  keyId,
  preimage,
  recordHash,
  verifyHead,
} from "./independent/implementation.ts";
import { VECTORS as vectors } from "../../../packages/proof/kit/mod.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const record = (vector: { record: unknown }) => vector.record as JsonObject;

for (const vector of vectors.valid) {
  Deno.test(`an implementation of the text reproduces the hashes of "${vector.title}"`, () => {
    const { salt, recordCanonical, recordPreimage } = vector;
    assertEquals(canonical(record(vector)), recordCanonical);
    const bytes = preimage("record", Uint8Array.fromHex(salt), utf8(recordCanonical));
    assertEquals(bytes.toHex(), recordPreimage);
    let previous = recordHash(salt, record(vector));
    assertEquals(previous, vector.recordHash);

    for (const { event, canonical: text, preimage: hashed, prev, hash } of vector.events) {
      assertEquals(canonical({ ...event }), text);
      assertEquals(previous, prev);
      assertEquals(preimage("event", Uint8Array.fromHex(prev), utf8(text)).toHex(), hashed);
      previous = eventHash(prev, { ...event });
      assertEquals(previous, hash);
    }
  });
}

Deno.test("an implementation of the text reproduces the signed head", () => {
  const { head, recordHash, events } = vectors.valid[1];
  const { privateKey, signed } = head!;
  const { d: _, ...key } = privateKey;
  const { kty, crv, x } = key;
  assertEquals(canonical({ kty, crv, x }), head!.thumbprintInput);
  assertEquals(keyId({ kty, crv, x }), head!.kid);

  const { signature, ...statement } = signed;
  assertEquals(statement, {
    origin: `trust.example/${recordHash}`,
    size: events.length,
    tip: events[events.length - 1].hash,
    at: "2026-03-01T00:05:00.000Z",
    kid: head!.kid,
  });
  assertEquals(canonical(statement), head!.canonical);
  const message = headMessage(statement);
  assertEquals(message.toHex(), head!.message);

  const secret = createPrivateKey({ key: privateKey, format: "jwk" });
  assertEquals(sign(null, message, secret).toString("base64url"), signature);
  assertEquals(signature, head!.signature);
  const request = { head: { ...signed }, publisher: "trust.example", recordHash };
  assert(verifyHead({ ...request, keys: [{ kty, crv, x }] }).ok);
});
