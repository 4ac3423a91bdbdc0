import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { utf8 } from "../base/encoding.ts";
import { openKv } from "./kv/mod.ts";
import { createSecrets } from "./secrets.ts";
import { SEAL_BYTES } from "../base/secrets.ts";

const secretOf = (fill: number) => new Uint8Array(32).fill(fill);

Deno.test("a signature is an HMAC with a key derived by HKDF for its purpose", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(7)] });
  const key = hkdfSync("sha256", secretOf(7), "", "gatehouse sign-in-limit", 32);
  const expected = createHmac("sha256", new Uint8Array(key)).update("text").digest("base64url");
  assertEquals(await secrets.sign("sign-in-limit", "text"), expected);
  assertEquals((await Array.fromAsync(kv.list({ prefix: [] }))).length, 0);
});

Deno.test("verify accepts the signature of every configured secret, and signs with the first", async () => {
  using kv = await openKv(":memory:");
  const withSecrets = (...fills: number[]) => createSecrets({ kv, given: fills.map(secretOf) });
  const old = await withSecrets(1).sign("sign-in-limit", "text");
  const both = withSecrets(2, 1);
  assert(await both.verify("sign-in-limit", "text", old));
  assert(await both.verify("sign-in-limit", "text", await both.sign("sign-in-limit", "text")));
  assertEquals(
    await both.sign("sign-in-limit", "text"),
    await withSecrets(2).sign("sign-in-limit", "text"),
  );
  assert(!await withSecrets(2).verify("sign-in-limit", "text", old));
});

Deno.test("verify rejects a signature of different text and a malformed signature", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(1)] });
  const signature = await secrets.sign("sign-in-limit", "text");
  assert(!await secrets.verify("sign-in-limit", "other", signature));
  for (const bad of ["", "a", signature.slice(1), `${signature}a`, `${signature.slice(1)}=`]) {
    assert(!await secrets.verify("sign-in-limit", "text", bad), bad);
  }
});

Deno.test("verify accepts exactly one spelling of a signature", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(1)] });
  const signature = await secrets.sign("sign-in-limit", "text");
  const accepted: string[] = [];
  // The last character has two bits that the 32 bytes do not need.
  for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
    const spelling = signature.slice(0, -1) + last;
    if (await secrets.verify("sign-in-limit", "text", spelling)) accepted.push(spelling);
  }
  assertEquals(accepted, [signature]);
});

Deno.test("seal encrypts with AES-256-GCM and a separate key, and open decrypts it", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(7)] });
  const sealed = await secrets.seal("outbox", utf8("text"), "place");
  assertEquals(sealed.length, "text".length + SEAL_BYTES);
  const key = new Uint8Array(hkdfSync("sha256", secretOf(7), "", "gatehouse outbox", 32));
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.slice(0, 12));
  decipher.setAAD(utf8("place")).setAuthTag(sealed.slice(-16));
  assertEquals(decipher.update(sealed.slice(12, -16), undefined, "utf8"), "text");
  decipher.final();
  assertEquals(await secrets.open("outbox", sealed, "place"), utf8("text"));
  assertNotEquals(await secrets.seal("outbox", utf8("text"), "place"), sealed);
});

Deno.test("open returns null for another context, a changed byte and a truncated value", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(7)] });
  const sealed = await secrets.seal("outbox", utf8("text"), "place");
  assertEquals(await secrets.open("outbox", sealed, "another"), null);
  for (let i = 0; i < sealed.length; i++) {
    const changed = sealed.map((byte, at) => at === i ? byte ^ 1 : byte);
    assertEquals(await secrets.open("outbox", changed, "place"), null, `byte ${i}`);
  }
  for (const length of [0, 11, 12, 27, sealed.length - 1]) {
    assertEquals(await secrets.open("outbox", sealed.slice(0, length), "place"), null);
  }
});

Deno.test("open accepts every configured secret, and seal uses the first", async () => {
  using kv = await openKv(":memory:");
  const withSecrets = (...fills: number[]) => createSecrets({ kv, given: fills.map(secretOf) });
  const old = await withSecrets(1).seal("outbox", utf8("text"), "");
  assertEquals(await withSecrets(2, 1).open("outbox", old, ""), utf8("text"));
  assertEquals(await withSecrets(2).open("outbox", old, ""), null);
  const current = await withSecrets(2, 1).seal("outbox", utf8("text"), "");
  assertEquals(await withSecrets(2).open("outbox", current, ""), utf8("text"));
});

Deno.test("without a configured secret, one is generated, stored and shared by all processes", async () => {
  using kv = await openKv(":memory:");
  const [one, other] = [0, 1].map(() => createSecrets({ kv, given: [] }));
  const signatures = await Promise.all([one, other].map((of) => of.sign("sign-in-limit", "text")));
  assertEquals(signatures[0], signatures[1]);
  using another = await openKv(":memory:");
  const elsewhere = await createSecrets({ kv: another, given: [] }).sign("sign-in-limit", "text");
  assertNotEquals(elsewhere, signatures[0]);
});
