import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  chainStatements,
  checkLog,
  createMemory,
  createSigner,
  formatCheckpoint,
  formatNote,
  formatSignature,
  formatVerifierKey,
  generatePrivateJwk,
  type LinkedEvent,
  logSentence,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  parseSavedChain,
  readLogAt,
  rootOf,
  WITNESS_KEY,
} from "../packages/proof/mod.ts";
import { storeCheckpoint } from "../lib/features/log/store/join.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { readTree } from "../lib/features/log/store/tree.ts";
import { addEntries } from "../lib/features/log/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { recordFixture } from "./record_site.ts";
import { createSite, type Site } from "./site.ts";

const HASH = "c".repeat(64);
const ORIGIN = "trust.localhost:8000/log";

/** A witness whose line arrives late. */
const late = await createSigner("late.example", WITNESS_KEY, await generatePrivateJwk());

/** Reads a chain and checks it against the served log, by the policy that the log suggests. */
async function check(site: Site, proof: unknown, events: LinkedEvent[]) {
  const text = async (path: string) => await (await site.request("trust", `/log/${path}`)).text();
  const now = site.services.clock();
  return await checkLog({
    origin: ORIGIN,
    statements: chainStatements(HASH, events),
    proof,
    trust: { policy: parsePolicy(await text("policy")), memory: createMemory() },
    log: readLogAt("http://trust/log", {
      fetch: (input) => site.request("trust", new URL(String(input)).pathname),
    }),
    asOf: now,
    now,
  });
}

Deno.test("the proof of a chain stays the same while the log grows, and the ETag changes with it only", async () => {
  await using site = await createSite();
  const { chains, jobs, kv } = site.services;
  const read = async (init?: RequestInit) => {
    const response = await site.request("api", `/api/chain/${HASH}`, init);
    const etag = response.headers.get("etag")!;
    return { status: response.status, etag, body: init ? null : await response.json() };
  };
  const unchanged = async (etag: string) =>
    (await read({ headers: { "if-none-match": etag } })).status === 304;
  await chains.start(HASH);
  const before = await read();
  assert(!("log_proof" in before.body));
  const yet = await check(site, before.body.log_proof, before.body.events);
  assertStringIncludes(logSentence(yet).text, "Not in the public log yet.");

  await jobs.run("log");
  assertEquals(await unchanged(before.etag), false);
  const { etag, body: { log_proof, events } } = await read();
  const finding = await check(site, log_proof, events);
  assertEquals([finding.fault, finding.logged, finding.checked], [null, 1, "log"]);
  assertStringIncludes(
    logSentence(finding).text,
    ", which the same operator runs, so it proves nothing against that operator.",
  );

  await addEntries(kv, ["other"], { now: site.services.clock() });
  await jobs.run("log");
  assertEquals([await unchanged(etag), (await read()).body.log_proof], [true, log_proof]);

  await chains.append(HASH, "email_confirmed");
  const second = await read();
  assertEquals(second.body.log_proof, log_proof);
  const partly = await check(site, log_proof, second.body.events);
  assertStringIncludes(logSentence(partly).text, "The first 1 of 2 events were logged by ");
  await jobs.run("log");
  assertEquals(await unchanged(second.etag), false);
  const third = await read();
  assert(third.body.log_proof !== log_proof);
  assertEquals((await check(site, third.body.log_proof, third.body.events)).logged, 2);
});

