import { assert, assertEquals, assertMatch } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createMemoryBank, transaction } from "../lib/features/bank/testing/memory_bank.ts";
import { createTreasury } from "../lib/features/bank/treasury.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import type { BankSandboxOptions } from "../sandbox/bank.ts";
import type { BankFault } from "../sandbox/bank_responses.ts";
import { FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { transactionsUntil } from "../sandbox/bank_transactions.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const PROOF = "This is a proof of connection, pending the foundation's own banking organisation.";
const CONSOLES = ["foundation-console", "commercial-console", "workbench"] as const;

/** Reads JSON as an administrator. */
async function read(fixture: BankSite, surface: SurfaceName, path: string, init?: RequestInit) {
  const response = await fixture.request(surface, path, ADMIN, init);
  assertEquals(response.headers.get("content-type"), "application/json");
  return { status: response.status, body: await response.json() };
}

const refresh = (fixture: BankSite, surface: SurfaceName) =>
  read(fixture, surface, "/api/bank/refresh", { method: "POST" });

/** The fallback body of spec 2.3 on a console. */
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
const NOON = "2026-03-01T20:00:00.000Z";

/** The fields of the provider's account that are compared. */
interface Upstream {
  id: string;
  name: string;
  nickname: string | null;
  kind: string;
  status: string;
  accountNumber: string;
  currentBalance: number;
}

/** Reads all of the provider's accounts, and sums the active ones in dollars. */
async function upstream({ bank }: BankSite, organisation: "foundation" | "commercial") {
  const accounts: Upstream[] = [];
  for (let query = "", more = true; more;) {
    const response = await fetch(`${bank.baseUrl}/api/v1/accounts${query}`, {
      headers: { authorization: `Bearer ${bank.tokens[organisation]}` },
    });
    const body = await response.json();
    accounts.push(...body.accounts);
    query = `?start_after=${body.page.nextPage}`;
    more = body.page.nextPage !== undefined;
  }
  bank.requests.splice(0);
  const active = accounts.filter(({ status }) => status === "active");
  const cents = active.reduce((sum, each) => sum + Math.round(each.currentBalance * 100), 0);
  return { accounts, active, total: cents / 100 };
}

Deno.test("each console returns the summary and accounts of its own organisation", async () => {
  await using fixture = await createBankSite();
  const expected = [
    ["foundation-console", "foundation", "Open Records Foundation Ltd"],
    ["commercial-console", "commercial", "Attest Systems Inc"],
    ["workbench", "commercial", "Attest Systems Inc"],
  ] as const;
  for (const [surface, organisation, entity] of expected) {
    const { accounts, total } = await upstream(fixture, organisation);
    const { last_activity, ...summary } = (await read(fixture, surface, "/api/bank/summary")).body;
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
    assertEquals((await read(fixture, surface, "/api/bank/accounts")).body, {
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

Deno.test("after the split, the foundation's console has one account and the commercial console has all", async () => {
  const id = FOUNDATION_ACCOUNT_ID;
  await using fixture = await createBankSite({ FOUNDATION_ACCOUNT_ID });
  const own = (await read(fixture, "foundation-console", "/api/bank/accounts")).body;
  assertEquals(own.accounts.map((account: { id: string }) => account.id), [id]);
  const summary = (await read(fixture, "foundation-console", "/api/bank/summary")).body;
  assertEquals([summary.active_accounts, summary.entity_note], [1, ""]);
  assertEquals(summary.total_balance, own.accounts[0].balance);
  const all = (await read(fixture, "commercial-console", "/api/bank/accounts")).body;
  assertEquals(all.accounts.length, 7);
  assert(
    all.accounts.some((account: { id: string }) => account.id === id),
    "the commercial console still lists it",
  );
});

Deno.test("a split account that is not listed and returns 404 is pending", async () => {
  await using fixture = await createBankSite({
    FOUNDATION_ACCOUNT_ID: "not-yet",
    FOUNDATION_ACCOUNT_NICKNAME: "Own treasury",
    FOUNDATION_ACCOUNT_LAST4: "4321",
  });
  assertEquals((await read(fixture, "foundation-console", "/api/bank/accounts")).body, {
    accounts: [],
    total_balance: null,
    cached_at: NOON,
    connection_status: "live",
    pending_account: { nickname: "Own treasury", last4: "4321" },
  });
  const { body } = await read(fixture, "foundation-console", "/api/bank/summary");
  const { total_balance, active_accounts, pending, connection_status } = body;
  assertEquals(
    [total_balance, active_accounts, pending, connection_status],
    [null, null, true, "live"],
  );
});

Deno.test("without a token, every endpoint reports it and makes no request", async () => {
  await using fixture = await createBankSite({
    FOUNDATION_BANK_API_TOKEN: "",
    COMMERCIAL_BANK_API_TOKEN: "",
  });
  fixture.time.now += MINUTE_MS;
  const now = "2026-03-01T20:01:00.000Z";
  for (const surface of CONSOLES) {
    const expected = fallback(surface, now);
    assertEquals(await read(fixture, surface, "/api/bank/summary"), {
      status: 200,
      body: expected,
    });
    const accounts = await read(fixture, surface, "/api/bank/accounts");
    assertEquals(accounts, { status: 200, body: { ...expected, accounts: [] } });
    const { message } = expected;
    const failed = { status: 502, body: { error: "not_connected", message } };
    assertEquals(await refresh(fixture, surface), failed);
    if (surface === "foundation-console") continue;
    const transactions = await read(fixture, surface, "/api/bank/transactions?account_id=a");
    assertEquals(transactions, { status: 200, body: expected });
  }
  assertEquals(fixture.bankRequests(), {});
});

/** The fault, the error code, and the provider's status unless the code implies it. */
const FAULTS: [fault: BankFault["response"], code: string, status?: number][] = [
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

for (const [response, code, status] of FAULTS) {
  Deno.test(`the provider's ${response} returns ${code}, cold and with old data`, async () => {
    let failing = true;
    await using fixture = await createBankSite({}, {}, {
      // Otherwise, the client would wait for 8 seconds.
      fetch: (url, init) => {
        const signals = failing && response === "slow" ? [AbortSignal.timeout(20)] : [];
        return fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, ...signals]) });
      },
    });
    const surface = "commercial-console";
    const fail = (now: boolean) => {
      failing = now;
      fixture.bank.set(now ? { response } : null);
    };
    fail(true);
    const own = fallback(surface, NOON);
    const { body: { message: given } } = await read(fixture, surface, "/api/bank/summary");
    // The cause comes first, if it is another one than the token.
    assert(given.endsWith(own.message), given);
    assertEquals(given === own.message, code === "auth_failed");
    const cold = { ...own, reason: code, message: given };
    const noAccounts = { status: 200, body: { ...cold, accounts: [] } };
    const path = `/api/bank/transactions?account_id=${fixture.bank.foundationAccountId}`;
    assertEquals(await read(fixture, surface, "/api/bank/summary"), { status: 200, body: cold });
    assertEquals(await read(fixture, surface, "/api/bank/accounts"), noAccounts);
    assertEquals(await read(fixture, surface, path), { status: 200, body: cold });

    fail(false);
    const good = (await read(fixture, surface, "/api/bank/summary")).body;
    assertEquals(good.connection_status, "live");
    fail(true);
    // Cached figures are still returned; transactions are not cached.
    assertEquals((await read(fixture, surface, "/api/bank/summary")).body, good);
    const failed = await read(fixture, surface, path);
    assertEquals(failed.status, code === "not_found" ? 404 : 502);
    const { message, ...rest } = failed.body;
    assertEquals(rest, { error: code, ...status === undefined ? {} : { status } });
    assert(message.length > 10);

    const refused = await refresh(fixture, surface);
    assertEquals(refused, { status: 502, body: failed.body });
    if (code === "auth_failed") assertEquals(message, "Bank API token invalid or expired");
    const { total_balance, active_accounts } = good;
    const stale = { total_balance, active_accounts, cached_at: NOON };
    const body = { ...cold, stale };
    assertEquals(await read(fixture, surface, "/api/bank/summary"), { status: 200, body });
    assertEquals(await read(fixture, surface, "/api/bank/accounts"), {
      status: 200,
      body: { ...body, accounts: [] },
    });
    assertEquals(await read(fixture, surface, path), { status: 200, body });

    fail(false);
    assertEquals((await refresh(fixture, surface)).body, { refreshed: true, cached_at: NOON });
    assertEquals((await read(fixture, surface, "/api/bank/summary")).body, good);
  });
}

Deno.test("the cache keeps accounts for 15 minutes and the organisation for 24 hours, to the second", async () => {
  await using fixture = await createBankSite();
  const { time } = fixture;
  const start = time.now;
  const surface = "foundation-console";
  const at = async (ms: number) => {
    time.now = start + ms;
    const { cached_at } = (await read(fixture, surface, "/api/bank/summary")).body;
    return { cached_at, requests: fixture.bankRequests() };
  };
  const later = (ms: number) => new Date(start + ms).toISOString();
  const both = { accounts: 1, organization: 1 };
  assertEquals(await at(0), { cached_at: NOON, requests: both });
  assertEquals(await at(15 * MINUTE_MS - 1000), { cached_at: NOON, requests: {} });
  assertEquals(await at(15 * MINUTE_MS), {
    cached_at: later(15 * MINUTE_MS),
    requests: { accounts: 1 },
  });
  assertEquals(await at(30 * MINUTE_MS - 1000), { cached_at: later(15 * MINUTE_MS), requests: {} });
  const day = 24 * 60 * MINUTE_MS;
  assertEquals((await at(day - 1000)).requests, { accounts: 1 });
  assertEquals((await at(day)).requests, { organization: 1 });
  assertEquals((await at(2 * day)).requests, both);
});

Deno.test("only the commercial summary has last_activity, cached for 15 minutes", async () => {
  await using fixture = await createBankSite();
  const start = fixture.time.now;
  const summary = async (surface: SurfaceName) => {
    const response = await fixture.request(surface, "/api/bank/summary", BOARD);
    return await response.json();
  };
  assert(!("last_activity" in await summary("foundation-console")));
  assertEquals(fixture.bankRequests(), { accounts: 1, organization: 1 });
  const first = (await summary("commercial-console")).last_activity;
  assertEquals(fixture.bankRequests(), { accounts: 1, organization: 1, transactions: 6 });
  assert(Date.parse(first) <= start && Date.parse(first) > start - 3 * 24 * 60 * MINUTE_MS, first);
  fixture.time.now = start + 15 * MINUTE_MS - 1000;
  assertEquals((await summary("commercial-console")).last_activity, first);
  assertEquals(fixture.bankRequests(), {});
  fixture.time.now = start + 15 * MINUTE_MS;
  await summary("commercial-console");
  assertEquals(fixture.bankRequests(), { accounts: 1, transactions: 6 });
});

Deno.test("50 concurrent cold requests make one request per operation", async () => {
  await using fixture = await createBankSite();
  for (const email of [ADMIN, BOARD]) await fixture.signIn(email, "commercial-console");
  const bodies = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const response = await fixture.request(
      "commercial-console",
      "/api/bank/summary",
      i % 2 ? ADMIN : BOARD,
    );
    return await response.text();
  }));
  assertEquals(new Set(bodies).size, 1);
  assertEquals(JSON.parse(bodies[0]).connection_status, "live");
  assertEquals(fixture.bankRequests(), { accounts: 1, organization: 1, transactions: 6 });
});

