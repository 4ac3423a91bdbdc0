import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  createSigner,
  formatSignature,
  generatePrivateJwk,
  parseCheckpoint,
  parsePolicy,
  verifyCheckpoint,
  WITNESS_KEY,
} from "../packages/proof/mod.ts";
import { alertRows } from "../lib/features/alerts/store.ts";
import { originHash, policyLine } from "../lib/features/witness/mod.ts";
import { createTestLog, type TestLog } from "../lib/features/witness/testing/test_log.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { createSite, type Site } from "./site.ts";

const logOf = async (origin?: string) => {
  const log = await createTestLog(origin);
  log.append(..."abcdef");
  return log;
};

const post = (site: Site, body: BodyInit, surface: "witness" | "workbench" = "witness") =>
  site.request(surface, "/add-checkpoint", { method: "POST", body });

const statusOf = async (site: Site, log: TestLog, old: number, size: number) => {
  const response = await post(site, await log.request(old, size));
  await response.body?.cancel();
  return response.status;
};

/** Returns the alerts of the foundation's console in short. */
async function alertsOf({ services: { kv } }: Site) {
  const rows = await Array.fromAsync(alertRows.list(kv, ["foundation"]));
  return rows.map(({ value: { kind, reports } }) => ({ kind, ...reports[0].details }));
}

Deno.test("the witness surface countersigns the logs of WITNESS_LOGS, and lists them", async () => {
  const log = await logOf();
  await using site = await createSite({ WITNESS_LOGS: `log ${log.vkey}` });
  const empty = await (await site.request("witness", "/")).text();
  assertStringIncludes(empty, "nothing yet");

  const signed = await post(site, await log.request(0, 3));
  assertEquals(signed.status, 200);
  assertEquals(signed.headers.get("content-type"), "text/plain; charset=utf-8");
  const checkpoint = await log.checkpoint(3) + await signed.text();
  const witness = await site.services.witness.open();
  const line = policyLine(witness, "http://witness.localhost:8000/");
  const policy = parsePolicy(`log ${log.vkey}\n${line}\nquorum ${witness.key.name}`);
  assertEquals((await verifyCheckpoint(checkpoint, policy, log.origin)).ok, true);

  const conflict = await post(site, await log.request(0, 5));
  assertEquals(
    [conflict.status, conflict.headers.get("content-type"), await conflict.text()],
    [409, "text/x.tlog.size", "3\n"],
  );
  const fork = log.fork(2);
  fork.append("another entry");
  const refused = await post(site, await fork.request(3, 3));
  assertEquals([refused.status, (await refused.json()).error], [422, "inconsistent"]);
  const stranger = await post(site, await (await logOf("other.example/log")).request(0));
  assertEquals([stranger.status, (await stranger.json()).error], [404, "unknown_log"]);
  const malformed = await post(site, "old 0\n");
  assertEquals([malformed.status, (await malformed.json()).error], [400, "invalid_request"]);

  const hash = originHash(log.origin);
  const monitored = await site.request("witness", `/monitor/${hash}/checkpoint`);
  assertEquals(await monitored.text(), checkpoint);
  assertEquals(monitored.headers.get("access-control-allow-origin"), "*");
  const { refused: evidence } = await (await site.request("witness", `/monitor/${hash}/refused`))
    .json();
  assertEquals(evidence.map(({ fork }: { fork: boolean }) => fork), [true]);
  assertEquals(await alertsOf(site), [{
    kind: "log_forked",
    origin: log.origin,
    size: 3,
    evidence: `http://witness.localhost:8000/monitor/${hash}/refused`,
  }]);
  const html = await (await site.request("witness", "/")).text();
  for (const part of [log.origin, log.vkey, line, "Forked", `/monitor/${hash}/refused`]) {
    assertStringIncludes(html.replaceAll("&#43;", "+"), part);
  }
  for (
    const path of [`/monitor/${originHash("other.example/log")}/checkpoint`, "/monitor/x/refused"]
  ) {
    const missing = await site.request("witness", path);
    assertEquals([missing.status, (await missing.json()).error], [404, "not_found"], path);
  }
});

Deno.test("a witness that has lost its store says so, and is no longer offered", async () => {
  const key = await generatePrivateJwk();
  const log = await logOf();
  await using site = await createSite({
    WITNESS_LOGS: `log ${log.vkey}`,
    WITNESS_SIGNING_KEY: JSON.stringify(key),
    WITNESS_NAME: "witness.example/1",
  });
  const html = async () => await (await site.request("witness", "/")).text();
  assertStringIncludes(await html(), "witness witness.example/1 witness.example/1");
  const checkpoint = await log.checkpoint();
  const { text } = parseCheckpoint(checkpoint)!.note;
  const earlier = await (await createSigner("witness.example/1", WITNESS_KEY, key)).sign(text, 1);
  await (await site.services.witness.open()).compare(checkpoint + formatSignature(earlier));
  assertEquals(await statusOf(site, log, 0, 6), 503);
  const after = await html();
  assertStringIncludes(after, "Signs nothing");
  assertEquals((await alertsOf(site)).map(({ kind }) => kind), ["witness_lost"]);
  assertEquals(after.includes("witness witness.example/1"), false);
});

Deno.test("in development, the foundation's witness countersigns the log of its process", async () => {
  await using site = await createSite();
  const { publicLog, witness } = site.services;
  const [asked, ...others] = await publicLog.witnesses();
  assertEquals([asked.name, others], ["witness.localhost", []]);
  assertEquals((await (await witness.open()).logs()).map(({ origin }) => origin), [
    publicLog.origin,
  ]);
  const response = await asked.submit("old 0\n", AbortSignal.timeout(HANG_MS));
  assertEquals([response.status, (await response.json()).error], [400, "invalid_request"]);
});

Deno.test("the witness's store is not the site's, and is closed with the site", async () => {
  const path = await Deno.makeTempFile();
  const log = await logOf();
  const rows = async (kv: Deno.Kv) => (await Array.fromAsync(kv.list({ prefix: [] }))).length;
  const key = JSON.stringify(await generatePrivateJwk());
  const env = { WITNESS_LOGS: `log ${log.vkey}`, WITNESS_SIGNING_KEY: key };
  let opened: Deno.Kv;
  const openWitnessKv = async () => opened = await Deno.openKv(path);
  {
    await using site = await createSite(env, { openWitnessKv });
    const before = await rows(site.services.kv);
    assertEquals(await statusOf(site, log, 0, 4), 200);
    assertEquals(await rows(site.services.kv), before);
  }
  {
    await using site = await createSite(env, { openWitnessKv });
    assertEquals([await statusOf(site, log, 0, 4), await statusOf(site, log, 4, 5)], [409, 200]);
  }
  await assertRejects(() => opened.get(["identity"]));
  using kv = await Deno.openKv(path);
  assertEquals(await rows(kv), 2);
  await Deno.remove(path);
});
