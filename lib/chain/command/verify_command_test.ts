import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { linkEvent } from "../mod.ts";
import {
  ChainReadError,
  formatSavedChain,
  parseSavedChain,
  type SavedChain,
} from "../reader/mod.ts";
import { makeSavedChain, serverOf } from "../reader/testing.ts";
import { verifyCommand } from "./verify_command.ts";

const saved = await makeSavedChain({ length: 130 });
const { hash, publisher } = saved;
const CHAIN = `https://api.example/api/chain/${hash}`;
const PAGE = `https://${publisher}/verify?hash=${hash}`;

/** Runs the command against a server of a chain, with a folder of files. */
async function run(
  args: string[],
  { chain = saved, files = {}, fetch }: {
    chain?: SavedChain;
    files?: Record<string, string>;
    fetch?: typeof globalThis.fetch;
  } = {},
) {
  const lines: string[] = [];
  const written: Record<string, string> = {};
  const server = serverOf(chain);
  const exit = await verifyCommand(args, {
    fetch: fetch ?? ((input, init) => {
      const { pathname } = new URL(String(input));
      return pathname === "/verify"
        ? Promise.resolve(Response.json({ chain_url: CHAIN }))
        : server.fetch(input, init);
    }),
    readFile: (path) =>
      path in files
        ? Promise.resolve(files[path])
        : Promise.reject(new ChainReadError("not_found", `${path} is not here.`)),
    writeFile: (path, text) => {
      if (path.startsWith("/")) return Promise.resolve(false);
      written[path] = text;
      return Promise.resolve(true);
    },
    print: (line) => lines.push(line),
  });
  return { exit, text: lines.join("\n"), written, asked: server.asked };
}

const offline: typeof fetch = () => Promise.reject(new TypeError("no network"));

Deno.test("the address of a chain is verified, and what rests on its own word is said", async () => {
  const { exit, text, asked } = await run([CHAIN]);
  assertEquals(exit, 0, text);
  assertStringIncludes(text, "Verified: 130 events, all of them covered by the signed head.");
  assertStringIncludes(text, `${hash}  (from the address)`);
  assertStringIncludes(text, `${publisher}  (from the chain itself)`);
  assertStringIncludes(text, `(from https://${publisher}/.well-known/chain-keys.json)`);
  assertStringIncludes(text, "Note: The publisher is the word of the chain itself");
  assertEquals(asked.length, 3);
});

Deno.test("the address of a chain's page leads to the chain, and names the publisher", async () => {
  const { exit, text } = await run([PAGE]);
  assertEquals(exit, 0, text);
  assertStringIncludes(text, `${publisher}  (from the address)`);
  assertEquals((await run([PAGE.replace(hash, hash.toUpperCase())])).exit, 0);
  const elsewhere = await run([PAGE.replace(publisher, "other.example")]);
  assertEquals(elsewhere.exit, 1);
  assertStringIncludes(elsewhere.text, `Not verified: bad_origin: the head is of ${publisher}/`);
});

Deno.test("with hash and publisher from elsewhere there is nothing left to note", async () => {
  const { exit, text } = await run([CHAIN, "--hash", hash.toUpperCase(), "--publisher", publisher]);
  assertEquals(exit, 0, text);
  assert(!text.includes("Note"), text);
  const wrong = await run([CHAIN, "--hash", "d".repeat(64)]);
  assertEquals(wrong.exit, 1);
  assertStringIncludes(wrong.text, "Not verified: event 0: bad_prev");
});