Deno.test("50 concurrent requests share one failing request and its retry", async () => {
  let missing = 50;
  const all = Promise.withResolvers<void>();
  await using fixture = await createBankSite({}, {}, { pause: () => all.promise });
  await fixture.signIn(ADMIN, "commercial-console");
  fixture.bank.set({ response: 503 });
  // The retry waits until every request shares the load.
  const { treasuries } = fixture.site.services;
  const treasury = treasuries.commercial;
  const arrive = () => --missing === 0 && all.resolve();
  const value: typeof treasury = {
    ...treasury,
    summary: (...given) => (arrive(), treasury.summary(...given)),
    accounts: (...given) => (arrive(), treasury.accounts(...given)),
  };
  Object.defineProperty(treasuries, "commercial", { value });
  const reasons = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const path = `/api/bank/${i % 2 ? "summary" : "accounts"}`;
    const response = await fixture.request("commercial-console", path, ADMIN);
    return (await response.json()).reason;
  }));
  assertEquals(new Set(reasons), new Set(["upstream_error"]));
  assertEquals(fixture.bankRequests(), { accounts: 2, organization: 2 });
});

Deno.test("a refresh fetches before the cache expires, for its own console only", async () => {
  await using fixture = await createBankSite();
  for (const surface of CONSOLES.slice(0, 2)) {
    await read(fixture, surface, "/api/bank/summary");
    await read(fixture, surface, "/api/bank/summary");
  }
  fixture.bankRequests();
  fixture.time.now += MINUTE_MS;
  const cached_at = "2026-03-01T20:01:00.000Z";
  const result = { status: 200, body: { refreshed: true, cached_at } };
  assertEquals(await refresh(fixture, "commercial-console"), result);
  assertEquals(fixture.bankRequests(), { accounts: 1, organization: 1 });
  const after = (surface: SurfaceName) => read(fixture, surface, "/api/bank/accounts");
  assertEquals((await after("commercial-console")).body.cached_at, cached_at);
  assertEquals((await after("foundation-console")).body.cached_at, NOON);
  assertEquals(fixture.bankRequests(), {});
});

