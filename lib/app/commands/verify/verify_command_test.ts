import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  ChainReadError,
  createMemory,
  formatSavedChain,
  formatVerifierKey,
  isProof,
  type LinkedEvent,
  linkEvent,
  type LogMemory,
  parseSavedChain,
  type SavedChain,
} from "../../../../packages/proof/mod.ts";
import {
  HASH,
  makeSavedChain,
  PUBLISHER,
  serveChain,
} from "../../../features/chain/testing/fixtures.ts";
import { entriesOf, smallLog, testKeys } from "../../../../packages/proof/testing/small_log.ts";
import { verifyCommand } from "./verify_command.ts";

const CHAIN = `https://api.example/api/chain/${HASH}`;
const PAGE = `https://${PUBLISHER}/verify?hash=${HASH}`;

interface Setup {
  chain?: SavedChain;
  files?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
  memory?: LogMemory;
  /** Default: 1 March 2026, when the head of the chain was signed. */
  now?: number;
}

/** Runs the command with the given files and a server that has one chain, by default of 3 events. */
async function run(args: string[], setup: Setup = {}) {
  const lines: string[] = [];
  const written: Record<string, string> = {};
  const { files = {} } = setup;
  const server = serveChain(setup.chain ?? await makeSavedChain({ length: 3 }));
  const exit = await verifyCommand(args, {
    fetch: setup.fetch ?? ((input, init) => {
      const { pathname } = new URL(String(input));
      return pathname === "/verify"
        ? Promise.resolve(Response.json({ chain_url: CHAIN }))
        : server.fetch(input, init);
    }),
    readFile: (path) =>
      path in files
        ? Promise.resolve(files[path])
        : Promise.reject(new ChainReadError("not_found", `${path} does not exist.`)),
    writeFile: (path, text) => {
      if (path.startsWith("/")) return Promise.resolve(false);
      written[path] = text;
      return Promise.resolve(true);
    },
    print: (line) => lines.push(line),
    clock: () => setup.now ?? Date.parse("2026-03-01T00:05:00Z"),
    memory: setup.memory ?? createMemory(),
    policyFile: "log-policy",
  });
  return { exit, text: lines.join("\n"), written, requests: server.requests };
}

const noNetwork: typeof fetch = () => Promise.reject(new TypeError("no network"));

Deno.test("a chain is verified by its URL, with notes on values from the chain itself", async () => {
  const chain = await makeSavedChain({ length: 130 });
  const { exit, text, requests } = await run([CHAIN], { chain });
  assertEquals(exit, 0, text);
  assertStringIncludes(text, "Verified: 130 events, all of them covered by the signed head.");
  assertStringIncludes(text, `${HASH}  (from the URL)`);
  assertStringIncludes(text, `${PUBLISHER}  (from the chain itself)`);
  assertStringIncludes(text, `(from https://${PUBLISHER}/.well-known/chain-keys.json)`);
  assertStringIncludes(text, "Note: The publisher's name comes from the chain itself");
  assertEquals(requests.length, 3);
});

Deno.test("a page's URL determines the chain and the publisher", async () => {
  const { exit, text } = await run([PAGE]);
  assertEquals(exit, 0, text);
  assertStringIncludes(text, `${PUBLISHER}  (from the URL)`);
  assertEquals((await run([PAGE.replace(HASH, HASH.toUpperCase())])).exit, 0);
  const otherHost = await run([PAGE.replace(PUBLISHER, "other.example")]);
  assertEquals(otherHost.exit, 1);
  assertStringIncludes(
    otherHost.text,
    `Not verified: bad_origin: the origin of the head is ${PUBLISHER}/`,
  );
});

Deno.test("--hash and --publisher are compared with the chain, and leave no notes on their sources", async () => {
  const { exit, text } = await run([CHAIN, "--hash", HASH.toUpperCase(), "--publisher", PUBLISHER]);
  assertEquals(exit, 0, text);
  assert(!text.includes("comes from"), text);
  const wrong = await run([CHAIN, "--hash", "d".repeat(64)]);
  assertEquals(wrong.exit, 1);
  assertStringIncludes(wrong.text, "Not verified: event 0: bad_prev");
});

