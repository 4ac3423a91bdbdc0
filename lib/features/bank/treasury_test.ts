import { createHash } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { type BankSandboxOptions, startBankSandbox } from "../../../sandbox/bank.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { holdKv, type KvCall } from "../../platform/kv/testing/slow_kv.ts";
import { MINUTE_MS as MINUTE } from "../../base/time.ts";
import { heldDeadlines } from "../../testing/held_timers.ts";
import { HANG_MS } from "../../testing/times.ts";
import { until } from "../../testing/until.ts";
import { FOUNDATION_ACCOUNT_ID } from "../../../sandbox/bank_data.ts";
import { sumAmounts } from "./money.ts";
import type { Account } from "./provider.ts";
import type { AdapterOptions } from "./providers/adapter.ts";
import { providerOf } from "./providers/mod.ts";
import { account, createMemoryBank, transaction } from "./testing/memory_bank.ts";
import { createTreasury, type TreasuryOptions } from "./treasury.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const PROOF = "This is a proof of connection, pending the foundation's own banking organisation.";
const MESSAGE =
  "Generate a provider API token and set it as the token secret FOUNDATION_BANK_API_TOKEN.";

/** Starts a bank with a store and a clock, for treasuries of both surfaces. */
async function setUp(options: BankSandboxOptions = {}) {
  const state = { now: NOW };
  const clock = () => state.now;
  const bank = startBankSandbox({ clock, ...options });
  const kv = await openKv(":memory:");
  return {
    state,
    bank,
    kv,
    open: (
      surface: "foundation" | "commercial",
      change: Partial<TreasuryOptions & AdapterOptions> = {},
    ) =>
      createTreasury({
        surface,
        provider: providerOf("mercury", {
          baseUrl: bank.baseUrl,
          token: bank.tokens[surface],
          fetch,
          pause: () => Promise.resolve(),
          timeoutMs: HANG_MS,
          ...change,
        }),
        tokenSecret: "FOUNDATION_BANK_API_TOKEN",
        kv,
        clock,
        // No test depends on the speed of the machine.
        timeoutMs: HANG_MS,
        ...change,
      }),
    /** Returns the number of requests by operation since the last call. */
    requests() {
      const counts: Record<string, number> = {};
      for (const { operation } of bank.requests.splice(0)) {
        counts[operation ?? "unknown"] = (counts[operation ?? "unknown"] ?? 0) + 1;
      }
      return counts;
    },
    async [Symbol.asyncDispose]() {
      await bank.stop();
      kv.close();
    },
  };
}

const FALLBACK = {
  entity: "Pending",
  entity_note: PROOF,
  total_balance: null,
  active_accounts: null,
  currency: "USD",
  cached_at: "2026-03-01T20:00:00.000Z",
  connection_status: "not_connected",
  message: MESSAGE,
};

/** Sums the sandbox's active accounts independently, in cents. */
async function expectedTotal(baseUrl: string, token: string): Promise<number> {
  const response = await fetch(`${baseUrl}/api/v1/accounts`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { accounts } = await response.json();
  let cents = 0;
  for (const { status, currentBalance } of accounts) {
    if (status === "active") cents += Math.round(currentBalance * 100);
  }
  return cents / 100;
}

Deno.test("a live summary has the fields of spec 2.3 and the sum of the active accounts", async () => {
  await using fixture = await setUp();
  const { bank } = fixture;
  assertEquals(await fixture.open("foundation").summary(), {
    entity: "Open Records Foundation Ltd",
    entity_note: PROOF,
    total_balance: await expectedTotal(bank.baseUrl, bank.tokens.foundation),
    active_accounts: 6,
    currency: "USD",
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
  });
});

Deno.test("restricted accounts are listed but not counted, and archived ones are hidden", async () => {
  await using fixture = await setUp();
  const { bank } = fixture;
  const { accounts, ...rest } = await fixture.open("commercial").accounts();
  assertEquals(accounts.map(({ status }) => status), [
    ...Array.from({ length: 6 }, () => "active"),
    "restricted",
  ]);
  assertEquals(Object.keys(accounts[0]), [
    "id",
    "nickname",
    "kind",
    "balance",
    "last4",
    "status",
  ]);
  assertEquals(rest, {
    total_balance: await expectedTotal(bank.baseUrl, bank.tokens.commercial),
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
  });
});

Deno.test("without a bank, every method returns the fallback", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("foundation", { provider: null });
  assertEquals(await treasury.summary(), FALLBACK);
  assertEquals(await treasury.accounts(), { ...FALLBACK, accounts: [] });
  const error = { ok: false, error: "not_connected", message: MESSAGE } as const;
  assertEquals(await treasury.refresh(), error);
  const failure = { ...error, fallback: FALLBACK };
  assertEquals(await treasury.transactions({ account_id: "a", limit: 1, offset: 0 }), failure);
  assertEquals((await treasury.pages({ account_id: "a" }).next()).value, failure);
  assertEquals(await treasury.history(), failure);
  assertEquals([await treasury.lastResponse(), await treasury.probe()], [null, null]);
  const commercial = fixture.open("commercial", { provider: null });
  assertEquals(await commercial.summary(), { ...FALLBACK, entity_note: "", last_activity: null });
  assertEquals(fixture.requests(), {});
});