Deno.test("the page's form is redirected back to the page, with the result in the query", async () => {
  await using fixture = await createBankSite();
  const { bank } = fixture;
  const post = async (surface: SurfaceName, email: string | null = ADMIN) => {
    // A `next` in the form is ignored.
    const init = { method: "POST", body: new URLSearchParams({ next: "//evil.example" }) };
    const response = await fixture.request(surface, "/api/bank/refresh", email, init);
    await response.body?.cancel();
    return [response.status, response.headers.get("location")?.replace(/&at=.*/, "") ?? null];
  };
  const finance = "/console/finance";
  assertEquals(await post("foundation-console"), [303, `${finance}?done=refreshed`]);
  assertEquals(fixture.bankRequests(), { accounts: 1, organization: 1 });
  const commercial = "commercial-console";
  assertEquals(await post(commercial), [303, `${finance}?done=refreshed`]);
  const asJson = await read(fixture, commercial, "/api/bank/refresh", {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(),
  });
  assertEquals(asJson.status, 200);
  bank.set({ response: 401 });
  assertEquals(await post(commercial), [303, `${finance}?done=refresh_failed&of=auth_failed`]);
  fixture.bankRequests();
  assertEquals(await post(commercial, null), [303, `/auth?next=${finance}`]);
  assertEquals(await post(commercial, BOARD), [403, null]);
  assertEquals(fixture.bankRequests(), {});
});