Deno.test("what is kept with --save verifies as a file, with the publisher's keys or its own", async () => {
  const { written } = await run([CHAIN, "--save", "chain.json"]);
  const kept = parseSavedChain(written["chain.json"]);
  assertEquals(kept, { ok: true, chain: saved });
  const asked = await run(["chain.json"], { files: written });
  assertEquals(asked.exit, 0, asked.text);
  assertEquals(asked.asked, ["/.well-known/chain-keys.json"]);
  assertStringIncludes(asked.text, "Note: The record hash is the file's own");
  assertStringIncludes(asked.text, "Note: The publisher is the word of the file");

  const alone = await run(["chain.json", "--offline"], { files: written, fetch: offline });
  assertEquals(alone.exit, 0, alone.text);
  assertStringIncludes(alone.text, "Consistent in itself: 130 events");
  assertStringIncludes(alone.text, "Note: The keys are the file's own");

  const keys = JSON.stringify({ keys: saved.keys });
  const copy = await run(["chain.json", "--keys", "keys.json"], {
    files: { ...written, "keys.json": keys },
    fetch: offline,
  });
  assertEquals(copy.exit, 0, copy.text);
  assert(!copy.text.includes("The keys are"), copy.text);
  for (const other of ["{}", "no JSON"]) {
    const unknown = await run(["chain.json", "--keys", "keys.json"], {
      files: { ...written, "keys.json": other },
    });
    assertStringIncludes(unknown.text, "unknown_key");
  }
});

Deno.test("a file whose maker signed it anew does not pass with the publisher's own keys", async () => {
  const forged = await makeSavedChain({ length: 3 });
  const files = { "forged.json": formatSavedChain(forged) };
  assertEquals((await run(["forged.json", "--offline"], { files })).exit, 0);
  const asked = await run(["forged.json"], { files });
  assertEquals(asked.exit, 1);
  assertStringIncludes(asked.text, "Not verified: unknown_key");
});

Deno.test("the first bad event is named, in what a server gives and in a file", async () => {
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
  assertStringIncludes(none.text, "Not verified: bad_input: the file is no saved chain");
});

Deno.test("without the publisher's keys the events are checked, and nobody is told that all is well", async () => {
  const noKeys: typeof fetch = (input, init) =>
    String(input).includes("well-known") ? offline(input) : serverOf(saved).fetch(input, init);
  const intact = await run([CHAIN], { fetch: noKeys });
  assertEquals(intact.exit, 2);
  assertStringIncludes(intact.text, "No answer came from https://trust.example/");
  assertStringIncludes(intact.text, "The 130 events are intact as far as they go");

  const chain = { ...saved, events: saved.events.toSpliced(7, 1) };
  const files = { "a.json": formatSavedChain(chain) };
  const broken = await run(["a.json"], { files, fetch: offline });
  assertEquals(broken.exit, 1);
  assertStringIncludes(broken.text, "event 7: bad_seq");
});

Deno.test("what cannot be read, and what is not asked properly, exits with 2", async () => {
  const codes = async (...args: string[]) => (await run(args)).exit;
  assertEquals(await codes(), 2);
  assertEquals(await codes("a", "b"), 2);
  assertEquals(await codes(CHAIN, "--hash", "abc"), 2);
  assertEquals(await codes(CHAIN, "--publisher", "https://trust.example"), 2);
  assertEquals(await codes(CHAIN, "--unknown"), 2);
  assertEquals(await codes("missing.json"), 2);
  assertEquals(await codes(CHAIN.replace("c", "d")), 2);
  assertEquals(await codes("https://trust.example/terms"), 2);
  assertEquals(await codes(CHAIN, "--offline"), 2);
  assertEquals(await codes(CHAIN, "--save", "/not/here"), 2);
  const astray = await run([PAGE], {
    fetch: () => Promise.resolve(Response.json({ chain_url: "file:///etc/passwd" })),
  });
  assertEquals(astray.exit, 2);
});

Deno.test("what a server wrote moves nobody's cursor", async () => {
  const event = { ...saved.events[0] as object, "\u001b[2Jnote\u202e": 1 };
  const { text } = await run([CHAIN], { chain: { ...saved, events: [event] } });
  assertStringIncludes(text, "event 0: bad_event");
  // deno-lint-ignore no-control-regex
  assert(!/[\u001b\u202e]/.test(text), JSON.stringify(text));
});
