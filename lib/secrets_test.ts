import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createHmac, hkdfSync } from "node:crypto";
import { openKv } from "./kv/mod.ts";
import { createSecrets } from "./secrets.ts";

const secretOf = (fill: number) => new Uint8Array(32).fill(fill);

Deno.test("a signature is an HMAC with a key derived by HKDF for its purpose", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(7)] });
  const key = hkdfSync("sha256", secretOf(7), "", "gatehouse device-cookie", 32);
  const expected = createHmac("sha256", new Uint8Array(key)).update("text").digest("base64url");
  assertEquals(await secrets.sign("device-cookie", "text"), expected);
  assertEquals((await Array.fromAsync(kv.list({ prefix: [] }))).length, 0);
});

Deno.test("verify accepts the signature of every configured secret, and signs with the first", async () => {
  using kv = await openKv(":memory:");
  const withSecrets = (...fills: number[]) => createSecrets({ kv, given: fills.map(secretOf) });
  const old = await withSecrets(1).sign("device-cookie", "text");
  const both = withSecrets(2, 1);
  assert(await both.verify("device-cookie", "text", old));
  assert(await both.verify("device-cookie", "text", await both.sign("device-cookie", "text")));
  assertEquals(
    await both.sign("device-cookie", "text"),
    await withSecrets(2).sign("device-cookie", "text"),
  );
  assert(!await withSecrets(2).verify("device-cookie", "text", old));
});

Deno.test("verify rejects another text and a malformed signature", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [secretOf(1)] });
  const signature = await secrets.sign("device-cookie", "text");
  assert(!await secrets.verify("device-cookie", "other", signature));
  for (const bad of ["", "a", signature.slice(1), `${signature}a`, `${signature.slice(1)}=`]) {
    assert(!await secrets.verify("device-cookie", "text", bad), bad);
  }
});

Deno.test("without a configured secret one is generated, stored and shared by all processes", async () => {
  using kv = await openKv(":memory:");
  const [one, other] = [0, 1].map(() => createSecrets({ kv, given: [] }));
  const signatures = await Promise.all([one, other].map((of) => of.sign("device-cookie", "text")));
  assertEquals(signatures[0], signatures[1]);
  using another = await openKv(":memory:");
  const elsewhere = await createSecrets({ kv: another, given: [] }).sign("device-cookie", "text");
  assertNotEquals(elsewhere, signatures[0]);
});