Deno.test("a cross-site refresh returns 403 even with a session", async () => {
  await using fixture = await createBankSite();
  const elsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://commercial.localhost:8000" },
  ];
  for (const headers of elsewhere) {
    for (const body of [undefined, new URLSearchParams({ a: "b" })]) {
      const init = { method: "POST", headers, body };
      const response = await fixture.request(
        "commercial-console",
        "/api/bank/refresh",
        ADMIN,
        init,
      );
      assertEquals(response.status, 403);
      await response.body?.cancel();
    }
  }
  assertEquals(fixture.bankRequests(), {});
});

Deno.test("transactions are paged and filtered by date, newest first", async () => {
  await using fixture = await createBankSite();
  const surface = "commercial-console";
  const { active, accounts } = await upstream(fixture, "commercial");
  const id = active[0].id;
  const list = async (query: string, account = id) =>
    await read(fixture, surface, `/api/bank/transactions?account_id=${account}${query}`);
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
    [
      "amount",
      "bank_url",
      "counterparty",
      "created_at",
      "description",
      "expected_at",
      "failed_at",
      "failure_reason",
      "id",
      "kind",
      "memo",
      "note",
      "posted_at",
      "status",
    ],
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
  fixture.bankRequests();
  await list("");
  await list("");
  assertEquals(fixture.bankRequests(), { transactions: 2 });

  const hidden = accounts.find(({ status }) => status === "archived")!.id;
  const restricted = accounts.find(({ status }) => status === "pending")!.id;
  for (const account of [hidden, restricted, "nothing", "..%2Forganization"]) {
    const result = await list("", account);
    assertEquals([result.status, result.body.error], [404, "not_found"], account);
  }
});

Deno.test("transactions are filtered by words, kind, status, direction and amount", async () => {
  await using fixture = await createBankSite();
  const { active } = await upstream(fixture, "commercial");
  const all = transactionsUntil(active[0].id, fixture.time.now).reverse();
  const list = async (query: string) =>
    (await read(
      fixture,
      "commercial-console",
      `/api/bank/transactions?account_id=${active[0].id}&${query}`,
    )).body;
  const filters: [query: string, matches: (transaction: typeof all[number]) => boolean][] = [
    ["search=LEGAL%20retain", ({ note }) => note === "Retainer"],
    ["kind=wireFee", ({ kind }) => kind === "wireFee"],
    ["status=failed", ({ status }) => status === "failed"],
    ["direction=in&min=1000&max=9000.50", ({ amount }) => amount >= 1000 && amount <= 9000.5],
  ];
  for (const [query, matches] of filters) {
    const expected = all.filter(matches).map(({ id }) => id);
    assert(expected.length > 5, query);
    const { total, transactions } = await list(`${query}&limit=3&offset=2`);
    assertEquals(total, expected.length, query);
    assertEquals(transactions.map((each: { id: string }) => each.id), expected.slice(2, 5), query);
  }
  assertEquals((await list("kind=unheardOf")).total, 0);
});

