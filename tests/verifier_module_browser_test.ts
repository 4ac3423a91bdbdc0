import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import {
  integrityOf,
  LICENCES_FILE,
  releasePath,
  RELEASES,
  TYPES_FILE,
  VERIFIER_FILE,
} from "../packages/proof/release/mod.ts";
import { servedSite } from "./served_site.ts";
import { createSite, serve } from "./site.ts";

const HASH = "c".repeat(64);
const [newest] = RELEASES;
const PATH = releasePath(newest.version, VERIFIER_FILE);

/** The page of somebody else. */
const elsewhere = serve((req) => {
  const page = pages[new URL(req.url).pathname];
  return new Response(page?.body, {
    status: page ? 200 : 404,
    headers: {
      "content-type": page?.type ?? "text/plain",
      "content-security-policy": `default-src 'self' 'unsafe-inline' ${FOUNDATION} ${API} ${TRUST}`,
    },
  });
});
const pages: Record<string, { body: string; type: string }> = {};
const { site, browser } = await servedSite();
Deno.test.afterAll(() => elsewhere[Symbol.asyncDispose]());

const addressOf = (name: "foundation" | "api" | "trust") => site.services.surfaces.url(name)!;
const [FOUNDATION, API, TRUST] = (["foundation", "api", "trust"] as const).map(addressOf);

/** The blocks of code in the guide, as its readers see them. */
const guide = await (await site.request("foundation", "/verifier")).text();
const blocks = Array.from(
  guide.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g),
  ([, code]) =>
    code.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
);
const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;

/** A record in the log, and the example for it: with its hash, and with the witness that has countersigned it. */
const { chains, jobs } = site.services;
await chains.start(HASH);
await chains.append(HASH, "email_confirmed");
await jobs.run("log");
const suggested = await (await site.request("trust", "/log/policy")).text();
const [, witness] = /^witness \S+ (\S+)/m.exec(suggested)!;
const EXAMPLE = blockWith("await verifyRecord({\n")
  .replaceAll("<hash>", HASH)
  .replace(/witness\.example\+\S+/, witness);

/** The lines that the example prints. */
const PRINTED = /^true 2 Logged by \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC, countersigned by other\.$/;