const UNREACHABLE = [
  [401, "auth_failed", ""],
  [404, "not_found", "The bank does not have this account, or does not share it. "],
  [429, "rate_limited", "The bank is limiting requests. Try again in a minute. "],
  [500, "upstream_error", "The bank returned an error. "],
  ["cut_off", "network_error", "The bank could not be reached. "],
  ["slow", "network_error", "The bank could not be reached. "],
  ["garbage", "invalid_response", "The bank sent a response that could not be read. "],
  ["redirect", "upstream_error", "The bank returned an error. "],
] as const;

for (const [response, reason, cause] of UNREACHABLE) {
  Deno.test(`${response} returns the fallback with ${reason}, and the last good data if any`, async () => {
    await using fixture = await setUp();
    const { bank, state } = fixture;
    const cold = fixture.open("foundation", response === "slow" ? { timeoutMs: 40 } : {});
    bank.set({ response });
    const message = cause + MESSAGE;
    assertEquals(await cold.summary(), { ...FALLBACK, reason, message });
    assertEquals(await cold.accounts(), { ...FALLBACK, accounts: [], reason, message });

    bank.set(null);
    const warm = await fixture.open("foundation").summary();
    bank.set({ response });
    state.now += 15 * MINUTE;
    const { total_balance, active_accounts, cached_at } = warm;
    const stale = {
      ...FALLBACK,
      message,
      cached_at: "2026-03-01T20:15:00.000Z",
      reason,
      stale: { total_balance, active_accounts, cached_at },
    };
    assertEquals(await cold.summary(), stale);
    assertEquals(await cold.accounts(), { ...stale, accounts: [] });

    bank.set(null);
    assertEquals((await fixture.open("foundation").summary()).connection_status, "live");
  });
}

Deno.test("while the provider fails, cached figures are shown until they expire", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("foundation");
  const first = await treasury.summary();
  fixture.bank.set({ response: 500 });
  fixture.state.now += 15 * MINUTE - 1;
  assertEquals(await treasury.summary(), first);
  assertEquals(fixture.requests(), { accounts: 1, organization: 1 });
  fixture.state.now += 1;
  assertEquals((await treasury.summary()).connection_status, "not_connected");
});

Deno.test("an unknown entity is Pending, and a known name is kept", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("foundation");
  fixture.bank.set({ response: 403, operation: "organization" });
  const { entity, connection_status } = await treasury.summary();
  assertEquals([entity, connection_status], ["Pending", "live"]);
  fixture.bank.set(null);
  await treasury.summary();
  fixture.state.now += 24 * 60 * MINUTE;
  fixture.bank.set({ response: 403, operation: "organization" });
  assertEquals((await treasury.summary()).entity, "Open Records Foundation Ltd");
});

/** Opens a treasury whose bank sends modified accounts. */
function withAccounts(
  fixture: Awaited<ReturnType<typeof setUp>>,
  change: (accounts: Record<string, unknown>[]) => unknown[],
) {
  const log: Record<string, unknown>[] = [];
  const treasury = fixture.open("commercial", {
    log: (entry) => log.push(entry),
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith("/accounts")) return response;
      return Response.json({ accounts: change((await response.json()).accounts) });
    },
  });
  return { treasury, log };
}

