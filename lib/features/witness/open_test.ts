import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../platform/config/error.ts";
import { openKv } from "../../platform/kv/mod.ts";
import {
  formatVerifierKey,
  generatePrivateJwk,
  type PolicyLog,
} from "../../../packages/proof/mod.ts";
import { compareWithLogs, knownName, openSigner } from "./open.ts";
import { createTestLog } from "./testing/test_log.ts";
import { startTestWitness } from "./testing/test_witness.ts";

const NAME = "witness.example";
const GENERATED = { name: NAME, configured: undefined, isNewKey: false };

/** Returns the only line of the refusal to open a store. */
async function refusal(kv: Deno.Kv, identity: Parameters<typeof openSigner>[1]): Promise<string> {
  const { lines } = await assertRejects(() => openSigner(kv, identity), ConfigError);
  assertEquals(lines.length, 1);
  return lines[0];
}

Deno.test("a generated key is kept in its store, once, and a store keeps its name and key", async () => {
  using kv = await openKv(":memory:");
  assertEquals(await knownName(kv), null);
  const keys = await Promise.all([openSigner(kv, GENERATED), openSigner(kv, GENERATED)]);
  keys.push(await openSigner(kv, GENERATED));
  assertEquals(new Set(keys.map(({ key }) => formatVerifierKey(key))).size, 1);
  assertEquals(await knownName(kv), NAME);
  const renamed = await refusal(kv, { ...GENERATED, name: "other.example" });
  assertStringIncludes(renamed, `belongs to ${NAME}+`);
  const configured = await generatePrivateJwk();
  assertStringIncludes(await refusal(kv, { ...GENERATED, configured }), `belongs to ${NAME}+`);
});

Deno.test("a configured key begins with an empty store only if it is new, and needs that store from then on", async () => {
  using kv = await openKv(":memory:");
  const configured = await generatePrivateJwk();
  const lost = await refusal(kv, { name: NAME, configured, isNewKey: false });
  assertStringIncludes(lost, "choose a new key and a new name");
  const { key } = await openSigner(kv, { name: NAME, configured, isNewKey: true });
  const again = await openSigner(kv, { name: NAME, configured, isNewKey: false });
  assertEquals(again.key, key);
  assertStringIncludes(await refusal(kv, GENERATED), "WITNESS_SIGNING_KEY: should be set");
  const other = { name: NAME, configured: await generatePrivateJwk(), isNewKey: true };
  assertStringIncludes(await refusal(kv, other), `belongs to ${NAME}+`);
  const broken = { ...configured, x: other.configured.x };
  assertStringIncludes(await refusal(kv, { ...other, configured: broken }), "x matches its d");
  // The store contains no private key that is configured elsewhere.
  const rows = await Array.fromAsync(kv.list({ prefix: [] }), ({ value }) => value);
  assertEquals(JSON.stringify(rows).includes(configured.d), false);
});

Deno.test("a store with other rows, such as a site's, is refused", async () => {
  using kv = await openKv(":memory:");
  await kv.set(["format"], { version: 8 });
  assertStringIncludes(await refusal(kv, GENERATED), "has other rows");
});

Deno.test("a witness compares its store with what its logs publish, and ignores what it cannot read", async () => {
  await using server = await startTestWitness();
  const log = await createTestLog();
  log.append(..."abc");
  const [unreachable, empty, wrong, published] = ["a", "b", "c", "d"].map((name): PolicyLog => ({
    key: log.signer.key,
    url: `https://${name}.example/log/`,
  }));
  const { witness } = server;
  server.logs.push(published);
  await witness.add(await log.request(0), "");
  const bodies: Record<string, string> = {
    "https://b.example/log/checkpoint": await log.checkpoint(),
    "https://c.example/log/checkpoint": "<!doctype html>",
    "https://d.example/log/checkpoint": (await witness.latest((await witness.logs())[0].hash))!,
  };
  const fetched = (url: string | URL | Request) =>
    String(url) in bodies
      ? Promise.resolve(new Response(bodies[String(url)]))
      : Promise.reject(new TypeError("no response"));

  await compareWithLogs(witness, [unreachable, empty, wrong, published], fetched);
  assertEquals(await witness.lost(), null);
  // The same key with a store that was emptied
  for await (const { key } of server.kv.list({ prefix: ["witnessed"] })) {
    await server.kv.delete(key);
  }
  await compareWithLogs(witness, [unreachable, empty, wrong], fetched);
  assertEquals(await witness.lost(), null);
  await compareWithLogs(witness, [unreachable, empty, wrong, published], fetched);
  assertEquals((await witness.lost())?.origin, log.origin);
});