Deno.test("a chain saved with --save verifies with the publisher's keys, a copy of them or its own", async () => {
  const chain = await makeSavedChain({ length: 130 });
  const { written: files } = await run([CHAIN, "--save", "chain.json"], { chain });
  assertEquals(parseSavedChain(files["chain.json"]), { ok: true, chain });
  const online = await run(["chain.json"], { chain, files });
  assertEquals(online.exit, 0, online.text);
  assertEquals(online.requests, ["/.well-known/chain-keys.json"]);
  assertStringIncludes(online.text, "Note: The record hash comes from the file itself");
  assertStringIncludes(online.text, "Note: The publisher's name comes from the file");

  const offline = await run(["chain.json", "--offline"], { files, fetch: noNetwork });
  assertEquals(offline.exit, 0, offline.text);
  assertStringIncludes(offline.text, "Internally consistent: 130 events");
  assertStringIncludes(offline.text, "Note: The keys come from the file itself");

  const withKeys = (keys: string) =>
    run(["chain.json", "--keys", "keys.json"], {
      files: { ...files, "keys.json": keys },
      fetch: noNetwork,
    });
  const copy = await withKeys(JSON.stringify({ keys: chain.keys }));
  assertEquals(copy.exit, 0, copy.text);
  assert(!copy.text.includes("The keys come"), copy.text);
  for (const other of ["{}", "not JSON"]) {
    assertStringIncludes((await withKeys(other)).text, "unknown_key");
  }
});

Deno.test("a file signed with a forged key fails with the publisher's keys", async () => {
  const files = { "forged.json": formatSavedChain(await makeSavedChain({ length: 3 })) };
  assertEquals((await run(["forged.json", "--offline"], { files })).exit, 0);
  const online = await run(["forged.json"], { files });
  assertEquals(online.exit, 1);
  assertStringIncludes(online.text, "Not verified: unknown_key");
});

Deno.test("the first bad event is reported, for a server and for a file", async () => {
  const saved = await makeSavedChain({ length: 130 });
  const event = saved.events[42] as Parameters<typeof linkEvent>[1];
  const altered = { ...event, kind: "k2_delivered" as const };
  const chain = { ...saved, events: saved.events.with(42, altered) };
  const served = await run([CHAIN], { chain });
  assertEquals(served.exit, 1);
  assertStringIncludes(served.text, "Not verified: event 42: bad_hash");

  const text = formatSavedChain(saved);
  const place = text.indexOf(`"seq":42`) + 20;
  for (const byte of ['"', "\u0007", "~"]) {
    const broken = text.slice(0, place) + byte + text.slice(place + 1);
    const read = await run(["a.json", "--offline"], { files: { "a.json": broken } });
    assertEquals(read.exit, 1, read.text);
    assertStringIncludes(read.text, "Not verified: event 42: bad_event");
  }
  const none = await run(["a.json"], { files: { "a.json": "{}" } });
  assertEquals(none.exit, 1);
  assertStringIncludes(none.text, "Not verified: bad_input: the file is not a saved chain");
});

Deno.test("without the publisher's keys only the events are checked, and the chain is not verified", async () => {
  const saved = await makeSavedChain({ length: 130 });
  const noKeys: typeof fetch = (input, init) =>
    String(input).includes("well-known") ? noNetwork(input, init) : serveChain(saved).fetch(input);
  const intact = await run([CHAIN], { fetch: noKeys });
  assertEquals(intact.exit, 2);
  assertStringIncludes(
    intact.text,
    `https://${PUBLISHER}/.well-known/chain-keys.json could not be`,
  );
  assertStringIncludes(intact.text, "The hashes of 130 events are correct");

  const empty = { "empty.json": formatSavedChain({ ...saved, events: [] }) };
  const nothing = await run(["empty.json"], { files: empty, fetch: noNetwork });
  assertEquals(nothing.exit, 2);
  assertStringIncludes(nothing.text, "There are no events either, so nothing was verified.");

  const chain = { ...saved, events: saved.events.toSpliced(7, 1) };
  const files = { "a.json": formatSavedChain(chain) };
  const broken = await run(["a.json"], { files, fetch: noNetwork });
  assertEquals(broken.exit, 1);
  assertStringIncludes(broken.text, "event 7: bad_seq");
});