Deno.test("a line that joins an older checkpoint changes the page of a chain in another process, and an unchanged page costs one read", async () => {
  await using store = await tempKv();
  const line = `witness late ${formatVerifierKey(late.key)} http://127.0.0.1:1/`;
  const env = { LOG_WITNESSES: `${line}\nquorum late` };
  await using site = await createSite(env, { kv: await openKv(store.path) });
  /** The number of keys of each read; infinite for a list. */
  const reads: number[] = [];
  const counted = new Proxy(await openKv(store.path), {
    get(kv, name: keyof Deno.Kv) {
      const method = kv[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        if (name === "get") reads.push(1);
        if (name === "getMany") reads.push((args[0] as unknown[]).length);
        if (name === "list") reads.push(Infinity);
        return Reflect.apply(method, kv, args);
      };
    },
  });
  await using other = await createSite(env, { kv: counted });
  const { chains, clock, kv, publicLog } = site.services;
  const signedAt = new Date(clock()).toISOString();

  /** Returns the checkpoint of the stored tree, and the function that adds the witness's line to it. */
  async function publish() {
    await sequenceBatch(kv);
    const { size, edge } = await readTree(kv);
    const text = formatCheckpoint({ origin: ORIGIN, size, root: rootOf(edge) });
    const own = await Promise.all((await publicLog.signers()).map((key) => key.sign(text)));
    const checkpointOf = (signatures: typeof own) =>
      parseCheckpoint(formatNote({ text, signatures }))!;
    await storeCheckpoint(kv, clock, checkpointOf(own), { signedAt });
    return {
      size,
      async countersign() {
        const line = await late.sign(text, Math.floor(clock() / 1000));
        await storeCheckpoint(kv, clock, checkpointOf([...own, line]));
        return formatSignature(line);
      },
    };
  }

  const read = async (init?: RequestInit, query = "") => {
    reads.length = 0;
    const response = await other.request("api", `/api/chain/${HASH}${query}`, init);
    const etag = response.headers.get("etag")!;
    return { status: response.status, etag, body: init ? null : await response.json() };
  };
  await chains.start(HASH);
  const older = await publish();
  const first = await read();
  const revalidate = { headers: { "if-none-match": first.etag } };
  assertEquals([(await read(revalidate)).status, reads], [304, [2]]);
  await addEntries(kv, ["later"], { now: clock() });
  const newer = await publish();
  assertEquals((await read(revalidate)).status, 304); // the proof is the same
  assertEquals([(await read(revalidate)).status, reads], [304, [2]]);

  const joined = await older.countersign();
  assertEquals((await read(revalidate)).status, 200);
  const { etag, body: { log_proof } } = await read();
  assertEquals(log_proof, first.body.log_proof + joined);
  const unchanged = { headers: { "if-none-match": etag } };
  assertEquals([(await read(unchanged)).status, reads], [304, [2]]);
  // A reader may ask for a newer checkpoint.
  const asked = await read(undefined, `?log_size=${newer.size}`);
  assertEquals(parseProof(asked.body.log_proof)!.checkpoint.split("\n")[1], `${newer.size}`);
  assertEquals((await read(undefined, "?log_size=x")).status, 400);
});

Deno.test("the saved file of a record has its proof", async () => {
  await using fixture = await recordFixture();
  const { hash, cookie } = await fixture.holder();
  await fixture.site.services.jobs.run("log");
  const response = await fixture.fetch("/my-record/download.json", { cookie });
  const saved = parseSavedChain(await response.text());
  if (!saved.ok) throw new Error(saved.message);
  const { log_proof, events } = saved.chain;
  const finding = await checkLog({
    origin: ORIGIN,
    statements: chainStatements(hash, events as LinkedEvent[]),
    proof: log_proof,
    trust: {
      policy: parsePolicy(await fixture.site.services.logFiles.policy()),
      memory: createMemory(),
    },
    asOf: fixture.site.services.clock(),
    now: fixture.site.services.clock(),
  });
  assertEquals([finding.fault, finding.logged], [null, events.length]);
});

Deno.test("MCP's verify_chain returns the proof, and says that its sentence is the server's statement", async () => {
  await using site = await createSite();
  const { chains, jobs } = site.services;
  await chains.start(HASH);
  await jobs.run("log");
  const response = await site.request("commercial-mcp", "/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "verify_chain", arguments: { record_hash: HASH } },
    }),
  });
  const { result } = await response.json();
  const { log, log_proof } = JSON.parse(result.content[0].text);
  assertStringIncludes(log, "Logged by ");
  assertStringIncludes(log, "This line is the server's own statement");
  const { events } = (await chains.page(HASH))!;
  assertEquals((await check(site, log_proof, events)).logged, 1);
});
