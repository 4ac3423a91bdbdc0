import { assert, assertEquals } from "@std/assert";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const world = await createBankSite();
const split = await createBankSite(
  { FOUNDATION_ACCOUNT_ID: world.bank.foundationAccountId },
  { bank: world.bank, time: world.time },
);
Deno.test.afterAll(async () => {
  await split[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const START = [
  "/console",
  "/console/finance",
  "/console/surfaces",
  "/api/bank/summary",
  "/api/bank/accounts",
];
const LINK = /(?:href|src|action|data-[\w-]+)="(\/[^"]*)"|["'](\.{0,2}\/[^"'\s]*\.js[^"'\s]*)["']/g;

/**
 * Everything that a person can reach from the console's pages: what they link to, load and name as
 * a source of data, the scripts' own imports included. Of links that differ in the values of their
 * query alone, one.
 *
 * @returns what was answered, headers included, by address
 */
async function reach(of: BankSite, surface: SurfaceName, email: string) {
  const cookie = await of.signIn(email, surface);
  const { accounts } = await of.site.services
    .treasuries[surface === "foundation-console" ? "foundation" : "commercial"].accounts();
  const ledgers = accounts.map(({ id }) => `/api/bank/transactions?account_id=${id}&limit=500`);
  const pages = accounts.map(({ id }) => `/console/finance/${id}`);
  const answers = new Map<string, string>();
  const queue = [...START, ...ledgers, ...pages];
  const seen = new Set<string>();
  for (let path: string | undefined; (path = queue.shift()) !== undefined;) {
    const url = new URL(path, of.site.services.surfaces.url(surface)!);
    // Each account's answers are its own.
    const values = [...url.searchParams].map(([name, value]) => /id$/.test(name) ? value : name);
    const kind = [url.pathname, ...values].join(" ");
    if (seen.has(kind)) continue;
    seen.add(kind);
    const response = await of.ask(surface, url.pathname + url.search, cookie);
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    answers.set(path, JSON.stringify([...response.headers]) + text);
    if (!/html|javascript/.test(type)) continue;
    for (const [, link, script] of text.matchAll(LINK)) {
      const next = new URL((link ?? script).replaceAll("&amp;", "&"), url);
      queue.push(next.pathname + next.search);
    }
  }
  return answers;
}

async function secretsOf({ bank }: BankSite) {
  const numbers = bank.secretNumbers;
  assert(numbers.length >= 17);
  for (const token of Object.values(bank.tokens)) {
    const response = await fetch(`${bank.baseUrl}/api/v1/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    assert(numbers.some((number) => text.includes(number)), "the scan would find nothing");
  }
  return [...numbers, ...Object.values(bank.tokens)];
}

const SETTINGS: [title: string, of: BankSite, surface: SurfaceName][] = [
  ["the foundation's console", world, "foundation-console"],
  ["the foundation's console after the split", split, "foundation-console"],
  ["the commercial console", world, "commercial-console"],
];

for (const [title, of, surface] of SETTINGS) {
  for (const email of [ADMIN, BOARD]) {
    Deno.test(`nothing on ${title} has a full number or a token in it, for ${email}`, async () => {
      const secrets = await secretsOf(of);
      const answers = await reach(of, surface, email);
      const scripts = [...answers.keys()].filter((path) => /\.js(\?|$)/.test(path));
      assert(scripts.length > 0, "no script was found");
      const all = [...answers.values()].join("\n");
      assert(all.includes("total_balance") && all.length > 50_000, `${all.length}`);
      if (email === ADMIN) assert(all.includes("last4"));
      for (const [path, text] of answers) {
        assertEquals(secrets.filter((secret) => text.includes(secret)), [], path);
        // Neither grouped nor under a name of its own.
        const bare = text.replaceAll(/(?<=\d)[ -](?=\d)/g, "");
        assertEquals(secrets.filter((secret) => bare.includes(secret)), [], path);
        assert(!/accountNumber|routing_?number/i.test(text), path);
      }
    });
  }
}

Deno.test("a board member's answers name no account and no movement", async () => {
  const { accounts } = await world.site.services.treasuries.commercial.accounts();
  const answers = await reach(world, "commercial-console", BOARD);
  for (const [path, text] of answers) {
    for (const { nickname, last4, id } of accounts) {
      if (path.includes(id)) continue;
      assert(!text.includes(id), `${path}: ${id}`);
      assert(!text.includes(`••${last4}`) && !text.includes(`"${last4}"`), `${path}: ${last4}`);
      if (/ /.test(nickname)) assert(!text.includes(nickname), `${path}: ${nickname}`);
    }
  }
});

Deno.test("neither the store nor the log has them", async () => {
  const lines: string[] = [];
  await using world = await createBankSite({}, {}, {
    log: (line) => lines.push(JSON.stringify(line)),
  });
  const secrets = await secretsOf(world);
  await reach(world, "commercial-console", ADMIN);
  world.bank.set({ response: "garbage" });
  await (await world.ask("commercial-console", "/api/bank/refresh", await world.signIn(ADMIN), {
    method: "POST",
  })).body?.cancel();
  const stored: unknown[] = [];
  for await (const { key, value } of world.site.services.kv.list({ prefix: [] })) {
    stored.push([key, value]);
  }
  const text = [
    ...lines,
    JSON.stringify(stored, (_, value) => typeof value === "bigint" ? `${value}` : value),
  ].join("\n");
  assert(text.includes("bank_cache"));
  assertEquals(secrets.filter((secret) => text.includes(secret)), []);
});
