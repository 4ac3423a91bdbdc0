import { assert, assertEquals, assertMatch } from "@std/assert";
import type { BankFault, BankSandboxOptions } from "../sandbox/bank.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const MINUTE = 60_000;
const PROOF = "This is a proof of connection, pending the foundation's own banking organisation.";
const CONSOLES = ["foundation-console", "commercial-console", "workbench"] as const;

/** Reads JSON as an administrator. */
async function read(world: BankSite, surface: SurfaceName, path: string, init?: RequestInit) {
  const response = await world.ask(surface, path, await world.signIn(ADMIN, surface), init);
  assertEquals(response.headers.get("content-type"), "application/json");
  return { status: response.status, body: await response.json() };
}

const refresh = (world: BankSite, surface: SurfaceName) =>
  read(world, surface, "/api/bank/refresh", { method: "POST" });

/** What the fallback body of spec 2.3 is on a console. */
const fallback = (surface: SurfaceName, cached_at: string) => ({
  entity: "Pending",
  entity_note: surface === "foundation-console" ? PROOF : "",
  total_balance: null,
  active_accounts: null,
  currency: "USD",
  cached_at,
  connection_status: "not_connected",
  message: `Generate a provider API token and set it as the token secret ${
    surface === "foundation-console" ? "FOUNDATION" : "COMMERCIAL"
  }_BANK_API_TOKEN.`,
  ...surface === "foundation-console" ? {} : { last_activity: null },
});
const NO_ACCOUNTS = {
  accounts: [],
  total_balance: null,
  cached_at: null,
  connection_status: "not_connected",
};
const NOON = "2026-03-01T20:00:00.000Z";

/** An account as the provider tells it, as far as it is compared here. */
interface Upstream {
  id: string;
  name: string;
  nickname: string | null;
  kind: string;
  status: string;
  accountNumber: string;
  currentBalance: number;
}

/** What the provider has, page by page, and the sum of its active accounts in dollars. */
async function upstream({ bank }: BankSite, organisation: "foundation" | "commercial") {
  const accounts: Upstream[] = [];
  for (let query = "", more = true; more;) {
    const response = await fetch(`${bank.baseUrl}/api/v1/accounts${query}`, {
      headers: { authorization: `Bearer ${bank.tokens[organisation]}` },
    });
    const answer = await response.json();
    accounts.push(...answer.accounts);
    query = `?start_after=${answer.page.nextPage}`;
    more = answer.page.nextPage !== undefined;
  }
  bank.requests.splice(0);
  const active = accounts.filter(({ status }) => status === "active");
  const cents = active.reduce((sum, each) => sum + Math.round(each.currentBalance * 100), 0);
  return { accounts, active, total: cents / 100 };
}

Deno.test("the summary and the accounts are those of the console's own organisation", async () => {
  await using world = await createBankSite();
  const expected = [
    ["foundation-console", "foundation", "Open Records Foundation Ltd"],
    ["commercial-console", "commercial", "Attest Systems Inc"],
    ["workbench", "commercial", "Attest Systems Inc"],
  ] as const;
  for (const [surface, organisation, entity] of expected) {
    const { accounts, total } = await upstream(world, organisation);
    const { last_activity, ...summary } = (await read(world, surface, "/api/bank/summary")).body;
    assertEquals(summary, {
      entity,
      entity_note: organisation === "foundation" ? PROOF : "",
      total_balance: total,
      active_accounts: 6,
      currency: "USD",
      cached_at: NOON,
      connection_status: "live",
    });
    if (organisation === "foundation") assertEquals(last_activity, undefined);
    else assertMatch(last_activity, /^2026-0[23]-\d\dT[\d:.]+Z$/);
    assertEquals((await read(world, surface, "/api/bank/accounts")).body, {
      accounts: accounts.filter(({ status }) => status !== "archived").map((account) => ({
        id: account.id,
        nickname: account.nickname ?? account.name,
        kind: account.kind,
        balance: account.currentBalance,
        last4: account.accountNumber.slice(-4),
        status: account.status === "active" ? "active" : "restricted",
      })),
      total_balance: total,
      cached_at: NOON,
      connection_status: "live",
    });
  }
});