Deno.test("an account without a balance is listed and logged once per load, and there is no total", async () => {
  await using fixture = await setUp();
  const whole = await fixture.open("foundation").accounts();
  assertEquals(whole.connection_status, "live");
  let id: unknown;
  const { treasury, log } = withAccounts(
    fixture,
    ([{ currentBalance: _, ...first }, ...rest]) => {
      id = first.id;
      return [first, ...rest];
    },
  );
  const { accounts, ...rest } = await treasury.accounts();
  assertEquals([accounts[0].id, accounts[0].balance, accounts[0].status], [id, null, "active"]);
  assert(accounts.slice(1).every(({ balance }) => balance !== null));
  assertEquals(accounts.length, 7);
  assertEquals([rest.total_balance, rest.connection_status], [null, "live"]);
  const { total_balance, active_accounts, connection_status } = await treasury.summary();
  assertEquals([total_balance, active_accounts, connection_status], [null, 6, "live"]);
  const account = String(id).replace(/\d{9,}/g, (digits) => `••${digits.slice(-4)}`);
  assertEquals(log, [{
    level: "warn",
    event: "bank_account_unreadable",
    account,
    fields: ["balance"],
  }]);
});

Deno.test("an account without a status and an id is listed as unknown and not counted", async () => {
  await using fixture = await setUp();
  const { treasury, log } = withAccounts(
    fixture,
    (accounts) => [{}, ...accounts.slice(1), {}],
  );
  const { accounts, total_balance } = await treasury.accounts();
  const empty = { id: "", nickname: "", kind: "", balance: null, last4: "", status: "unknown" };
  assertEquals([accounts[0], accounts.at(-1)], [empty, empty] as never);
  const { active_accounts, last_activity } = await treasury.summary();
  assertEquals([active_accounts, typeof total_balance, typeof last_activity], [
    5,
    "number",
    "string",
  ]);
  assertEquals(log.length, 2);
});

Deno.test("50 concurrent cold reads make one request per operation", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  const reads = Array.from(
    { length: 50 },
    (_, i) => i % 2 ? treasury.summary() : treasury.accounts(),
  );
  await Promise.all(reads);
  // The last activity needs one request per active account.
  assertEquals(fixture.requests(), { accounts: 1, organization: 1, transactions: 6 });
  await treasury.summary();
  assertEquals(fixture.requests(), {});
});

Deno.test("10 histories at the same time make one request per account and span, which ends with the last reader", async () => {
  await using fixture = await setUp();
  // The bank responds when all readers have read what is stored, so that none of them comes too late to share.
  const ready = Promise.withResolvers<void>();
  let read = 0;
  const counts = (call: KvCall) => {
    read += call.keys.filter(([table]) => table === "bank_daily").length;
    if (call.name !== "commit" && read >= 10 * 6) setTimeout(ready.resolve);
  };
  const treasury = fixture.open("commercial", {
    kv: holdKv(fixture.kv, () => Promise.resolve(), counts),
    async fetch(url, init) {
      if (String(url).includes("/transactions")) await ready.promise;
      return await fetch(url, init);
    },
  });
  await treasury.accounts();
  const first = new AbortController();
  const histories = Array.from(
    { length: 10 },
    (_, i) => treasury.history(i === 0 ? first.signal : new AbortController().signal),
  );
  first.abort();
  const [left, ...others] = await Promise.all(histories);
  assert(left.ok && left.accounts.every(({ totals }) => totals?.state !== "live"));
  for (const history of others) {
    assert(history.ok && history.accounts.some(({ totals }) => totals?.state === "live"));
  }
  assertEquals(fixture.requests().transactions, 12);
  await treasury.history();
  assertEquals(fixture.requests(), {});
});

Deno.test("a new token shows the other entity at once, and the previous token shows the first entity again", async () => {
  await using fixture = await setUp();
  const { tokens } = fixture.bank;
  const entities = [];
  for (const token of [tokens.foundation, tokens.commercial, tokens.foundation]) {
    const treasury = fixture.open("foundation", { token });
    const { entity, total_balance } = await treasury.summary();
    assertEquals(total_balance, (await treasury.accounts()).total_balance);
    entities.push(entity);
  }
  assertEquals(entities, [
    "Open Records Foundation Ltd",
    "Attest Systems Inc",
    "Open Records Foundation Ltd",
  ]);
  const wrong = fixture.open("foundation", { token: "secret-token:unknown" });
  assertEquals(await wrong.summary(), { ...FALLBACK, reason: "auth_failed" });
});

