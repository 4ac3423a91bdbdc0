import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import {
  ChainReadError,
  createMemory,
  documentEntry,
  formatVerifierKey,
} from "../../../../packages/proof/mod.ts";
import { SALT, smallLog, testKeys } from "../../../../packages/proof/testing/small_log.ts";
import { checkCommand } from "./check_command.ts";

const SHA256 = "ab".repeat(32);
const MATCH = {
  state: "current",
  since: "2026-03-01T10:00:00.000Z",
  form: "issued",
  issuer: "Attest Systems",
  version: 2,
  registered_at: "2026-03-01T10:00:00.000Z",
  first_registered_at: "2026-03-01T10:00:00.000Z",
  url: "https://trust.example/d/7K3M9Q2XB4TW01RA",
} as const;
const REPORT = {
  state: "current",
  issuer: "Attest Systems",
  sha256: SHA256,
  matches: [MATCH],
  more_issuers: 0,
};

/** Runs the command with one file and a server with one response, which serves no log. */
async function run(
  response: Response | Error,
  args = ["a.pdf", "--at", "https://trust.example/x"],
  { keys = [] as string[] } = {},
) {
  const lines: string[] = [];
  const memory = createMemory();
  if (keys.length > 0) await memory.write("trust.example/log", { checkpoint: null, keys });
  const requests: [url: string, body: unknown][] = [];
  const exit = await checkCommand(args, {
    fetch: (input, init) => {
      if (new URL(String(input)).pathname.startsWith("/log/")) {
        return Promise.resolve(new Response("", { status: 404 }));
      }
      requests.push([String(input), init?.body]);
      return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
    },
    hashFile: (path) =>
      path.endsWith(".pdf")
        ? Promise.resolve({ sha256: SHA256, size: path === "empty.pdf" ? 0 : 9 })
        : Promise.reject(new Deno.errors.NotFound()),
    print: (line) => lines.push(line),
    readFile: (path) => Promise.reject(new ChainReadError("not_found", path)),
    writeFile: () => Promise.resolve(true),
    clock: () => Date.parse("2026-03-01T10:05:00Z"),
    memory,
    policyFile: "log-policy",
    trustUrl: "http://trust.localhost:8000",
  });
  return { exit, text: lines.join("\n"), requests };
}

Deno.test("a current match exits with 0, and only the hash is sent", async () => {
  const { exit, text, requests } = await run(Response.json(REPORT));
  assertEquals(exit, 0);
  assertEquals(requests, [[`https://trust.example/check?sha256=${SHA256}`, undefined]]);
  assertStringIncludes(text, "Matches a current document.");
  assertStringIncludes(text, "version   2, registered 1 Mar 2026 (the issued copy)");
  assertStringIncludes(text, "It does not prove that what the document says is true");
  assertStringIncludes(text, "The result is that of Attest Systems.");
  const local = await run(Response.json(REPORT), ["a.pdf"]);
  assertStringIncludes(local.requests[0][0], "http://trust.localhost:8000/check?");
});

Deno.test("an older, an expired and a withdrawn version, and an unknown file, exit with 1", async () => {
  const newest = { version: 3, registered_at: "2026-04-01T10:00:00.000Z", state: "current" };
  for (const state of ["replaced", "expired", "withdrawn"] as const) {
    const match = { ...MATCH, state, since: "2026-04-01T10:00:00.000Z", newest };
    const { exit, text } = await run(Response.json({ ...REPORT, state, matches: [match] }));
    assertEquals(exit, 1);
    assertStringIncludes(text, `${state.padEnd(9)} 1 Apr 2026`);
    assertStringIncludes(text, "newest    version 3, registered 1 Apr 2026, current");
  }
  const unknown = { ...REPORT, state: "not_registered", matches: [] };
  const { exit, text } = await run(Response.json(unknown));
  assertEquals(exit, 1);
  assertStringIncludes(text, "No published match at https://trust.example.");
  assertStringIncludes(text, "its hash may not be confirmed to everyone");
  assertStringIncludes(text, "This says nothing about forgery");
});

Deno.test("of several organisations, the first one decides, or the one that --issuer names", async () => {
  const verified = "2026-02-20T08:00:00.000Z";
  const harbour = {
    ...MATCH,
    issuer: "Harbour College",
    issuer_domain: "xn--hrbour-iua.example",
    issuer_domain_verified_at: verified,
  };
  const beta = {
    ...MATCH,
    state: "withdrawn",
    issuer: "Beta College",
    issuer_domain: "beta.example",
    issuer_domain_verified_at: verified,
    reason: "Forged",
  };
  const lost = { ...MATCH, issuer_domain: "lost.example", issuer_domain_verified_at: null };
  const check =
    (matches: { state: string; issuer: string }[], more_issuers = 0) => (...args: string[]) =>
      run(
        Response.json({ ...matches[0], sha256: SHA256, matches, more_issuers }),
        ["a.pdf", "--at", "https://trust.example", ...args],
      );
  const genuine = check([harbour, beta, lost], 31);
  const { exit, text } = await genuine();
  assertEquals(exit, 0);
  assertStringIncludes(text, "34 organisations have registered this file.");
  assertStringIncludes(
    text,
    "issuer    Harbour College (xn--hrbour-iua.example, verified 20 Feb 2026)",
  );
  assertStringIncludes(text, "first     registered it on 1 Mar 2026");
  assertStringIncludes(text, "And 31 more organisations.");
  assertStringIncludes(text, "only the organisation that issued a document can withdraw it");
  assertStringIncludes(
    text,
    "The result is that of Harbour College (xn--hrbour-iua.example, verified 20 Feb 2026), which " +
      "registered the file first.",
  );
  assertEquals((await genuine("--issuer", "hårbour.example")).exit, 0);
  assertEquals((await genuine("--issuer", "hårbour.example.")).exit, 0);
  assertEquals((await genuine("--issuer", "beta.example")).exit, 1);
  const other = await genuine("--issuer", "lost.example");
  assertEquals(other.exit, 1);
  assertStringIncludes(
    other.text,
    "No organisation with the verified domain lost.example is among those that registered this file",
  );

  const copied = check([beta, harbour]);
  assertEquals((await copied()).exit, 1);
  assertEquals((await copied("--issuer", "HÅRBOUR.example")).exit, 0);
});