Deno.test("if a URL cannot be reached, the message ends with the reason", async () => {
  const failed = new TypeError("fetch failed", { cause: new Error("no network") });
  const { exit, text } = await run([CHAIN], { fetch: () => Promise.reject(failed) });
  assertEquals(exit, 2);
  assertEquals(
    text,
    `The chain could not be read: ${CHAIN}?limit=100 could not be reached. no network`,
  );
});

const UNUSABLE: string[][] = [
  [],
  ["a", "b"],
  [CHAIN, "--hash", "abc"],
  [CHAIN, "--publisher", "https://trust.example"],
  [CHAIN, "--unknown"],
  ["missing.json"],
  [CHAIN.replace(HASH, "d".repeat(64))],
  ["https://trust.example/terms"],
  [CHAIN, "--offline"],
  [CHAIN, "--save", "/not/here"],
];
Deno.test("incorrect usage, and a chain that cannot be read, exit with 2", async () => {
  for (const args of UNUSABLE) assertEquals((await run(args)).exit, 2, args.join(" "));
});

Deno.test("a chain_url is followed only over HTTP and HTTPS", async () => {
  const requests: string[] = [];
  const { exit } = await run([PAGE], {
    fetch: (input) => {
      requests.push(String(input));
      return Promise.resolve(Response.json({ chain_url: "file:///etc/passwd" }));
    },
  });
  assertEquals([exit, requests], [2, [PAGE]]);
});

Deno.test("control characters from a server are not printed", async () => {
  const saved = await makeSavedChain({ length: 3 });
  const event = { ...saved.events[0] as object, "\u001b[2Jnote\u202e": 1 };
  const { text } = await run([CHAIN], { chain: { ...saved, events: [event] } });
  assertStringIncludes(text, "event 0: bad_event");
  // deno-lint-ignore no-control-regex
  assert(!/[\u001b\u202e]/.test(text), JSON.stringify(text));
});

const logKeys = await testKeys();
/** When the witness has countersigned, in seconds. */
const TIME = Date.UTC(2026, 0, 1, 0, 1) / 1000;

/** Returns a chain of three events with a proof, and a `fetch` that serves it with its log. */
async function loggedChain(
  { keys = logKeys, proven = 3, first = HASH, countersigned = true } = {},
) {
  const chain = await makeSavedChain({ length: 3 });
  const entries = entriesOf(HASH, chain.events as LinkedEvent[]);
  const log = smallLog([...entriesOf(first, chain.events as LinkedEvent[], [1]), ...entries], keys);
  const checkpoint = await log.checkpoint({ time: TIME });
  const against = countersigned ? checkpoint : await log.checkpoint();
  const log_proof = proven === 0 ? undefined : await log.proof(proven, against);
  const server = serveChain(chain);
  const reader = log.reader(checkpoint);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname === "/log/checkpoint") return new Response(checkpoint);
    if (pathname === "/log/policy") return new Response(await reader.policy());
    const tile = /^\/log\/tile\/0\/000\.p\/(\d+)$/.exec(pathname);
    if (tile !== null) {
      const [bytes] = await reader.tiles([{ level: 0, index: 0, width: Number(tile[1]) }]);
      return new Response(Uint8Array.from(bytes));
    }
    if (pathname.startsWith("/log/")) return new Response("", { status: 404 });
    const response = await server.fetch(input, init);
    return pathname.includes("/api/chain/")
      ? Response.json({ ...await response.json(), log_proof })
      : response;
  };
  return { chain: { ...chain, log_proof }, fetch, checkpoint };
}

Deno.test("a chain in the log says since when and who has countersigned it, by the reader's policy", async () => {
  const { fetch } = await loggedChain();
  const policy = `witness Other ${formatVerifierKey(logKeys.witness.key)}\nquorum none\n`;
  const { exit, text } = await run([CHAIN, "--log-policy", "policy"], {
    fetch,
    files: { policy },
    now: TIME * 1000,
  });
  assertEquals(exit, 0, text);
  const { id } = logKeys.log.key;
  for (
    const line of [
      "  public log   Logged by 1 Jan 2026, 00:01 UTC, countersigned by Other.",
      `  log entry    3 of 4 in trust.example/log, signed by ${id}`,
      `Note: The key of the log is remembered from now on: trust.example/log+${id}+`,
    ]
  ) assertStringIncludes(text, line);
  const without = await run([CHAIN], { fetch });
  assertStringIncludes(
    without.text,
    "  public log   In the publisher's log; nobody independent has",
  );
  assertStringIncludes(without.text, "Note: No witness counts, because there is no policy");
  const broken: Record<string, string>[] = [{}, { policy: "witness" }];
  for (const files of broken) {
    assertEquals((await run([CHAIN, "--log-policy", "policy"], { fetch, files })).exit, 2);
  }
});

