import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Head, headOrigin, signHead, verifyHead } from "./head.ts";
import {
  generatePrivateJwk,
  importSigningKey,
  keySet,
  SigningKeyError,
  thumbprint,
  verifierSupport,
} from "./keys.ts";

const statement = {
  origin: headOrigin("trust.example:8443", "a".repeat(64)),
  size: 3,
  tip: "b".repeat(64),
  at: "2026-03-01T00:05:00.000Z",
};
const newKey = async () => await importSigningKey(await generatePrivateJwk());
const codeOf = async (head: unknown, keys: readonly unknown[]) => {
  const result = await verifyHead(head, keys);
  return result.ok ? "ok" : result.code;
};

Deno.test("verifyHead() accepts a signed head with the published key set", async () => {
  const [key, other] = [await newKey(), await newKey()];
  const head = await signHead(statement, key);
  const { keys } = JSON.parse(JSON.stringify(keySet([other, key])));
  assertEquals(await verifyHead(JSON.parse(JSON.stringify(head)), keys), { ok: true, head });
  assertEquals(Object.keys(keys[1]).sort(), ["crv", "kid", "kty", "use", "x"]);
  assertEquals(keys[1].kid, head.kid);
});

Deno.test("verifyHead() rejects a head with any character changed", async () => {
  const key = await newKey();
  const head = await signHead(statement, key);
  const names = Object.keys(head) as (keyof Head)[];
  await fc.assert(fc.asyncProperty(
    fc.constantFrom(...names),
    fc.nat(),
    fc.constantFrom(..."09afAZ_-/.:Z"),
    async (name: keyof Head, place: number, character: string) => {
      const text = String(head[name]);
      const at = place % text.length;
      fc.pre(text[at] !== character);
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      const value = name === "size" ? Number(changed) : changed;
      fc.pre(value !== head[name]);
      return await codeOf({ ...head, [name]: value }, [key.publicJwk]) !== "ok";
    },
  ));
});

Deno.test("verifyHead() rejects a signature whose unused bits are set", async () => {
  const key = await newKey();
  const head = await signHead(statement, key);
  const last = head.signature.at(-1)!;
  const twin = { A: "B", Q: "R", g: "h", w: "x" }[last];
  const signature = head.signature.slice(0, -1) + twin;
  assertEquals(await codeOf({ ...head, signature }, [key.publicJwk]), "bad_head");
});

Deno.test("verifyHead() computes each kid and ignores the one that a key set claims", async () => {
  const [key, imposter] = [await newKey(), await newKey()];
  const head = await signHead(statement, key);
  const claim = { ...imposter.publicJwk, kid: key.kid };
  assertEquals(await codeOf(head, [claim]), "unknown_key");
  const forged = { ...await signHead(statement, imposter), kid: key.kid };
  assertEquals(await codeOf(forged, [claim, key.publicJwk]), "bad_signature");
});

Deno.test("verifyHead() ignores keys of other types", async () => {
  const key = await newKey();
  const head = await signHead(statement, key);
  const short = { ...key.publicJwk, x: "short" };
  const others = [null, 7, {}, { kty: "EC", crv: "P-256" }, short];
  assertEquals(await codeOf(head, others), "unknown_key");
  assertEquals(await codeOf(head, [...others, key.publicJwk]), "ok");
  assertEquals(await codeOf(head, undefined as never), "unknown_key");
});

Deno.test("verifyHead() returns bad_signature for a key that is not a point on the curve", async () => {
  const head = await signHead(statement, await newKey());
  const jwk = { kty: "OKP", crv: "Ed25519", x: "_".repeat(42) + "8" } as const;
  const kid = await thumbprint(jwk);
  assertEquals(await codeOf({ ...head, kid }, [jwk]), "bad_signature");
});

Deno.test("verifyHead() returns bad_head for any other value and does not throw", async () => {
  const key = await newKey();
  await fc.assert(
    fc.asyncProperty(
      fc.anything(),
      async (value: unknown) => await codeOf(value, [key.publicJwk]) === "bad_head",
    ),
  );
});

Deno.test("signHead() rejects a statement that no verifier would accept", async () => {
  const key = await newKey();
  for (
    const change of [
      { origin: "https://trust.example/" + "a".repeat(64) },
      { origin: "Trust.example/" + "a".repeat(64) },
      { origin: "trust.example/" },
      { size: 0 },
      { tip: "" },
      { at: "2026-03-01" },
    ]
  ) {
    await assertRejects(() => signHead({ ...statement, ...change }, key));
  }
});

Deno.test("importSigningKey() rejects a malformed key and one whose x does not match its d", async () => {
  const [a, b] = [await generatePrivateJwk(), await generatePrivateJwk()];
  for (const jwk of [{ ...a, x: b.x }, { ...a, d: undefined }, "secret"]) {
    const error = await assertRejects(() => importSigningKey(jwk), SigningKeyError);
    assertEquals(error.code, "bad_signing_key");
  }
  const key = await importSigningKey({ ...a, kid: "mine", key_ops: ["sign"] });
  assertEquals(key.kid, await thumbprint(a));
  assert(!key.privateKey.extractable);
  assert(!("d" in key.publicJwk));
});

Deno.test("verifierSupport() detects a browser without Ed25519", async () => {
  assertEquals(await verifierSupport(), "ok");
  const without = { importKey: () => Promise.reject(new DOMException("", "NotSupportedError")) };
  assertEquals(await verifierSupport(without as unknown as SubtleCrypto), "no_ed25519");
});
