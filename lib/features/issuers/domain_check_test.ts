import { assertEquals } from "@std/assert";
import { openHttpsServer } from "../../platform/http/testing/https_server.ts";
import { createDomainCheck, type DomainCheck, proofTextOf, withExamples } from "./domain_check.ts";

const DOMAIN = { name: "harbour.example", token: "0123456789abcdef0123456789abcdef" };
const PROOF = proofTextOf(DOMAIN);
const OTHER = proofTextOf({ token: "f".repeat(32) });
const NONE = () => Promise.reject(new Deno.errors.NotFound("no records found"));

/** Checks the domain with some records and a web server. Returns what was found, and what was asked for. */
async function check(
  resolveTxt: () => Promise<string[][]>,
  respond: (req: Request) => Response = () => new Response(null, { status: 404 }),
  addresses?: string[],
): Promise<DomainCheck & { asked: string[] }> {
  const asked: string[] = [];
  await using server = openHttpsServer((req) => {
    asked.push(req.url.replace(/:\d+\//, "/"));
    return respond(req);
  });
  const { network } = server;
  if (addresses !== undefined) network.addresses = addresses;
  const checkDomain = createDomainCheck({
    resolve: () => network.resolve("", new AbortController().signal),
    connect: (address) => network.connect(address, "localhost"), // the certificate's name
    deadline: () => network.deadline(0),
    resolveTxt: (name) => {
      asked.push(name);
      return resolveTxt();
    },
    resolves: () => Promise.resolve(true),
  });
  return { ...await checkDomain(DOMAIN), asked };
}

const records = (...values: string[][]) => () => Promise.resolve(values);
const file = (text: string) => () => new Response(text);
const RECORD = "_gatehouse.harbour.example";
const FILE = "https://harbour.example/.well-known/gatehouse-verification.txt";

Deno.test("a TXT record with the token is found, and no file is asked for", async () => {
  const found = { dns: "found", file: null, asked: [RECORD] } as const;
  assertEquals(await check(records([PROOF])), found);
  assertEquals(await check(records(["v=spf1 -all"], [OTHER], [PROOF])), found);
  // A record may consist of several strings, which belong together without spaces.
  assertEquals(await check(records([PROOF.slice(0, 20), PROOF.slice(20)])), found);
});

const WRONG: [what: string, values: string[][]][] = [
  ["the token of another domain", [[OTHER]]],
  ["the token in two records", [[PROOF.slice(0, 20)], [PROOF.slice(20)]]],
  ["a text that contains the token", [[`x ${PROOF}`], [`${PROOF}0`]]],
  ["the bare token", [[DOMAIN.token]]],
  ["the token in capitals", [[PROOF.toUpperCase()]]],
  ["the token after 100 others", [...Array.from({ length: 100 }, () => [OTHER]), [PROOF]]],
];
for (const [what, values] of WRONG) {
  Deno.test(`TXT records with ${what} prove nothing`, async () => {
    assertEquals(await check(records(...values)), {
      dns: "other",
      file: "absent",
      asked: [RECORD, FILE],
    });
  });
}

Deno.test("without a record, a file with a line of the token is found", async () => {
  const found = { dns: "absent", file: "found", asked: [RECORD, FILE] } as const;
  assertEquals(await check(NONE, file(PROOF)), found);
  assertEquals(await check(NONE, file(`# verification\r\n${OTHER}\r\n${PROOF}\r\n`)), found);
});

const NO_FILES: [what: string, outcome: DomainCheck["file"], respond: () => Response][] = [
  ["the token of another domain", "other", file(OTHER)],
  ["a page that repeats the token", "other", file(`<p>${PROOF}</p>`)],
  ["the token and status 404", "absent", () => new Response(PROOF, { status: 404 })],
  ["the token and status 206", "absent", () => new Response(PROOF, { status: 206 })],
  ["a redirect to a file", "redirect", () => Response.redirect("https://other.example/", 302)],
  ["5 KiB that end with the token", "too_long", file(`${"x\n".repeat(2_560)}${PROOF}`)],
  ["bytes that are no text", "no_answer", () => new Response(new Uint8Array([0xff, 0xfe]))],
];
for (const [what, outcome, respond] of NO_FILES) {
  Deno.test(`a file with ${what} proves nothing`, async () => {
    const { dns, file } = await check(NONE, respond);
    assertEquals([dns, file], ["absent", outcome]);
  });
}

Deno.test("a server with a private address is not connected to", async () => {
  for (const addresses of [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"]]) {
    const { file: outcome, asked } = await check(NONE, file(PROOF), addresses);
    assertEquals([outcome, asked], ["private_address", [RECORD]]);
  }
});

Deno.test("a domain without an address has no file", async () => {
  assertEquals((await check(NONE, file(PROOF), [])).file, "no_address");
});

Deno.test("name servers that do not respond are not mistaken for a missing record", async () => {
  const late = () => Promise.reject(new Deno.errors.TimedOut("request timed out"));
  assertEquals((await check(late)).dns, "no_answer");
  assertEquals((await check(records())).dns, "absent");
});

Deno.test("in development, domains of examples count as proved, except unverified ones, and others are looked up", async () => {
  const standIn = withExamples(() => Promise.resolve({ dns: "no_answer", file: "no_answer" }));
  const of = (name: string) => standIn({ name, token: "" });
  assertEquals(await of("harbour.example"), { dns: "found", file: null });
  assertEquals(await of("unverified.harbour.example"), { dns: "absent", file: "no_address" });
  assertEquals((await of("harbour.com")).dns, "no_answer");
  assertEquals((await of("example.com")).dns, "no_answer");
});