Deno.test("after the split the foundation's console has its one account, the commercial one all", async () => {
  const bank = await createBankSite();
  const id = bank.bank.foundationAccountId;
  await using world = await createBankSite({ FOUNDATION_ACCOUNT_ID: id }, bank);
  await using _ = bank;
  const own = (await read(world, "foundation-console", "/api/bank/accounts")).body;
  assertEquals(own.accounts.map((account: { id: string }) => account.id), [id]);
  const summary = (await read(world, "foundation-console", "/api/bank/summary")).body;
  assertEquals([summary.active_accounts, summary.entity_note], [1, ""]);
  assertEquals(summary.total_balance, own.accounts[0].balance);
  const all = (await read(world, "commercial-console", "/api/bank/accounts")).body;
  assertEquals(all.accounts.length, 7);
  assert(all.accounts.some((account: { id: string }) => account.id === id), "held in trust there");
});

Deno.test("a split account that nobody lists and that answers 404 is pending", async () => {
  await using world = await createBankSite({
    FOUNDATION_ACCOUNT_ID: "not-yet",
    FOUNDATION_ACCOUNT_NICKNAME: "Own treasury",
    FOUNDATION_ACCOUNT_LAST4: "4321",
  });
  assertEquals((await read(world, "foundation-console", "/api/bank/accounts")).body, {
    accounts: [],
    total_balance: 0,
    cached_at: NOON,
    connection_status: "live",
    pending_account: { nickname: "Own treasury", last4: "4321" },
  });
});

Deno.test("without a token everything says so, and nobody is asked", async () => {
  await using world = await createBankSite({
    FOUNDATION_BANK_API_TOKEN: "",
    COMMERCIAL_BANK_API_TOKEN: "",
  });
  world.time.now += MINUTE;
  const now = "2026-03-01T20:01:00.000Z";
  for (const surface of CONSOLES) {
    const expected = fallback(surface, now);
    assertEquals(await read(world, surface, "/api/bank/summary"), { status: 200, body: expected });
    const accounts = await read(world, surface, "/api/bank/accounts");
    assertEquals(accounts, { status: 200, body: NO_ACCOUNTS });
    const { message } = expected;
    const refused = { status: 502, body: { error: "not_connected", message } };
    assertEquals(await refresh(world, surface), refused);
    if (surface === "foundation-console") continue;
    const transactions = await read(world, surface, "/api/bank/transactions?account_id=a");
    assertEquals(transactions, { status: 200, body: expected });
  }
  assertEquals(world.asked(), {});
});

/** Each fault, its code, and the provider's status where the code does not say it. */
const FAULTS: [fault: BankFault["answer"], code: string, status?: number][] = [
  [400, "upstream_error", 400],
  [401, "auth_failed"],
  [403, "upstream_error", 403],
  [404, "not_found"],
  [429, "rate_limited"],
  [500, "upstream_error", 500],
  [503, "upstream_error", 503],
  ["slow", "network_error"],
  ["cut_off", "network_error"],
  ["garbage", "invalid_response"],
  ["redirect", "upstream_error", 302],
];

