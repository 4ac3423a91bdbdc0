import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importSigningKey } from "../lib/chain/mod.ts";
import { parseConfig } from "../lib/config.ts";
import { createSite, freePort, serve } from "./site.ts";

const HASH = "0123456789abcdef".repeat(4);

Deno.test("the page takes a hash as people paste it, and keeps one address for it", async () => {
  await using site = await createSite();
  await site.services.chains.start(HASH);
  const ask = (query: string) => site.request("trust", `/verify${query}`);
  const found = await ask(`?hash=${HASH}`);
  assertEquals(found.status, 200);
  assert(found.headers.get("vary")!.includes("Accept"));
  const html = await found.text();
  assertStringIncludes(html, "hash_generated");
  assertStringIncludes(
    html,
    `deno task verify &quot;http://trust.localhost:8000/verify?hash=${HASH}`,
  );
  assertStringIncludes(html, `<meta name="robots" content="noindex"`);
  for (
    const pasted of [
      HASH.toUpperCase(),
      ` ${HASH}\n`,
      HASH.match(/.{8}/g)!.join(" "),
      `http://trust.localhost:8000/verify?hash=${HASH}`,
      `https://api.example/api/chain/${HASH}?limit=5`,
      `Record\n${HASH}`,
    ]
  ) {
    const led = await ask(`?hash=${encodeURIComponent(pasted)}`);
    assertEquals([led.status, led.headers.get("location")], [302, `/verify?hash=${HASH}`], pasted);
  }
});

Deno.test("no hash, no such hash and none at all are told apart", async () => {
  await using site = await createSite();
  const ask = async (query: string) => {
    const response = await site.request("trust", `/verify${query}`);
    return [response.status, await response.text()] as const;
  };
  for (const query of ["", "?hash=", "?hash=%20"]) {
    const [status, html] = await ask(query);
    assertEquals(status, 200);
    assert(!html.includes("64 hexadecimal digits."));
  }
  for (const wrong of ["abc", HASH + "0", HASH.slice(1), "<script>"]) {
    const [status, html] = await ask(`?hash=${encodeURIComponent(wrong)}`);
    assertEquals(status, 400);
    assertStringIncludes(html, "hash has 64 hexadecimal digits.");
  }
  const [status, html] = await ask(`?hash=${HASH}`);
  assertEquals(status, 404);
  assertStringIncludes(html, "No chain of this record");
});

Deno.test("programs are told where the chain is, and whose it is", async () => {
  await using site = await createSite();
  await site.services.chains.start(HASH);
  const ask = (query: string) =>
    site.request("trust", `/verify${query}`, { headers: { accept: "application/json" } });
  assertEquals(await (await ask(`?hash=${HASH}`)).json(), {
    hash: HASH,
    publisher: "trust.localhost:8000",
    chain_url: `http://api.localhost:8000/api/chain/${HASH}`,
    keys_url: "http://trust.localhost:8000/.well-known/chain-keys.json",
  });
  for (const [query, status] of [[`?hash=${"d".repeat(64)}`, 404], ["?hash=x", 400], ["", 400]]) {
    const response = await ask(query as string);
    assertEquals(response.status, status);
    assertEquals(typeof (await response.json()).error, "string");
  }
});

Deno.test("without scripts the events are there, page after page", async () => {
  await using site = await createSite();
  await site.services.chains.start(HASH);
  for (let i = 1; i < 30; i++) await site.services.chains.append(HASH, "record_verified");
  const first = await (await site.request("trust", `/verify?hash=${HASH}`)).text();
  const older = `/verify?hash=${HASH}&amp;before=10`;
  assertStringIncludes(first, `<noscript>`);
  assertStringIncludes(first, older);
  const path = older.replace("&amp;", "&");
  const second = await (await site.request("trust", path)).text();
  assertStringIncludes(second, "hash_generated");
  assert(!second.includes("Older events"));
});

async function run(script: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--frozen", import.meta.resolve(script), ...args],
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
const verify = (...args: string[]) => run("../lib/chain/verify_main.ts", ...args);

Deno.test("the command verifies the site's own chain from a receipt's address, and what it kept of it", async () => {
  const port = freePort();
  await using site = await createSite({ PORT: String(port) });
  await using _server = serve(site.handler, port);
  await site.services.chains.start(HASH);
  for (let i = 1; i < 130; i++) await site.services.chains.append(HASH, "record_verified");
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/chain.json`;
    const page = `http://trust.localhost:${port}/verify?hash=${HASH}`;
    const read = await verify(page, "--save", file);
    assertEquals(read.code, 0, read.text);
    assertStringIncludes(read.text, "Verified: 130 events, all of them");
    assertStringIncludes(read.text, `trust.localhost:${port}  (from the address)`);

    const kept = await verify(file);
    assertEquals(kept.code, 0, kept.text);
    const nowhere = await verify(page, "--save", `${folder}/none/chain.json`);
    assertEquals([nowhere.code, nowhere.text.includes("Not kept")], [2, true], nowhere.text);

    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, "\ufeff" + text);
    assertEquals((await verify(file, "--offline")).code, 0, "an editor's byte order mark");
    const place = text.indexOf(`"seq":77`) + 30;
    const other = text[place] === "x" ? "y" : "x";
    await Deno.writeTextFile(file, text.slice(0, place) + other + text.slice(place + 1));
    const altered = await verify(file, "--offline");
    assertEquals(altered.code, 1, altered.text);
    assertStringIncludes(altered.text, "Not verified: event 77: bad_");

    assertEquals((await verify(page.replace(HASH, "d".repeat(64)))).code, 2);
    assertEquals((await verify(`${folder}/none.json`)).code, 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the command that makes a key prints one that signs, another each time", async () => {
  const made = [await run("../lib/chain/key_main.ts"), await run("../lib/chain/key_main.ts")];
  const kids = await Promise.all(made.map(async ({ code, text }) => {
    assertEquals([code, text.trim().split("\n").length], [0, 1]);
    const config = parseConfig({ CHAIN_SIGNING_KEY: text.trim() });
    return (await importSigningKey(config.chain.signingKey)).kid;
  }));
  assert(kids[0] !== kids[1]);
});
