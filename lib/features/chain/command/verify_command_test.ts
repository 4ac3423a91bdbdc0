import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { linkEvent } from "../hash.ts";
import { ChainReadError } from "../reader/read_json.ts";
import { formatSavedChain, parseSavedChain, type SavedChain } from "../reader/saved.ts";
import { HASH, makeSavedChain, PUBLISHER, serveChain } from "../testing/fixtures.ts";
import { verifyCommand } from "./verify_command.ts";

const CHAIN = `https://api.example/api/chain/${HASH}`;
const PAGE = `https://${PUBLISHER}/verify?hash=${HASH}`;

interface Setup {
  chain?: SavedChain;
  files?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
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

Deno.test("--hash and --publisher are compared with the chain, and leave no notes", async () => {
  const { exit, text } = await run([CHAIN, "--hash", HASH.toUpperCase(), "--publisher", PUBLISHER]);
  assertEquals(exit, 0, text);
  assert(!text.includes("Note"), text);
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