for (const [answer, code, status] of FAULTS) {
  Deno.test(`the provider's ${answer} is ${code}, cold and with old data`, async () => {
    let failing = true;
    await using world = await createBankSite({}, {}, {
      // The client gives up by itself after 8 seconds; nobody waits for that here.
      fetch: (url, init) => {
        const signals = failing && answer === "slow" ? [AbortSignal.timeout(20)] : [];
        return fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, ...signals]) });
      },
    });
    const surface = "commercial-console";
    const fail = (now: boolean) => {
      failing = now;
      world.bank.set(now ? { response } : null);
    };
    fail(true);
    const cold = { ...fallback(surface, NOON), reason: code };
    const noAccounts = { status: 200, body: { ...NO_ACCOUNTS, reason: code } };
    const path = `/api/bank/transactions?account_id=${world.bank.foundationAccountId}`;
    assertEquals(await read(world, surface, "/api/bank/summary"), { status: 200, body: cold });
    assertEquals(await read(world, surface, "/api/bank/accounts"), noAccounts);
    assertEquals(await read(world, surface, path), { status: 200, body: cold });

    fail(false);
    const good = (await read(world, surface, "/api/bank/summary")).body;
    assertEquals(good.connection_status, "live");
    fail(true);
    // What is cached still stands; what is not is an error.
    assertEquals((await read(world, surface, "/api/bank/summary")).body, good);
    const failed = await read(world, surface, path);
    assertEquals(failed.status, code === "not_found" ? 404 : 502);
    const { message, ...rest } = failed.body;
    assertEquals(rest, { error: code, ...status === undefined ? {} : { status } });
    assert(message.length > 10);

    const refused = await refresh(world, surface);
    assertEquals(refused, { status: 502, body: failed.body });
    if (code === "auth_failed") assertEquals(message, "Bank API token invalid or expired");
    const { total_balance, active_accounts } = good;
    const stale = { total_balance, active_accounts, cached_at: NOON };
    const body = { ...cold, stale };
    assertEquals(await read(world, surface, "/api/bank/summary"), { status: 200, body });
    assertEquals(await read(world, surface, "/api/bank/accounts"), noAccounts);
    assertEquals(await read(world, surface, path), { status: 200, body });

    fail(false);
    assertEquals((await refresh(world, surface)).body, { refreshed: true, cached_at: NOON });
    assertEquals((await read(world, surface, "/api/bank/summary")).body, good);
  });
}

Deno.test("the cache holds to the second: accounts 15 minutes, the organisation 24 hours", async () => {
  await using world = await createBankSite();
  const { time } = world;
  const start = time.now;
  const surface = "foundation-console";
  const at = async (ms: number) => {
    time.now = start + ms;
    const { cached_at } = (await read(world, surface, "/api/bank/summary")).body;
    return { cached_at, asked: world.asked() };
  };
  const later = (ms: number) => new Date(start + ms).toISOString();
  const both = { accounts: 1, organization: 1 };
  assertEquals(await at(0), { cached_at: NOON, asked: both });
  assertEquals(await at(15 * MINUTE - 1000), { cached_at: NOON, asked: {} });
  assertEquals(await at(15 * MINUTE), { cached_at: later(15 * MINUTE), asked: { accounts: 1 } });
  assertEquals(await at(30 * MINUTE - 1000), { cached_at: later(15 * MINUTE), asked: {} });
  const day = 24 * 60 * MINUTE;
  assertEquals((await at(day - 1000)).asked, { accounts: 1 });
  assertEquals((await at(day)).asked, { organization: 1 });
  assertEquals((await at(2 * day)).asked, both);
});

Deno.test("the last activity is on the commercial summary alone, for 15 minutes", async () => {
  await using world = await createBankSite();
  const start = world.time.now;
  const summary = async (surface: SurfaceName) => {
    const board = await world.signIn(BOARD, surface);
    const response = await world.ask(surface, "/api/bank/summary", board);
    return await response.json();
  };
  assert(!("last_activity" in await summary("foundation-console")));
  assertEquals(world.asked(), { accounts: 1, organization: 1 });
  const first = (await summary("commercial-console")).last_activity;
  assertEquals(world.asked(), { accounts: 1, organization: 1, transactions: 6 });
  assert(Date.parse(first) <= start && Date.parse(first) > start - 3 * 24 * 60 * MINUTE, first);
  world.time.now = start + 15 * MINUTE - 1000;
  assertEquals((await summary("commercial-console")).last_activity, first);
  assertEquals(world.asked(), {});
  world.time.now = start + 15 * MINUTE;
  await summary("commercial-console");
  assertEquals(world.asked(), { accounts: 1, transactions: 6 });
});

Deno.test("50 cold requests at once make one call of each operation", async () => {
  await using world = await createBankSite();
  const cookies = await Promise.all([world.signIn(ADMIN), world.signIn(BOARD)]);
  const answers = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const response = await world.ask("commercial-console", "/api/bank/summary", cookies[i % 2]);
    return await response.text();
  }));
  assertEquals(new Set(answers).size, 1);
  assertEquals(JSON.parse(answers[0]).connection_status, "live");
  assertEquals(world.asked(), { accounts: 1, organization: 1, transactions: 6 });
});

