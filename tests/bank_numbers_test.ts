import { assert, assertEquals } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const START = [
  "/console",
  "/console/finance",
  "/console/surfaces",
  "/api/bank/summary",
  "/api/bank/accounts",
];
const LINK = /(?:href|src|action|data-[\w-]+)="(\/[^"]*)"|["'](\.{0,2}\/[^"'\s]*\.js[^"'\s]*)["']/g;

/**
 * Crawls the console from its pages: links, loaded files, data sources and the scripts' imports.
 * Links that differ only in the values of their query are followed once.
 *
 * @returns each response by path, including headers
 */
async function crawl(fixture: BankSite, surface: SurfaceName, email: string) {
  const { accounts } = await fixture.site.services
    .treasuries[surface === "foundation-console" ? "foundation" : "commercial"].accounts();
  const ledgers = accounts.map(({ id }) => `/api/bank/transactions?account_id=${id}&limit=500`);
  const pages = accounts.map(({ id }) => `/console/finance/${id}`);
  const responses = new Map<string, string>();
  const queue = [...START, ...ledgers, ...pages];
  const seen = new Set<string>();
  for (let path: string | undefined; (path = queue.shift()) !== undefined;) {
    const url = new URL(path, fixture.site.services.surfaces.url(surface)!);
    // Account ids lead to different pages.
    const values = [...url.searchParams].map(([name, value]) => /id$/.test(name) ? value : name);
    const kind = [url.pathname, ...values].join(" ");
    if (seen.has(kind)) continue;
    seen.add(kind);
    const response = await fixture.request(surface, url.pathname + url.search, email);
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    responses.set(path, JSON.stringify([...response.headers]) + text);
    if (!/html|javascript/.test(type)) continue;
    for (const [, link, script] of text.matchAll(LINK)) {
      const next = new URL((link ?? script).replaceAll("&amp;", "&"), url);
      queue.push(next.pathname + next.search);
    }
  }
  return responses;
}

async function secretsOf({ bank }: BankSite) {
  const numbers = bank.secretNumbers;
  assert(numbers.length >= 17);
  for (const token of Object.values(bank.tokens)) {
    const response = await fetch(`${bank.baseUrl}/api/v1/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    assert(
      numbers.some((number) => text.includes(number)),
      "the numbers are not in the upstream response",
    );
  }
  return [...numbers, ...Object.values(bank.tokens)];
}

const FOUNDATION: [title: string, env: Record<string, string>][] = [
  ["the foundation's console", {}],
  ["the foundation's console after the split", { FOUNDATION_ACCOUNT_ID }],
];

/** Crawls a console as somebody and checks that no response contains a secret. */
async function assertNoSecrets(fixture: BankSite, surface: SurfaceName, email: string) {
  const secrets = await secretsOf(fixture);
  const responses = await crawl(fixture, surface, email);
  const scripts = [...responses.keys()].filter((path) => /\.js(\?|$)/.test(path));
  assert(scripts.length > 0, "no script was found");
  const all = [...responses.values()].join("\n");
  assert(all.includes("total_balance") && all.length > 50_000, `${all.length}`);
  if (email === ADMIN) assert(all.includes("last4"));
  for (const [path, text] of responses) {
    assertEquals(secrets.filter((secret) => text.includes(secret)), [], path);
    // Numbers must not appear with spaces or dashes either.
    const bare = text.replaceAll(/(?<=\d)[ -](?=\d)/g, "");
    assertEquals(secrets.filter((secret) => bare.includes(secret)), [], path);
    assert(!/accountNumber|routing_?number/i.test(text), path);
  }
  return { secrets, responses };
}

for (const [title, env] of FOUNDATION) {
  for (const email of [ADMIN, BOARD]) {
    Deno.test(`no response on ${title} contains a full number or a token, for ${email}`, async () => {
      await using fixture = await createBankSite(env);
      await assertNoSecrets(fixture, "foundation-console", email);
    });
  }
}

Deno.test("no response on the commercial console contains a full number or a token, and a board member's none of an account or transaction", async () => {
  await using fixture = await createBankSite();
  const { accounts } = await fixture.site.services.treasuries.commercial.accounts();
  const { responses } = await assertNoSecrets(fixture, "commercial-console", BOARD);
  for (const [path, text] of responses) {
    for (const { nickname, last4, id } of accounts) {
      if (path.includes(id)) continue;
      assert(!text.includes(id), `${path}: ${id}`);
      assert(!text.includes(`••${last4}`) && !text.includes(`"${last4}"`), `${path}: ${last4}`);
      if (/ /.test(nickname)) assert(!text.includes(nickname), `${path}: ${nickname}`);
    }
  }
});

Deno.test("no response on the commercial console, the store or the log contains a full number or a token, for an administrator", async () => {
  const lines: string[] = [];
  await using fixture = await createBankSite({}, {}, {
    log: (line) => lines.push(JSON.stringify(line)),
  });
  const { secrets } = await assertNoSecrets(fixture, "commercial-console", ADMIN);
  fixture.bank.set({ response: "garbage" });
  await (await fixture.request(
    "commercial-console",
    "/api/bank/refresh",
    ADMIN,
    {
      method: "POST",
    },
  )).body?.cancel();
  const stored: unknown[] = [];
  for await (const { key, value } of fixture.site.services.kv.list({ prefix: [] })) {
    stored.push([key, value]);
  }
  const text = [
    ...lines,
    JSON.stringify(stored, (_, value) => typeof value === "bigint" ? `${value}` : value),
  ].join("\n");
  assert(text.includes("bank_cache"));
  assertEquals(secrets.filter((secret) => text.includes(secret)), []);
});
