import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openLogIo } from "../lib/app/commands/log_io.ts";
import { verifyCommand } from "../lib/app/commands/verify/verify_command.ts";
import { importSigningKey } from "../packages/proof/mod.ts";
import { parseConfig } from "../lib/app/config.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite } from "./site.ts";

const HASH = "0123456789abcdef".repeat(4);

Deno.test("GET /verify finds the hash in pasted text and redirects to the hash's URL", async () => {
  await using site = await createSite();
  await site.services.chains.start(HASH);
  const get = (query: string) => site.request("trust", `/verify${query}`);
  const found = await get(`?hash=${HASH}`);
  assertEquals(found.status, 200);
  assert(found.headers.get("vary")!.includes("Accept"));
  const html = await found.text();
  assertStringIncludes(html, "hash_generated");
  assertStringIncludes(
    html,
    `deno task verify &quot;http://trust.localhost:8000/verify?hash=${HASH}`,
  );
  assertStringIncludes(html, `<meta name="robots" content="noindex"`);
  const [, printed] = /<p class="printed-from">(.*?)<\/p>/.exec(html)!;
  assertMatch(
    printed,
    new RegExp(
      `^http://trust\\.localhost:8000/verify\\?hash=${HASH} · <time [^>]*>[^<]+ UTC</time>$`,
    ),
  );
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
    const response = await get(`?hash=${encodeURIComponent(pasted)}`);
    const location = response.headers.get("location");
    assertEquals([response.status, location], [302, `/verify?hash=${HASH}`], pasted);
  }
});

Deno.test("GET /verify returns 200 without a hash, 400 for other text and 404 for an unknown hash", async () => {
  await using site = await createSite();
  const get = async (query: string) => {
    const response = await site.request("trust", `/verify${query}`);
    return [response.status, await response.text()] as const;
  };
  for (const query of ["", "?hash=", "?hash=%20"]) {
    const [status, html] = await get(query);
    assertEquals(status, 200);
    assert(!html.includes("64 hexadecimal digits."));
  }
  for (const wrong of ["abc", HASH + "0", HASH.slice(1), "<script>"]) {
    const [status, html] = await get(`?hash=${encodeURIComponent(wrong)}`);
    assertEquals(status, 400);
    assertStringIncludes(html, "hash has 64 hexadecimal digits.");
  }
  const [status, html] = await get(`?hash=${HASH}`);
  assertEquals(status, 404);
  assertStringIncludes(html, "No chain for this record");
  assert(!html.includes("What your browser checks"), "stands between the form and the result");
  assertMatch(html, /href="http:\/\/commercial\.localhost:8000\/contact"[^>]*>Contact form</);
});

Deno.test("GET /verify returns JSON with the URLs of the chain and its keys", async () => {
  await using site = await createSite();
  await site.services.chains.start(HASH);
  const get = (query: string) =>
    site.request("trust", `/verify${query}`, { headers: { accept: "application/json" } });
  assertEquals(await (await get(`?hash=${HASH}`)).json(), {
    hash: HASH,
    publisher: "trust.localhost:8000",
    chain_url: `http://api.localhost:8000/api/chain/${HASH}`,
    keys_url: "http://trust.localhost:8000/.well-known/chain-keys.json",
  });
  for (const [query, status] of [[`?hash=${"d".repeat(64)}`, 404], ["?hash=x", 400], ["", 400]]) {
    const response = await get(query as string);
    assertEquals(response.status, status);
    assertEquals(typeof (await response.json()).error, "string");
  }
});

Deno.test("GET /verify shows the events page by page without JavaScript", async () => {
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
  const invalid = await site.request("trust", `/verify?hash=${HASH}&before=-1`);
  assertEquals(invalid.status, 200);
  assertStringIncludes(await invalid.text(), older);
});

async function run(script: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--quiet",
      "--frozen",
      "--lock=deno.lock",
      import.meta.resolve(script),
      ...args,
    ],
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("deno task verify verifies a chain by its page's URL, and the file that it saved", async () => {
  const verify = (...args: string[]) => run("../lib/app/commands/verify.ts", ...args);
  await using served = await serveOnFreePort(async ({ PORT }) => {
    const site = await createSite({ PORT });
    return { site, PORT, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  const { site, PORT: port } = served;
  await site.services.chains.start(HASH);
  for (let i = 1; i < 130; i++) await site.services.chains.append(HASH, "record_verified");
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/chain.json`;
    const page = `http://trust.localhost:${port}/verify?hash=${HASH}`;
    const read = await verify(page, "--save", file);
    assertEquals(read.code, 0, read.text);
    assertStringIncludes(read.text, "Verified: 130 events, all of them");
    assertStringIncludes(read.text, `trust.localhost:${port}  (from the URL)`);

    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, "\ufeff" + text);
    const place = text.indexOf(`"seq":77`) + 30;
    const other = text[place] === "x" ? "y" : "x";
    const altered = `${folder}/altered.json`;
    await Deno.writeTextFile(altered, text.slice(0, place) + other + text.slice(place + 1));
    for (
      const [expected, message, ...args] of [
        [0, "Verified: 130 events", file], // with a byte order mark, as some editors add
        [1, "Not verified: event 77: bad_", altered, "--offline"],
        [2, "Not saved", page, "--save", `${folder}/none/chain.json`],
        [2, "could not be read", `${folder}/none.json`],
      ] as const
    ) {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const code = await verifyCommand([...args], { ...openLogIo(), print });
      const result = { code, text: lines.join("\n") };
      assertEquals(result.code, expected, result.text);
      assertStringIncludes(result.text, message);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("deno task chain:key prints a different valid key each time", async () => {
  const keys = [
    await run("../lib/app/commands/chain_key.ts"),
    await run("../lib/app/commands/chain_key.ts"),
  ];
  const kids = await Promise.all(keys.map(async ({ code, text }) => {
    assertEquals([code, text.trim().split("\n").length], [0, 1]);
    const config = parseConfig({ CHAIN_SIGNING_KEY: text.trim() });
    return (await importSigningKey(config.chain.signingKey)).kid;
  }));
  assert(kids[0] !== kids[1]);
});