Deno.test("50 at once wait for one provider that fails, and it is tried twice", async () => {
  await using world = await createBankSite();
  const cookie = await world.signIn(ADMIN);
  world.bank.set({ response: 503 });
  const reasons = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const path = `/api/bank/${i % 2 ? "summary" : "accounts"}`;
    const response = await world.ask("commercial-console", path, cookie);
    return (await response.json()).reason;
  }));
  assertEquals(new Set(reasons), new Set(["upstream_error"]));
  assertEquals(world.asked(), { accounts: 2, organization: 2 });
});

Deno.test("refresh fetches again before the cache expires, for both consoles by themselves", async () => {
  await using world = await createBankSite();
  for (const surface of CONSOLES.slice(0, 2)) {
    await read(world, surface, "/api/bank/summary");
    await read(world, surface, "/api/bank/summary");
  }
  world.asked();
  world.time.now += MINUTE;
  const cached_at = "2026-03-01T20:01:00.000Z";
  const result = { status: 200, body: { refreshed: true, cached_at } };
  assertEquals(await refresh(world, "commercial-console"), result);
  assertEquals(world.asked(), { accounts: 1, organization: 1 });
  const after = (surface: SurfaceName) => read(world, surface, "/api/bank/accounts");
  assertEquals((await after("commercial-console")).body.cached_at, cached_at);
  assertEquals((await after("foundation-console")).body.cached_at, NOON);
  assertEquals(world.asked(), {});
});

Deno.test("a page's form is led back to its page, which tells the result", async () => {
  await using world = await createBankSite();
  const { bank } = world;
  const post = async (surface: SurfaceName, email: string | null = ADMIN) => {
    const cookie = email === null ? undefined : await world.signIn(email, surface);
    // Whatever a form names, it is led back to the one page.
    const init = { method: "POST", body: new URLSearchParams({ next: "//evil.example" }) };
    const response = await world.ask(surface, "/api/bank/refresh", cookie, init);
    await response.body?.cancel();
    return [response.status, response.headers.get("location")];
  };
  const finance = "/console/finance";
  assertEquals(await post("foundation-console"), [303, `${finance}?refreshed=1`]);
  assertEquals(world.asked(), { accounts: 1, organization: 1 });
  const commercial = "commercial-console";
  assertEquals(await post(commercial), [303, `${finance}?refreshed=1`]);
  const asJson = await read(world, commercial, "/api/bank/refresh", {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(),
  });
  assertEquals(asJson.status, 200);
  bank.set({ response: 401 });
  assertEquals(await post(commercial), [303, `${finance}?refresh_error=auth_failed`]);
  world.asked();
  assertEquals(await post(commercial, null), [303, `/auth?next=${finance}`]);
  assertEquals(await post(commercial, BOARD), [403, null]);
  assertEquals(world.asked(), {});
});

Deno.test("another site cannot refresh, whoever is signed in", async () => {
  await using world = await createBankSite();
  const elsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://commercial.localhost:8000" },
  ];
  for (const headers of elsewhere) {
    for (const body of [undefined, new URLSearchParams({ a: "b" })]) {
      const cookie = await world.signIn(ADMIN);
      const init = { method: "POST", headers, body };
      const response = await world.ask("commercial-console", "/api/bank/refresh", cookie, init);
      assertEquals(response.status, 403);
      await response.body?.cancel();
    }
  }
  assertEquals(world.asked(), {});
});