Deno.test("the text of one of the publisher's pages matches", async () => {
  const match = { ...MATCH, form: "text" } as const;
  const { exit, text } = await run(Response.json({ ...REPORT, matches: [match] }));
  assertEquals(exit, 0);
  assertStringIncludes(text, "(the text of a page)");
});

Deno.test("a file that cannot be checked exits with 2", async () => {
  const cases: [response: Response | Error, args: string[] | undefined, reason: string][] = [
    [Response.json(REPORT), ["missing"], "missing cannot be read"],
    [Response.json(REPORT), ["empty.pdf"], "empty.pdf is empty"],
    [new TypeError("no network"), undefined, "could not be reached"],
    [new Response("", { status: 404 }), undefined, "returned status 404"],
    [new Response("", { status: 429, headers: { "retry-after": "7" } }), undefined, "in 7 seconds"],
    [new Response("", { status: 429, headers: { "retry-after": "1" } }), undefined, "in 1 second."],
    [new Response("<html>"), undefined, "did not return the result of a check"],
    [Response.json({ ...REPORT, sha256: "cd".repeat(32) }), undefined, "did not return the result"],
    [new Response("x".repeat(1_000_000)), undefined, "did not return the result"],
  ];
  for (const [response, args, reason] of cases) {
    const { exit, text } = await run(response, args);
    assertEquals(exit, 2, reason);
    assertStringIncludes(text, reason);
    assertStringIncludes(text, "This says nothing about the file.");
  }
});

Deno.test("incorrect usage exits with 2 and sends nothing", async () => {
  const usages = [
    [],
    ["a.pdf", "b.pdf"],
    ["a.pdf", "--at", "trust"],
    ["a.pdf", "--on", "x"],
    ["a.pdf", "--issuer", "harbour"],
  ];
  for (const args of usages) {
    const { exit, text, requests } = await run(new Error(), args);
    assertEquals([exit, requests], [2, []]);
    assertStringIncludes(text, "Usage: deno task check-document <file>");
  }
});

Deno.test("text of the server cannot control the terminal", async () => {
  const match = { ...MATCH, title: "a\u001b[2J\nMatches a current document." };
  const { text } = await run(Response.json({ ...REPORT, matches: [match] }));
  assertFalse(text.includes("\u001b"));
  assertStringIncludes(text, "title     a[2J Matches a current document.");
});

Deno.test("a match says what the public log has of the version, and fails with --require-log if it has nothing", async () => {
  const keys = await testKeys();
  const [original, issued, id] = ["1".repeat(64), SHA256, "7K3M9Q2XB4TW01RA"];
  const statement = { n: 1, version: 2, state: "registered", original, issued } as const;
  const log = smallLog([documentEntry({ ...statement, id, salt: SALT })], keys);
  const checkpoint = await log.checkpoint({ time: Date.UTC(2026, 2, 1, 10, 1) / 1000 });
  const { version: _, ...stated } = statement;
  const logged = { ...stated, at: MATCH.since, log_proof: await log.proof(0, checkpoint) };
  const reportWith = (statements: unknown[]) =>
    Response.json({ ...REPORT, matches: [{ ...MATCH, log: { id, statements } }] });

  const stranger = await run(reportWith([logged]));
  assertStringIncludes(stranger.text, "Not checked: no key that is known here has signed the log");
  assertEquals(stranger.exit, 0);
  const offline = (statements: unknown[], ...options: string[]) =>
    run(reportWith(statements), ["a.pdf", "--at", "https://trust.example", ...options], {
      keys: [formatVerifierKey(keys.log.key)],
    });
  const known = await offline([logged]);
  assertStringIncludes(known.text, "  public log   In the publisher's log; nobody independent has");
  assertEquals(known.exit, 0);
  const other = await offline([{ ...logged, issued: null }]);
  assertStringIncludes(other.text, "  public log   Not in the public log yet.");
  const late = [{ ...logged, at: "2026-01-01T00:00:00.000Z", log_proof: undefined }];
  const missing = await offline(late, "--require-log");
  assertStringIncludes(missing.text, "WARNING: Not in the log.");
  assertEquals([missing.exit, (await offline(late)).exit], [1, 0]);
});