Deno.test("a split surface shows only its account, without the note", async () => {
  await using fixture = await setUp();
  const accountId = fixture.bank.foundationAccountId;
  for (const token of Object.values(fixture.bank.tokens)) {
    const treasury = fixture.open("foundation", { accountId, token });
    const { accounts, total_balance } = await treasury.accounts();
    assertEquals(accounts.map(({ id }) => id), [accountId]);
    assertEquals(total_balance, accounts[0].balance);
    const summary = await treasury.summary();
    assertEquals([summary.entity_note, summary.active_accounts], ["", 1]);
    assertEquals(summary.total_balance, total_balance);
    const other = (await fixture.open("commercial").accounts()).accounts
      .find(({ id }) => id !== accountId)!;
    const result = await treasury.transactions({ account_id: other.id, limit: 1, offset: 0 });
    assert(!result.ok && result.error === "not_found");
  }
});

Deno.test("a split surface's unlisted account that returns 404 is pending", async () => {
  await using fixture = await setUp();
  const pendingAccount = { nickname: "Foundation Treasury", last4: "4321" };
  const treasury = fixture.open("foundation", { accountId: "not-yet", pendingAccount });
  assertEquals(await treasury.accounts(), {
    accounts: [],
    total_balance: null,
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
    pending_account: pendingAccount,
  });
  assertEquals(fixture.requests(), { accounts: 1, account: 1 });
  assertEquals(await treasury.summary(), {
    entity: "Open Records Foundation Ltd",
    entity_note: "",
    total_balance: null,
    active_accounts: null,
    pending: true,
    currency: "USD",
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
  });
  fixture.bank.set({ response: 500, operation: "account" });
  const response = await fixture.open("foundation", { accountId: "other" }).accounts();
  assertEquals(response, {
    ...FALLBACK,
    entity_note: "",
    accounts: [],
    message: `The bank returned an error. ${MESSAGE}`,
    reason: "upstream_error",
  });
  fixture.bank.set(null);
  const another = fixture.open("foundation", {
    accountId: "not-mine",
    fetch: (url, init) =>
      fetch(String(url).replace("/not-mine", `/${fixture.bank.foundationAccountId}`), init),
  });
  assertEquals((await another.accounts()).accounts, []);
});

Deno.test("a listed restricted account is shown even if requesting it returns 404", async () => {
  await using fixture = await setUp();
  const { accounts } = await fixture.open("foundation").accounts();
  const { id } = accounts.find(({ status }) => status === "restricted")!;
  fixture.requests();
  const split = fixture.open("foundation", { accountId: id });
  const response = await split.accounts();
  assertEquals(response.accounts.map(({ id, status }) => [id, status]), [[id, "restricted"]]);
  assertEquals(response.total_balance, 0);
  assertEquals(fixture.requests(), { accounts: 1 });
});

Deno.test("refresh() refetches at once and returns the error if that fails", async () => {
  await using fixture = await setUp();
  const { bank, state } = fixture;
  const treasury = fixture.open("commercial");
  await treasury.summary();
  fixture.requests();
  state.now += MINUTE;
  const cached_at = "2026-03-01T20:01:00.000Z";
  assertEquals(await treasury.refresh(), { ok: true, cached_at });
  assertEquals(fixture.requests(), { accounts: 1, organization: 1 });
  assertEquals((await treasury.summary()).cached_at, cached_at);
  assertEquals(fixture.requests(), { transactions: 6 });

  bank.set({ response: 401 });
  assertEquals(await treasury.refresh(), {
    ok: false,
    error: "auth_failed",
    message: "Bank API token invalid or expired",
  });
  const after = await treasury.summary();
  assertEquals("stale" in after && after.stale?.cached_at, cached_at);

  // Only the accounts determine the result, as in the summary.
  bank.set({ response: 500, operation: "organization" });
  state.now += MINUTE;
  const later = "2026-03-01T20:02:00.000Z";
  assertEquals(await treasury.refresh(), { ok: true, cached_at: later });
  const { entity, connection_status } = await treasury.summary();
  assertEquals([entity, connection_status], ["Attest Systems Inc", "live"]);
});