/** Runs a program in a folder with the module, the example and what each runtime must do before. */
async function run(command: string, args: string[], names: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const local = EXAMPLE.replace(FOUNDATION + PATH, "./verifier.mjs");
    assert(local !== EXAMPLE);
    const code = await (await site.request("foundation", PATH)).text();
    await Promise.all([
      Deno.writeTextFile(join(folder, "verifier.mjs"), code),
      Deno.writeTextFile(join(folder, "example.mjs"), local),
      Deno.writeTextFile(join(folder, "names.mjs"), names),
    ]);
    const { stdout, stderr } = await new Deno.Command(command, {
      args,
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    return decoder.decode(stdout).trim() || decoder.decode(stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Names below `.localhost` are this machine, but neither Node nor Deno knows that. */
const NAMES = `import dns from "node:dns";
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith(".localhost") ? "127.0.0.1" : name, ...rest);
`;
const DENO_NAMES = `import { createLocalFetch } from "${
  import.meta.resolve("../lib/platform/http/local_fetch.ts")
}";
globalThis.fetch = createLocalFetch();
`;

Deno.test("the example has ten lines, and the guide the hashes of the newest version and links that lead somewhere", async () => {
  assertEquals(EXAMPLE.trimEnd().split("\n").length, 10);
  assert(blockWith("sha256sum").includes(newest.sha256[VERIFIER_FILE]));
  assert(guide.includes(`<code>${newest.sha256[TYPES_FILE]}`));
  const article = guide.slice(guide.indexOf("<article"), guide.indexOf("</article>"));
  for (const [, path] of article.matchAll(new RegExp(` href="${FOUNDATION}(/[^"#]*)"`, "g"))) {
    const { status, body } = await site.request("foundation", path);
    await body?.cancel();
    assertEquals([path, status], [path, 200]);
  }
  assertEquals(article.match(/\b(foundation|api|trust)\.example\b|&lt;(integrity|sha256)/g), null);
});

browser.test("the example verifies a record in a page of another origin", {}, async (page) => {
  const scripts = blockWith("importmap");
  assert(scripts.includes(integrityOf(newest, VERIFIER_FILE)));
  Object.assign(pages, {
    "/": { type: "text/html", body: `<!doctype html><title>Elsewhere</title>${scripts}` },
    "/check-record.js": { type: "text/javascript", body: EXAMPLE },
  });
  const [printed] = await Promise.all([
    page.waitForEvent("console"),
    page.goto(`http://127.0.0.1:${elsewhere.port}/`),
  ]);
  assertMatch(printed.text(), PRINTED);
  const globals = await page.evaluate(() =>
    Object.keys(globalThis).filter((name) => /zod/.test(name))
  );
  assertEquals(globals, []);
});

browser.test("a page with the integrity of another file does not run the module", {
  expectedErrors: [/integrity/],
}, async (page) => {
  const scripts = blockWith("importmap")
    .replace(integrityOf(newest, VERIFIER_FILE), integrityOf(newest, TYPES_FILE));
  Object.assign(pages, {
    "/": { type: "text/html", body: `<!doctype html><title>Elsewhere</title>${scripts}` },
    "/check-record.js": { type: "text/javascript", body: EXAMPLE },
  });
  const [printed] = await Promise.all([
    page.waitForEvent("console"),
    page.goto(`http://127.0.0.1:${elsewhere.port}/`),
  ]);
  assertMatch(printed.text(), /integrity/);
});

Deno.test("the verifier's guide is linked where people verify, and where they read about programs", async () => {
  const places = [
    ["trust", "/verify", `${FOUNDATION}/verifier`],
    ["foundation", "/verify", "/verifier"],
    ["foundation", "/implementations", "/verifier"],
    ["api", "/docs", `${FOUNDATION}/verifier`],
    ["api", "/", `${FOUNDATION}/verifier`],
  ] as const;
  for (const [surface, path, href] of places) {
    const html = await (await site.request(surface, path)).text();
    assert(html.includes(`href="${href}"`), `${surface} ${path}`);
  }
});

const hasNode = await new Deno.Command("node", { args: ["--version"] }).output()
  .then(() => true, () => false);

Deno.test({
  name: `the example verifies a record in Node${
    hasNode ? "" : ": skipped, because node is missing"
  }`,
  ignore: !hasNode,
  async fn() {
    assertMatch(await run("node", ["--import", "./names.mjs", "example.mjs"], NAMES), PRINTED);
  },
});

Deno.test("the example verifies a record in Deno, with no permission but for the network", async () => {
  const args = ["run", "--no-lock", "--allow-net", "--preload=names.mjs", "example.mjs"];
  assertMatch(await run(Deno.execPath(), args, DENO_NAMES), PRINTED);
});

Deno.test("a version is served to any origin for ever, with its types and without a session", async () => {
  const headers = { origin: "https://other.example", cookie: "record_session=1; app_session=2" };
  const types = [
    [VERIFIER_FILE, "text/javascript"],
    [TYPES_FILE, "application/typescript"],
    [LICENCES_FILE, "text/plain"],
  ];
  assertEquals(Object.keys(newest.sha256), types.map(([file]) => file));
  for (const [file, type] of types) {
    const path = releasePath(newest.version, file);
    const response = await site.request("foundation", path, { headers });
    const digest = await crypto.subtle.digest("SHA-256", await response.bytes());
    assertEquals(new Uint8Array(digest).toHex(), newest.sha256[file]);
    assertEquals(response.headers.get("content-type"), `${type}; charset=utf-8`);
    assertEquals(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("set-cookie"), null);
  }
  const precompressed = new Map([[PATH, { br: Uint8Array.of(1) }]]);
  await using built = await createSite({}, { precompressed });
  const compressed = await built.request("foundation", PATH, {
    headers: { "accept-encoding": "br" },
  });
  assertEquals([compressed.headers.get("content-encoding"), compressed.headers.get("vary")], [
    "br",
    "Accept-Encoding",
  ]);
  await compressed.body?.cancel();
  for (const path of ["/verifier/0.0.1/verifier.js", `/verifier/${newest.version}/other.js`]) {
    const missing = await site.request("foundation", path);
    await missing.body?.cancel();
    assertEquals([missing.status, missing.headers.get("cache-control")], [404, "no-store"]);
  }
  const { versions } = await (await site.request("foundation", "/verifier/versions.json")).json();
  const [{ version, files: [{ url, integrity }] }] = versions;
  assertEquals([version, url, integrity], [
    newest.version,
    FOUNDATION + PATH,
    integrityOf(newest, VERIFIER_FILE),
  ]);
});
