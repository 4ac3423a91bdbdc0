import { ed25519 } from "@noble/curves/ed25519.js";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Bytes, concatBytes, encodeHex } from "../lib/base/bytes.ts";
import { encodeBase64Url, utf8 } from "../lib/base/encoding.ts";
import { addEd25519 } from "./ed25519.ts";

const { Point } = ed25519;
const MESSAGE = utf8("a message");

/** WebCrypto without Ed25519, to which it is added. */
function added(): SubtleCrypto {
  const { subtle } = crypto;
  const name = (algorithm: AlgorithmIdentifier) =>
    typeof algorithm === "string" ? algorithm : algorithm.name;
  const without = {
    importKey(...args: Parameters<SubtleCrypto["importKey"]>) {
      if (name(args[2] as AlgorithmIdentifier) === "Ed25519") {
        return Promise.reject(new DOMException("", "NotSupportedError"));
      }
      return subtle.importKey(...args);
    },
    verify: subtle.verify.bind(subtle),
    digest: subtle.digest.bind(subtle),
  } as unknown as SubtleCrypto;
  addEd25519(without);
  return without;
}

async function isValid(subtle: SubtleCrypto, key: Bytes, signature: Bytes, message = MESSAGE) {
  const jwk = { kty: "OKP", crv: "Ed25519", x: encodeBase64Url(key) };
  const [raw, other] = await Promise.all([
    subtle.importKey("raw", key, "Ed25519", false, ["verify"]),
    subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]),
  ]);
  const result = await subtle.verify("Ed25519", raw, signature, message);
  assertEquals(await subtle.verify({ name: "Ed25519" }, other, signature, message), result);
  return result;
}

const reduced = (bytes: Bytes) =>
  BigInt(`0x${encodeHex(bytes.slice().reverse())}`) % Point.Fn.ORDER;
const encoded = (s: bigint): Bytes =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((s >> BigInt(8 * i)) & 0xffn));

/** Signs for a key that differs from a normal one by a point of order 8: valid only with the cofactor. */
async function signedWithTorsion(secret: bigint): Promise<[key: Bytes, signature: Bytes]> {
  const torsion = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
  const key = Point.BASE.multiply(secret).add(torsion).toBytes() as Bytes;
  for (let nonce = 5n;; nonce++) {
    const r = Point.BASE.multiply(nonce).toBytes() as Bytes;
    const digest = await crypto.subtle.digest("SHA-512", concatBytes([r, key, MESSAGE]));
    const k = reduced(new Uint8Array(digest));
    if (k % 8n === 0n) continue;
    const s = (nonce + k * secret) % Point.Fn.ORDER;
    return [key, concatBytes([r, encoded(s)])];
  }
}

Deno.test("addEd25519() accepts and refuses the signatures that WebCrypto accepts and refuses", async () => {
  const subtle = added();
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const sign = async (message: Bytes) =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, message));
  const good = await sign(MESSAGE);
  assert(await isValid(subtle, key, good));
  assert(await isValid(subtle, key, await sign(utf8("")), utf8("")));
  const flipped = (at: number) => good.with(at, good[at] ^ 1);
  const s = BigInt(`0x${encodeHex(good.slice(32).reverse())}`);
  const cases: [title: string, key: Bytes, signature: Bytes, message?: Bytes][] = [
    ["another message", key, good, utf8("another")],
    ["a changed R", key, flipped(0)],
    ["a changed S", key, flipped(32)],
    [
      "an S that is not reduced",
      key,
      concatBytes([good.slice(0, 32), encoded(s + Point.Fn.ORDER)]),
    ],
    ["a byte less", key, good.slice(0, 63)],
    ["a signature that is valid only with the cofactor", ...await signedWithTorsion(7n)],
  ];
  for (const [title, ...rest] of cases) {
    assertEquals(await isValid(subtle, ...rest), false, title);
    assertEquals(await isValid(crypto.subtle, ...rest), false, `${title}, by WebCrypto`);
  }
});

Deno.test("addEd25519() rejects a key that is not a point, and leaves other algorithms as they are", async () => {
  const subtle = added();
  const noPoint = new Uint8Array(32).fill(2);
  for (const each of [subtle, crypto.subtle]) {
    await assertRejects(async () => {
      const key = await each.importKey("raw", noPoint, "Ed25519", false, ["verify"]);
      if (!await each.verify("Ed25519", key, new Uint8Array(64), MESSAGE)) {
        throw new Error("refused");
      }
    });
  }
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", new Uint8Array(32), hmac, false, ["sign", "verify"]);
  const mac = await crypto.subtle.sign("HMAC", key, MESSAGE);
  assert(await subtle.verify("HMAC", key, mac, MESSAGE));
});
