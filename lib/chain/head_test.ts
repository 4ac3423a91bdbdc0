import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Head, headOrigin, signHead, verifyHead } from "./head.ts";
import {
  generatePrivateJwk,
  importSigningKey,
  keySet,
  SigningKeyError,
  thumbprint,
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

Deno.test("a head signed with a new key verifies with the key set as published", async () => {
  const [key, other] = [await newKey(), await newKey()];
  const head = await signHead(statement, key);
  const { keys } = JSON.parse(JSON.stringify(keySet([other, key])));
  assertEquals(await verifyHead(JSON.parse(JSON.stringify(head)), keys), {
    ok: true,
    head,
  });
  assertEquals(Object.keys(keys[1]).sort(), ["crv", "kid", "kty", "use", "x"]);
  assertEquals(keys[1].kid, head.kid);
});

Deno.test("no character of a head can be changed", async () => {
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

Deno.test("a signature with spare bits set is another text, and refused", async () => {
  const key = await newKey();
  const head = await signHead(statement, key);
  const last = head.signature.at(-1)!;
  const twin = { A: "B", Q: "R", g: "h", w: "x" }[last];
  const signature = head.signature.slice(0, -1) + twin;
  assertEquals(
    await codeOf({ ...head, signature }, [key.publicJwk]),
    "bad_head",
  );
});

Deno.test("the kid is computed from the key, whatever a key set claims", async () => {
  const [key, imposter] = [await newKey(), await newKey()];
  const head = await signHead(statement, key);
  const claim = { ...imposter.publicJwk, kid: key.kid };
  assertEquals(await codeOf(head, [claim]), "unknown_key");
  const forged = { ...await signHead(statement, imposter), kid: key.kid };
  assertEquals(await codeOf(forged, [claim, key.publicJwk]), "bad_signature");
});

Deno.test("keys of other kinds are passed over", async () => {
  const key = await newKey();
  const head = await signHead(statement, key);
  const strangers = [null, 7, {}, { kty: "EC", crv: "P-256" }, {
    ...key.publicJwk,
    x: "short",
  }];
  assertEquals(await codeOf(head, strangers), "unknown_key");
  assertEquals(await codeOf(head, [...strangers, key.publicJwk]), "ok");
  assertEquals(await codeOf(head, undefined as never), "unknown_key");
});

Deno.test("a key that is no point of the curve verifies nothing", async () => {
  const head = await signHead(statement, await newKey());
  const jwk = { kty: "OKP", crv: "Ed25519", x: "_".repeat(42) + "8" } as const;
  const kid = await thumbprint(jwk);
  assertEquals(await codeOf({ ...head, kid }, [jwk]), "bad_signature");
});

Deno.test("any value can be given as a head without a throw", async () => {
  const key = await newKey();
  await fc.assert(
    fc.asyncProperty(
      fc.anything(),
      async (value: unknown) => await codeOf(value, [key.publicJwk]) === "bad_head",
    ),
  );
});

Deno.test("a statement that no verifier would accept is not signed", async () => {
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

Deno.test("a signing key is refused when it is malformed or its halves do not match", async () => {
  const [a, b] = [await generatePrivateJwk(), await generatePrivateJwk()];
  const code = async (jwk: unknown) => {
    const error = await assertRejects(
      () => importSigningKey(jwk),
      SigningKeyError,
    );
    return error.code;
  };
  assertEquals(await code({ ...a, x: b.x }), "bad_signing_key");
  assertEquals(await code({ ...a, d: undefined }), "bad_signing_key");
  assertEquals(await code("secret"), "bad_signing_key");
  const key = await importSigningKey({ ...a, kid: "mine", key_ops: ["sign"] });
  assertEquals(key.kid, await thumbprint(a));
  assert(!key.privateKey.extractable);
  assert(!("d" in key.publicJwk));
});