Deno.test("last_activity is the latest transaction of all active accounts, cached for 15 minutes", async () => {
  await using fixture = await setUp();
  const { state } = fixture;
  const treasury = fixture.open("commercial");
  const { accounts } = await treasury.accounts();
  let newest = "";
  for (const { id, status } of accounts) {
    if (status !== "active") continue;
    const { page } = unwrap(await treasury.transactions({ account_id: id, limit: 1, offset: 0 }));
    const { posted_at, created_at } = page.transactions[0];
    for (const time of [posted_at ?? "", created_at]) if (time > newest) newest = time;
  }
  const lastActivity = async () => (await treasury.summary()).last_activity;
  const at = await lastActivity();
  assertEquals(at, newest);
  assert(at && Date.parse(at) <= NOW && Date.parse(at) > NOW - 7 * 24 * 60 * MINUTE);
  assertEquals((await fixture.open("commercial").summary()).last_activity, at);
  fixture.requests();
  state.now += 15 * MINUTE - 1;
  await lastActivity();
  assertEquals(fixture.requests(), {});
  state.now += 1;
  fixture.bank.set({ response: 429, operation: "transactions" });
  assertEquals(await lastActivity(), at);
  assert(fixture.requests().transactions > 0);
});

Deno.test("last_activity skips accounts without transactions", async () => {
  await using fixture = await setUp();
  fixture.bank.set({ response: 404, operation: "transactions", times: 5 });
  const { last_activity } = await fixture.open("commercial").summary();
  assertEquals(typeof last_activity, "string");
  assertEquals(fixture.requests().transactions, 6);
});

Deno.test("transactions are paged and cover the whole history unless dates are given", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  const { accounts } = await treasury.accounts();
  const account_id = accounts[0].id;
  const read = async (query: object) =>
    unwrap(await treasury.transactions({ account_id, limit: 50, offset: 0, ...query })).page;
  const first = await read({});
  const second = await read({ offset: 50 });
  assertEquals([first.limit, first.offset, second.offset], [50, 0, 50]);
  assert(first.total > 700 && first.transactions.length === 50);
  const ids = [...first.transactions, ...second.transactions].map(({ id }) => id);
  assertEquals(new Set(ids).size, 100);
  const oldest = await read({ offset: first.total - 1 });
  assert(Date.parse(oldest.transactions[0].created_at) < NOW - 700 * 24 * 60 * MINUTE);
  assertEquals((await read({ offset: first.total })).transactions, []);
  const january = await read({ start: "2026-01-01", end: "2026-01-31", limit: 500 });
  assert(january.transactions.every(({ created_at }) => created_at.startsWith("2026-01-")));
  assertEquals(january.total, january.transactions.length);
  assert(january.total > 20);
});

Deno.test("transactions of a hidden or unknown account return not_found", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  const { accounts } = await treasury.accounts();
  const listed = new Set(accounts.map(({ id }) => id));
  const response = await fetch(`${fixture.bank.baseUrl}/api/v1/accounts`, {
    headers: { authorization: `Bearer ${fixture.bank.tokens.commercial}` },
  });
  const all: { id: string }[] = (await response.json()).accounts;
  const archived = all.find(({ id }) => !listed.has(id))!;
  const restricted = accounts.find(({ status }) => status === "restricted")!;
  for (const account_id of [archived.id, restricted.id, "nothing", "../organization"]) {
    const result = await treasury.transactions({ account_id, limit: 1, offset: 0 });
    assert(!result.ok && result.error === "not_found", account_id);
  }
});

Deno.test("failed transactions return an error, with the fallback body if the bank is down", async () => {
  await using fixture = await setUp();
  const { bank, state } = fixture;
  const treasury = fixture.open("commercial");
  const { accounts, total_balance, cached_at } = await treasury.accounts();
  const query = { account_id: accounts[0].id, limit: 1, offset: 0 };
  bank.set({ response: 429 });
  const limited = {
    ok: false,
    error: "rate_limited",
    message: "The bank is limiting requests. Try again in a minute.",
  } as const;
  assertEquals(await treasury.transactions(query), limited);

  state.now += 15 * MINUTE;
  const fallback = {
    ...FALLBACK,
    message: `${limited.message} ${MESSAGE}`,
    entity_note: "",
    last_activity: null,
    cached_at: "2026-03-01T20:15:00.000Z",
    reason: "rate_limited",
  };
  const stale = { total_balance, active_accounts: 6, cached_at };
  const down = { ...limited, fallback: { ...fallback, stale } };
  assertEquals(await treasury.transactions(query), down);
  const unknown = { ...query, account_id: "maybe-new" };
  assertEquals(await treasury.transactions(unknown), down);
  await using empty = await setUp();
  empty.bank.set({ response: 429 });
  const cold = empty.open("commercial").transactions(query);
  assertEquals(await cold, {
    ...limited,
    fallback: { ...fallback, cached_at: "2026-03-01T20:00:00.000Z" },
  });

  // Transactions can be requested for the last known accounts.
  bank.set({ response: 429, operation: "accounts" });
  assertEquals(unwrap(await treasury.transactions(query)).page.transactions.length, 1);
});