Deno.test("a chain that is not in the log is verified with a warning, and fails with --require-log", async () => {
  for (const proven of [0, 2]) {
    const { fetch } = await loggedChain({ proven });
    const warned = await run([CHAIN], { fetch });
    assertEquals(warned.exit, 0, warned.text);
    assertStringIncludes(
      warned.text,
      `WARNING: ${proven === 0 ? "Not in the log." : "1 event is missing in the log."}`,
    );
    assertEquals((await run([CHAIN, "--require-log"], { fetch })).exit, 1);
  }
  // A file is as old as its head.
  const { chain } = await loggedChain({ proven: 0 });
  const files = { "chain.json": formatSavedChain(chain) };
  const file = await run(["chain.json"], { chain, files, now: Date.UTC(2027, 0, 1) });
  assertStringIncludes(file.text, "WARNING: Not in the log.");
});

Deno.test("another key of the log fails until --accept-log-key, and a contradiction is saved with --evidence", async () => {
  const memory = createMemory();
  const { fetch } = await loggedChain();
  assertEquals((await run([CHAIN], { fetch, memory })).exit, 0);
  const other = await loggedChain({ keys: await testKeys() });
  const refused = await run([CHAIN], { fetch: other.fetch, memory });
  assertEquals(refused.exit, 1, refused.text);
  assertStringIncludes(refused.text, "run the command again with --accept-log-key");
  assertEquals((await run([CHAIN, "--accept-log-key"], { fetch: other.fetch, memory })).exit, 0);

  const again = createMemory();
  await run([CHAIN], { fetch, memory: again });
  const forged = await loggedChain({ first: "e".repeat(64) });
  const caught = await run([CHAIN, "--evidence", "evidence.json"], {
    fetch: forged.fetch,
    memory: again,
  });
  assertEquals(caught.exit, 1, caught.text);
  assertStringIncludes(caught.text, "signed two public logs that contradict each other");
  assert(isProof(JSON.parse(caught.written["evidence.json"])));
  assertStringIncludes(
    (await run([CHAIN], { fetch: forged.fetch, memory: again })).text,
    "--evidence",
  );
});

Deno.test("--save renews a proof that does not satisfy the policy, of a server's chain and of a file, whose other members stay", async () => {
  const { chain, fetch } = await loggedChain({ countersigned: false });
  const policy = `witness Other ${formatVerifierKey(logKeys.witness.key)}\nquorum Other\n`;
  const own = formatSavedChain(chain, { level: 3, registered_at: "2026-01-01T00:00:00.000Z" });
  const options = ["--log-policy", "policy", "--require-log"];
  const now = TIME * 1000;
  const offline = async (file: string) =>
    await run(["file", "--offline", ...options], {
      now,
      files: { policy, file },
      // The key of the log comes from an earlier check.
      memory: await seenKeys(),
    });
  async function seenKeys() {
    const memory = createMemory();
    await run([CHAIN, ...options], { fetch, now, memory, files: { policy } });
    return memory;
  }
  assertEquals((await offline(own)).exit, 1);
  for (const target of [CHAIN, "own"]) {
    const files = { policy, own };
    const hint = await run([target, ...options], { fetch, now, files });
    assertStringIncludes(hint.text, "Pass --save to get a file with a proof that does.");
    assertEquals([hint.exit, hint.written], [0, {}]);
    const { exit, written, text } = await run([target, ...options, "--save", "new"], {
      fetch,
      now,
      files,
    });
    assertEquals(exit, 0, text);
    assertStringIncludes(text, "new has a newer proof of the log, which satisfies your policy.");
    assertEquals((await offline(written.new)).exit, 0);
    const { log_proof: _, ...rest } = JSON.parse(written.new);
    const { log_proof: __, ...before } = JSON.parse(
      target === "own" ? own : formatSavedChain(chain),
    );
    assertEquals(rest, before);
  }
});