Deno.test("transactions come in pages and between dates, the newest first", async () => {
  await using world = await createBankSite();
  const surface = "commercial-console";
  const { active, accounts } = await upstream(world, "commercial");
  const id = active[0].id;
  const list = async (query: string, account = id) =>
    await read(world, surface, `/api/bank/transactions?account_id=${account}${query}`);
  const first = (await list("")).body;
  assertEquals(Object.keys(first).sort(), [
    "account_id",
    "limit",
    "offset",
    "total",
    "transactions",
  ]);
  assertEquals([first.account_id, first.limit, first.offset], [id, 50, 0]);
  assertEquals(first.transactions.length, 50);
  assertEquals(
    Object.keys(first.transactions[0]).sort(),
    ["amount", "counterparty", "created_at", "id", "kind", "note", "posted_at", "status"],
  );
  const times = first.transactions.map((each: { created_at: string }) => each.created_at);
  assertEquals(times, times.toSorted().toReversed());
  const { transactions } = (await list("&offset=49&limit=2")).body;
  assertEquals(transactions[0].id, first.transactions[49].id);
  const day = times[20].slice(0, 10);
  const ofDay = (await list(`&start=${day}&end=${day}&limit=500`)).body;
  assert(ofDay.total > 0 && ofDay.total === ofDay.transactions.length);
  assertEquals(
    ofDay.transactions.map((each: { id: string }) => each.id),
    first.transactions.filter((each: { created_at: string }) => each.created_at.startsWith(day))
      .map((each: { id: string }) => each.id),
  );
  // Transactions are not cached.
  world.asked();
  await list("");
  await list("");
  assertEquals(world.asked(), { transactions: 2 });

  const hidden = accounts.find(({ status }) => status === "archived")!.id;
  const restricted = accounts.find(({ status }) => status === "pending")!.id;
  for (const account of [hidden, restricted, "nothing", "..%2Forganization"]) {
    const answer = await list("", account);
    assertEquals([answer.status, answer.body.error], [404, "not_found"], account);
  }
});

Deno.test("a bad filter is 400 under its name, and the provider is not asked", async () => {
  await using world = await createBankSite();
  const bad: [query: string, fields: string[]][] = [
    ["", ["account_id"]],
    ["account_id=", ["account_id"]],
    ["account_id=a&limit=0", ["limit"]],
    ["account_id=a&limit=501", ["limit"]],
    ["account_id=a&limit=ten&offset=-1", ["limit", "offset"]],
    ["account_id=a&start=2026-13-01", ["start"]],
    ["account_id=a&start=2026-02-02&end=2026-02-01", ["end"]],
    ["account_id=a&status=pending", ["status"]],
  ];
  for (const [query, fields] of bad) {
    const path = `/api/bank/transactions?${query}`;
    const { status, body } = await read(world, "commercial-console", path);
    assertEquals([status, body.error, Object.keys(body.issues)], [400, "invalid_request", fields]);
  }
  assertEquals(world.asked(), {});
});

Deno.test("a swapped token shows the other entity at once; a wrong one nothing of the last", async () => {
  const first = await createBankSite();
  await using _ = first;
  const { kv } = first.site.services;
  const { tokens } = first.bank;
  const cookie = await first.signIn(ADMIN);
  const entityWith = async (token: string) => {
    const world = await createBankSite({ COMMERCIAL_BANK_API_TOKEN: token }, first, { kv });
    const read = async (path: string) =>
      await (await world.ask("commercial-console", path, cookie)).json();
    const summary = await read("/api/bank/summary");
    const { accounts } = await read("/api/bank/accounts");
    return [summary.entity, summary.reason, "stale" in summary, accounts.length];
  };
  assertEquals(await entityWith(tokens.commercial), ["Attest Systems Inc", undefined, false, 7]);
  const other = ["Open Records Foundation Ltd", undefined, false, 7];
  assertEquals(await entityWith(tokens.foundation), other);
  assertEquals(await entityWith("secret-token:wrong"), ["Pending", "auth_failed", false, 0]);
  assertEquals(await entityWith(""), ["Pending", undefined, false, 0]);
  assertEquals(await entityWith(tokens.commercial), ["Attest Systems Inc", undefined, false, 7]);
});

Deno.test("more accounts than a value of the store holds arrive without loss", async () => {
  const options: BankSandboxOptions = { extraAccounts: 1_000, pageSize: 300 };
  await using world = await createBankSite({}, { options });
  const { active, total } = await upstream(world, "foundation");
  const body = (await read(world, "foundation-console", "/api/bank/accounts")).body;
  assert(JSON.stringify(body).length > 65_536);
  assertEquals(body.accounts.length, active.length + 1);
  assertEquals(body.total_balance, total);
  world.asked();
  assertEquals((await read(world, "foundation-console", "/api/bank/accounts")).body, body);
  assertEquals(world.asked(), {});
});