Deno.test("3,000 accounts are stored and summed exactly", async () => {
  await using fixture = await setUp({ extraAccounts: 3_000, pageSize: 700 });
  const { bank } = fixture;
  const treasury = fixture.open("foundation");
  const first = await treasury.accounts();
  assert(JSON.stringify(first).length > 6 * 65_536);
  assertEquals(fixture.requests(), { accounts: 5 });
  assertEquals(await fixture.open("foundation").accounts(), first);
  assertEquals(fixture.requests(), {});
  assertEquals(first.accounts.length, 3_007);
  const own = await expectedTotal(bank.baseUrl, bank.tokens.foundation);
  const seen = first.accounts.slice(0, 699).filter(({ status }) => status === "active");
  const rest = first.accounts.slice(699).map(({ balance }) => Math.round(balance! * 100));
  assert(seen.length === 698);
  assertEquals(
    Math.round(first.total_balance! * 100),
    Math.round(own * 100) + rest.reduce((sum, cents) => sum + cents, 0),
  );
});

Deno.test("the history has totals of active accounts, and of no others", async () => {
  await using fixture = await setUp();
  const history = unwrap(await fixture.open("commercial").history());
  assertEquals(history.cached_at, new Date(NOW).toISOString());
  const [restricted] = history.accounts.filter(({ account }) => account.status !== "active");
  assertEquals(restricted.totals, null);
  const active = history.accounts.filter(({ account }) => account.status === "active");
  for (const { totals } of active) {
    assertEquals(totals?.state, "live");
    assert(totals!.days.length > 40);
  }
  assertEquals(fixture.requests(), { accounts: 1, transactions: 12 });
});

Deno.test("the history requests transactions again once the balances are newer", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  await treasury.history();
  fixture.requests();
  fixture.state.now += 14 * MINUTE;
  await treasury.history();
  assertEquals(fixture.requests(), {});
  await treasury.refresh();
  await treasury.history();
  assertEquals(fixture.requests(), { accounts: 1, organization: 1, transactions: 6 });
  fixture.state.now += 15 * MINUTE;
  await treasury.history();
  assertEquals(fixture.requests(), { accounts: 1, transactions: 6 });
});

Deno.test("a read of transactions that began before the balances is not used for them", async () => {
  await using fixture = await setUp();
  // The bank's responses arrive when the second reader has read what is stored, too.
  const ready = Promise.withResolvers<void>();
  let read = 0;
  const counts = (call: KvCall) => {
    read += call.keys.filter(([table]) => table === "bank_daily").length;
    if (call.name !== "commit" && read === 2 * 6) setTimeout(ready.resolve, 20);
  };
  let requests = 0;
  const treasury = fixture.open("commercial", {
    kv: holdKv(fixture.kv, () => Promise.resolve(), counts),
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (String(url).includes("/transactions")) {
        requests++;
        await ready.promise;
      }
      return response;
    },
  });
  const limit = new AbortController().signal;
  const earlier = treasury.history(limit);
  await until(() => requests === 6, "the bank has sent the first transactions");
  fixture.state.now += 1;
  const refreshed = unwrap(await treasury.refresh());
  const later = treasury.history(limit);
  assertEquals(unwrap(await later).cached_at, refreshed.cached_at);
  assert(unwrap(await earlier).cached_at < refreshed.cached_at);
  assert(requests >= 18, `${requests} requests`);
});

const DETAILS = "description memo expected_at failed_at failure_reason bank_url".split(" ");

const withoutDetails = (transaction: object) =>
  Object.fromEntries(Object.entries(transaction).filter(([name]) => !DETAILS.includes(name)));