Deno.test("an invalid filter returns 400 with its name and makes no request", async () => {
  await using fixture = await createBankSite();
  const bad: [query: string, fields: string[]][] = [
    ["", ["account_id"]],
    ["account_id=", ["account_id"]],
    ["account_id=a&limit=0", ["limit"]],
    ["account_id=a&limit=501", ["limit"]],
    ["account_id=a&limit=ten&offset=-1", ["limit", "offset"]],
    ["account_id=a&start=2026-13-01", ["start"]],
    ["account_id=a&start=2026-02-02&end=2026-02-01", ["end"]],
    ["account_id=a&state=pending", ["state"]],
    ["account_id=a&kind=&min=5&max=4", ["kind", "max"]],
  ];
  for (const [query, fields] of bad) {
    const path = `/api/bank/transactions?${query}`;
    const { status, body } = await read(fixture, "commercial-console", path);
    assertEquals([status, body.error, Object.keys(body.issues)], [400, "invalid_request", fields]);
  }
  assertEquals(fixture.bankRequests(), {});
});

Deno.test("a new token shows the other entity at once, and a wrong one shows no old data", async () => {
  const first = await createBankSite();
  await using _ = first;
  const { kv } = first.site.services;
  const { tokens } = first.bank;
  const entityWith = async (token: string) => {
    const fixture = await createBankSite({ COMMERCIAL_BANK_API_TOKEN: token }, first, { kv });
    const read = async (path: string) =>
      await (await fixture.request("commercial-console", path, ADMIN)).json();
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

Deno.test("more accounts than fit into one stored value are returned completely", async () => {
  const options: BankSandboxOptions = { extraAccounts: 1_000, pageSize: 300 };
  await using fixture = await createBankSite({}, { options });
  const { active, total } = await upstream(fixture, "foundation");
  const body = (await read(fixture, "foundation-console", "/api/bank/accounts")).body;
  assert(JSON.stringify(body).length > 65_536);
  assertEquals(body.accounts.length, active.length + 1);
  assertEquals(body.total_balance, total);
  fixture.bankRequests();
  assertEquals((await read(fixture, "foundation-console", "/api/bank/accounts")).body, body);
  assertEquals(fixture.bankRequests(), {});
});

Deno.test("the console shows another bank, which has its own names for kinds and statuses", async () => {
  await using fixture = await createBankSite();
  using kv = await openKv(":memory:");
  const bank = Object.assign(createMemoryBank(), {
    transactions: [
      transaction("t1", { amount: -4, counterparty: "Landlord", kind: "lease_payment" }),
      transaction("t2", {
        amount: -2,
        counterparty: "Bounced",
        status: "returned",
        state: "failed",
      }),
    ],
  });
  const { treasuries } = fixture.site.services;
  const treasury = createTreasury({
    surface: "commercial",
    provider: bank,
    kv,
    clock: () => fixture.time.now,
  });
  Object.defineProperty(treasuries, "commercial", { value: treasury });
  const console = "commercial-console";
  const { body } = await read(fixture, console, "/api/bank/transactions?account_id=a1");
  assertEquals(body.transactions.map(({ status }: { status: string }) => status), [
    "done",
    "returned",
  ]);
  for (const path of ["/console/finance/a1?start=", "/console"]) {
    const html = await (await fixture.request(console, path, ADMIN)).text();
    const rows = html.match(/<tr.*?<\/tr>/gs) ?? [];
    const row = (name: string) => rows.find((row) => row.includes(name)) ?? "";
    assertMatch(row("Bounced"), /class="unsettled".*class="pill bad">Returned</s, path);
    assertMatch(row("Landlord"), /-\$4\.00/, path);
    assert(!/unsettled|pill/.test(row("Landlord")), path);
  }
  const html = await (await fixture.request(
    console,
    "/console/finance/a1?start=&kind=lease_payment",
    ADMIN,
  )).text();
  assertMatch(html, /class="settled">Done</);
  assertMatch(html, /Lease payment/);
  assert(!html.includes("Bounced"), "the filter applies");
});

Deno.test("an unreadable account is logged with the organisation of its console", async () => {
  const log: Record<string, unknown>[] = [];
  await using fixture = await createBankSite({}, {}, {
    log: (entry) => log.push(entry),
    async fetch(...request) {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith("/accounts")) return response;
      const { accounts: [{ currentBalance: _, ...first }] } = await response.json();
      return Response.json({ accounts: [first] });
    },
  });
  await read(fixture, "foundation-console", "/api/bank/accounts");
  const lines = log.filter(({ event }) => event === "bank_account_unreadable");
  assertEquals(lines.map(({ surface, fields }) => [surface, fields]), [["foundation", [
    "balance",
  ]]]);
});