Deno.test("the latest transactions are those of all active accounts, read again each time", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  const sent = [];
  for (const { id, status } of (await treasury.accounts()).accounts) {
    if (status !== "active") continue;
    for await (const result of treasury.pages({ account_id: id })) {
      for (const one of unwrap(result).page.transactions) sent.push({ ...one.read(), account: id });
    }
  }
  const newest = sent.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  fixture.requests();
  const { transactions, error } = await treasury.latest(8);
  assertEquals(error, undefined);
  assertEquals(
    transactions?.map((one): object => ({ ...one, account: one.account.id })),
    newest.slice(0, 8).map(withoutDetails),
  );
  await Promise.all([treasury.latest(8), treasury.latest(8)]);
  assertEquals(fixture.requests(), { transactions: 12 });
});

Deno.test("accounts that are not shared are missing among the latest transactions, and failures are reported", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  await treasury.accounts();
  fixture.bank.set({ response: 404, operation: "transactions", times: 5 });
  const ofOne = await treasury.latest(8);
  assertEquals([ofOne.transactions?.length, ofOne.error], [8, undefined]);
  fixture.bank.set({ response: 401, operation: "transactions", times: 5 });
  const incomplete = await treasury.latest(8);
  assertEquals([incomplete.transactions?.length, incomplete.error], [8, "auth_failed"]);
  fixture.bank.set({ response: 401, operation: "transactions" });
  assertEquals(await treasury.latest(8), { transactions: null, error: "auth_failed" });
});

Deno.test("the foundation's history and latest transactions make no requests for transactions", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("foundation");
  const { accounts } = unwrap(await treasury.history());
  assertEquals(accounts.map(({ totals }) => totals), accounts.map(() => null));
  assertEquals((await treasury.latest(8)).transactions, []);
  assertEquals(fixture.requests(), { accounts: 1 });
});

Deno.test("the history has the last known accounts and totals while the bank is down", async () => {
  await using fixture = await setUp();
  const treasury = fixture.open("commercial");
  const cold = await fixture.open("commercial", { token: "secret-token:wrong" }).history();
  assert(!cold.ok && cold.error === "auth_failed");
  const before = unwrap(await treasury.history());
  fixture.state.now += 20 * MINUTE;
  fixture.bank.set({ response: 500 });
  const after = unwrap(await treasury.history());
  assertEquals([after.reason, after.cached_at], ["upstream_error", before.cached_at]);
  for (const [i, { account, totals }] of after.accounts.entries()) {
    assertEquals(account, before.accounts[i].account);
    assertEquals(totals?.days, before.accounts[i].totals?.days);
    assertEquals(totals?.state, account.status === "active" ? "stale" : undefined);
  }
});

Deno.test("a slow bank delays neither the history nor the summary by more than one timeout", async () => {
  await using fixture = await setUp({ extraAccounts: 20 });
  await fixture.open("commercial").refresh();
  let requests = 0;
  const treasury = fixture.open("commercial", {
    timeoutMs: 60,
    // Counted here, because on a busy machine none may reach the bank in time.
    fetch(url, init) {
      if (!init!.signal!.aborted) requests++;
      return fetch(url, init);
    },
  });
  fixture.bank.set({ response: "slow", operation: "transactions" });
  const [history, summary] = await Promise.all([treasury.history(), treasury.summary()]);
  // With one timeout per operation, all 26 accounts would be requested, six at a time.
  assert(requests <= 12, `${requests} requests`);
  for (const { account, totals } of unwrap(history).accounts) {
    assertEquals(totals?.state, account.status === "active" ? "unavailable" : undefined);
  }
  assertEquals([summary.connection_status, summary.last_activity], ["live", null]);
});

Deno.test("the summary's timeout covers the accounts and the last activity together", async () => {
  await using fixture = await setUp();
  using deadlines = heldDeadlines();
  const accounts = [{ id: "1", status: "active", balance: 1, last4: "1234" }];
  const organization = { legalName: "Attest" };
  const response = Promise.withResolvers<Response>();
  const treasury = fixture.open("commercial", {
    timeoutMs: 250,
    async fetch(url) {
      if (String(url).includes("/transactions")) {
        // The request has a deadline of its own. That of the summary began before the accounts were read.
        deadlines.end((ms) => ms < 240);
        return await response.promise;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
      return Response.json({ accounts, organization });
    },
  });
  const { connection_status, last_activity } = await treasury.summary();
  assertEquals([connection_status, last_activity], ["live", null]);
  response.resolve(Response.json({ transactions: [] }));
});

Deno.test("accounts that are cached with the bank's own statuses are read again", async () => {
  await using fixture = await setUp();
  const { bank, kv } = fixture;
  const digest = createHash("sha256").update(bank.tokens.commercial).digest("hex");
  const key = ["bank_cache", `commercial:mercury-${digest.slice(0, 16)}`, "bank:accounts"];
  const times = { cached_at: "2026-03-01T19:50:00.000Z", expires_at: "2026-03-01T20:05:00.000Z" };
  const store = (...statuses: string[]) => {
    const data = JSON.stringify(statuses.map((status) => account(status, { status } as Account)));
    return kv.set(key, { cache_key: "bank:accounts", data, ...times });
  };
  await store("active");
  const known = await fixture.open("commercial").accounts();
  assertEquals([known.accounts, known.cached_at], [[account("active")], times.cached_at]);
  assertEquals(fixture.requests(), {});

  await store("active", "pending", "archived");
  bank.set({ response: 500 });
  const down = await fixture.open("commercial").summary();
  assertEquals([down.connection_status, "stale" in down], ["not_connected", false]);
  bank.set(null);
  assertEquals((await fixture.open("commercial").accounts()).accounts.length, 7);
});

Deno.test("a treasury needs no more of a bank than the provider's interface", async () => {
  using kv = await openKv(":memory:");
  const bank = Object.assign(createMemoryBank({ largestPage: 2 }), {
    accounts: [
      account("a1", { balance: 10.1 }),
      account("a2", { balance: 0.2 }),
      account("a3", { balance: 5, status: "restricted" }),
    ],
    transactions: [
      transaction("t1", { amount: -4, kind: "lease", status: "done", note: "Rent" }),
      transaction("t2", { amount: 3, kind: "sweep", status: "done", own_transfer: true }),
      transaction("t3", { amount: -2, kind: "lease", status: "bounced", state: "failed" }),
    ],
  });
  const clock = () => NOW;
  const treasury = createTreasury({ surface: "commercial", provider: bank, kv, clock });
  const { total_balance, active_accounts, last_activity, entity } = await treasury.summary();
  assertEquals([entity, total_balance, active_accounts], ["Memory Ltd", 10.3, 2]);
  assertEquals(last_activity, "2026-03-01T10:00:00.000Z");
  assertEquals((await treasury.accounts()).accounts, bank.accounts);

  const query = { account_id: "a1", limit: 50, offset: 0 };
  const { page } = unwrap(await treasury.transactions({ ...query, kind: "lease" }));
  assertEquals(page.transactions.map(({ id, status }) => [id, status]), [
    ["t1", "done"],
    ["t3", "bounced"],
  ]);
  assertEquals(Object.keys(page), ["account_id", "limit", "offset", "total", "transactions"]);
  assertEquals(Object.keys(page.transactions[0]).length, 14, "our own terms are not in the API");
  const found = [];
  for await (const result of treasury.pages({ account_id: "a1" })) found.push(unwrap(result).page);
  assertEquals(found.map(({ transactions }) => transactions.length), [2, 1]);
  const [{ totals }] = unwrap(await treasury.history()).accounts;
  assertEquals(totals?.days, [{ day: "2026-03-01", in: 0n, out: -400n, transfers: 300n }]);

  bank.failure = { error: "rate_limited" };
  assertEquals(await treasury.probe(), { error: "rate_limited" });
  const refreshed = await treasury.refresh();
  assert(!refreshed.ok && refreshed.error === "rate_limited");
  assertEquals((await treasury.summary()).connection_status, "not_connected");
});

Deno.test("an active account held in trust is part of the total, and named below it", async () => {
  await using fixture = await setUp();
  const trust = { accountId: FOUNDATION_ACCOUNT_ID, owner: "Open Records Foundation" };
  const treasury = fixture.open("commercial", { trust });
  const summary = await treasury.summary();
  if (summary.connection_status !== "live") throw new Error(summary.message);
  const { total_balance, held_in_trust } = summary;
  const { accounts } = await treasury.accounts();
  const { balance } = accounts.find(({ id }) => id === FOUNDATION_ACCOUNT_ID)!;
  assertEquals(held_in_trust, {
    for: "Open Records Foundation",
    amount: balance,
    own_funds: sumAmounts([total_balance!, -balance!]),
  });
  const unlisted = fixture.open("commercial", { trust: { ...trust, accountId: "unlisted" } });
  assertEquals("held_in_trust" in await unlisted.summary(), false);
});
