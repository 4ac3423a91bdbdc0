import { assert, assertEquals } from "@std/assert";
import { type BankSandboxOptions, startBankSandbox } from "../../sandbox/bank.ts";
import { openKv } from "../kv/mod.ts";
import { createTreasury, type TreasuryOptions } from "./treasury.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const MINUTE = 60_000;
const PROOF = "This is a proof of connection, pending the foundation's own banking organisation.";
const MESSAGE =
  "Generate a provider API token and set it as the token secret FOUNDATION_BANK_API_TOKEN.";

/** A bank, a store and a clock, for treasuries of either surface. */
async function setUp(options: BankSandboxOptions = {}) {
  const state = { now: NOW };
  const clock = () => state.now;
  const bank = startBankSandbox({ clock, ...options });
  const kv = await openKv(":memory:");
  return {
    state,
    bank,
    open: (surface: "foundation" | "commercial", change: Partial<TreasuryOptions> = {}) =>
      createTreasury({
        surface,
        baseUrl: bank.baseUrl,
        token: bank.tokens[surface],
        tokenSecret: "FOUNDATION_BANK_API_TOKEN",
        kv,
        clock,
        fetch,
        pause: () => Promise.resolve(),
        ...change,
      }),
    /** How often each operation was asked for since the last time. */
    asked() {
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
const NO_ACCOUNTS = {
  accounts: [],
  total_balance: null,
  cached_at: null,
  connection_status: "not_connected",
};

/** What the sandbox's accounts come to, in cents and by hand. */
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

Deno.test("a live summary has the fields of the spec, and the sum of the active accounts", async () => {
  await using world = await setUp();
  const { bank } = world;
  assertEquals(await world.open("foundation").summary(), {
    entity: "Open Records Foundation Ltd",
    entity_note: PROOF,
    total_balance: await expectedTotal(bank.baseUrl, bank.tokens.foundation),
    active_accounts: 6,
    currency: "USD",
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
  });
});

Deno.test("restricted accounts are listed and not counted, archived ones are not there", async () => {
  await using world = await setUp();
  const { bank } = world;
  const { accounts, ...rest } = await world.open("commercial").accounts();
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

Deno.test("without a token the fallback body is given, and nobody is asked", async () => {
  await using world = await setUp();
  for (const token of [undefined, ""]) {
    const treasury = world.open("foundation", { token });
    assertEquals(await treasury.summary(), FALLBACK);
    assertEquals(await treasury.accounts(), NO_ACCOUNTS);
    const error = { error: "not_connected", message: MESSAGE };
    assertEquals(await treasury.refresh(), error);
    assertEquals(await treasury.transactions({ account_id: "a", limit: 1, offset: 0 }), FALLBACK);
  }
  const commercial = world.open("commercial", { token: undefined });
  assertEquals(await commercial.summary(), { ...FALLBACK, entity_note: "", last_activity: null });
  assertEquals(world.asked(), {});
});

const UNREACHABLE = [
  [401, "auth_failed"],
  [404, "not_found"],
  [429, "rate_limited"],
  [500, "upstream_error"],
  ["cut_off", "network_error"],
  ["slow", "network_error"],
  ["garbage", "invalid_response"],
  ["redirect", "upstream_error"],
] as const;

for (const [answer, reason] of UNREACHABLE) {
  Deno.test(`${answer} counts as unreachable: ${reason}, with the last good data if any`, async () => {
    await using world = await setUp();
    const { bank, state } = world;
    const cold = world.open("foundation", { timeoutMs: answer === "slow" ? 40 : 8_000 });
    bank.set({ answer });
    assertEquals(await cold.summary(), { ...FALLBACK, reason });
    assertEquals(await cold.accounts(), { ...NO_ACCOUNTS, reason });

    bank.set(null);
    const warm = await world.open("foundation").summary();
    bank.set({ answer });
    state.now += 15 * MINUTE;
    const { total_balance, active_accounts, cached_at } = warm;
    assertEquals(await cold.summary(), {
      ...FALLBACK,
      cached_at: "2026-03-01T20:15:00.000Z",
      reason,
      stale: { total_balance, active_accounts, cached_at },
    });
    assertEquals(await cold.accounts(), { ...NO_ACCOUNTS, reason });

    bank.set(null);
    assertEquals((await world.open("foundation").summary()).connection_status, "live");
  });
}

Deno.test("what is cached is shown while the provider is away, to the end of its lifetime", async () => {
  await using world = await setUp();
  const treasury = world.open("foundation");
  const first = await treasury.summary();
  world.bank.set({ answer: 500 });
  world.state.now += 15 * MINUTE - 1;
  assertEquals(await treasury.summary(), first);
  assertEquals(world.asked(), { accounts: 1, organization: 1 });
  world.state.now += 1;
  assertEquals((await treasury.summary()).connection_status, "not_connected");
});

Deno.test("an entity that is not told is pending, and its old name is kept", async () => {
  await using world = await setUp();
  const treasury = world.open("foundation");
  world.bank.set({ answer: 403, operation: "organization" });
  const { entity, connection_status } = await treasury.summary();
  assertEquals([entity, connection_status], ["Pending", "live"]);
  world.bank.set(null);
  await treasury.summary();
  world.state.now += 24 * 60 * MINUTE;
  world.bank.set({ answer: 403, operation: "organization" });
  assertEquals((await treasury.summary()).entity, "Open Records Foundation Ltd");
});

Deno.test("50 cold reads at once make one call of each operation", async () => {
  await using world = await setUp();
  const treasury = world.open("commercial");
  const reads = Array.from(
    { length: 50 },
    (_, i) => i % 2 ? treasury.summary() : treasury.accounts(),
  );
  await Promise.all(reads);
  // One for each of the six active accounts, of which the last activity is the newest.
  assertEquals(world.asked(), { accounts: 1, organization: 1, transactions: 6 });
  await treasury.summary();
  assertEquals(world.asked(), {});
});

Deno.test("a swapped token shows the other entity at once, swapped back the first", async () => {
  await using world = await setUp();
  const { tokens } = world.bank;
  const entities = [];
  for (const token of [tokens.foundation, tokens.commercial, tokens.foundation]) {
    const treasury = world.open("foundation", { token });
    const { entity, total_balance } = await treasury.summary();
    assertEquals(total_balance, (await treasury.accounts()).total_balance);
    entities.push(entity);
  }
  assertEquals(entities, [
    "Open Records Foundation Ltd",
    "Attest Systems Inc",
    "Open Records Foundation Ltd",
  ]);
  const wrong = world.open("foundation", { token: "secret-token:of-nobody" });
  assertEquals(await wrong.summary(), { ...FALLBACK, reason: "auth_failed" });
});

Deno.test("a split surface shows its one account, without the note", async () => {
  await using world = await setUp();
  const accountId = world.bank.foundationAccountId;
  for (const token of Object.values(world.bank.tokens)) {
    const treasury = world.open("foundation", { accountId, token });
    const { accounts, total_balance } = await treasury.accounts();
    assertEquals(accounts.map(({ id }) => id), [accountId]);
    assertEquals(total_balance, accounts[0].balance);
    const summary = await treasury.summary();
    assertEquals([summary.entity_note, summary.active_accounts], ["", 1]);
    assertEquals(summary.total_balance, total_balance);
    const other = (await world.open("commercial").accounts()).accounts
      .find(({ id }) => id !== accountId)!;
    const asked = await treasury.transactions({ account_id: other.id, limit: 1, offset: 0 });
    assert("error" in asked && asked.error === "not_found");
  }
});

Deno.test("a split surface's account that nobody lists and that answers 404 is pending", async () => {
  await using world = await setUp();
  const pendingAccount = { nickname: "Foundation Treasury", last4: "4321" };
  const treasury = world.open("foundation", { accountId: "not-yet", pendingAccount });
  assertEquals(await treasury.accounts(), {
    accounts: [],
    total_balance: 0,
    cached_at: "2026-03-01T20:00:00.000Z",
    connection_status: "live",
    pending_account: pendingAccount,
  });
  assertEquals(world.asked(), { accounts: 1, account: 1 });
  world.bank.set({ answer: 500, operation: "account" });
  const answer = await world.open("foundation", { accountId: "other" }).accounts();
  assertEquals(answer, { ...NO_ACCOUNTS, reason: "upstream_error" });
  world.bank.set(null);
  const another = world.open("foundation", {
    accountId: "not-mine",
    fetch: (url, init) =>
      fetch(String(url).replace("/not-mine", `/${world.bank.foundationAccountId}`), init),
  });
  assertEquals((await another.accounts()).accounts, []);
});

Deno.test("a restricted account that is listed is shown, though it answers 404 on its own", async () => {
  await using world = await setUp();
  const { accounts } = await world.open("foundation").accounts();
  const { id } = accounts.find(({ status }) => status === "restricted")!;
  world.asked();
  const split = world.open("foundation", { accountId: id });
  const answer = await split.accounts();
  assertEquals(answer.accounts.map(({ id, status }) => [id, status]), [[id, "restricted"]]);
  assertEquals(answer.total_balance, 0);
  assertEquals(world.asked(), { accounts: 1 });
});

Deno.test("refresh fetches again at once, and says why it could not", async () => {
  await using world = await setUp();
  const { bank, state } = world;
  const treasury = world.open("commercial");
  await treasury.summary();
  world.asked();
  state.now += MINUTE;
  const cached_at = "2026-03-01T20:01:00.000Z";
  assertEquals(await treasury.refresh(), { refreshed: true, cached_at });
  assertEquals(world.asked(), { accounts: 1, organization: 1 });
  assertEquals((await treasury.summary()).cached_at, cached_at);
  assertEquals(world.asked(), { transactions: 6 });

  bank.set({ answer: 401 });
  assertEquals(await treasury.refresh(), {
    error: "auth_failed",
    message: "Bank API token invalid or expired",
  });
  const after = await treasury.summary();
  assertEquals("stale" in after && after.stale?.cached_at, cached_at);

  // The accounts decide, as in the summary: their figures are new.
  bank.set({ answer: 500, operation: "organization" });
  state.now += MINUTE;
  const later = "2026-03-01T20:02:00.000Z";
  assertEquals(await treasury.refresh(), { refreshed: true, cached_at: later });
  const { entity, connection_status } = await treasury.summary();
  assertEquals([entity, connection_status], ["Attest Systems Inc", "live"]);
});

Deno.test("last activity is the newest movement of all active accounts, for 15 minutes", async () => {
  await using world = await setUp();
  const { state } = world;
  const treasury = world.open("commercial");
  const { accounts } = await treasury.accounts();
  let newest = "";
  for (const { id, status } of accounts) {
    if (status !== "active") continue;
    const page = await treasury.transactions({ account_id: id, limit: 1, offset: 0 });
    if (!("transactions" in page)) throw new Error(JSON.stringify(page));
    const { posted_at, created_at } = page.transactions[0];
    for (const time of [posted_at ?? "", created_at]) if (time > newest) newest = time;
  }
  const lastActivity = async () => (await treasury.summary()).last_activity;
  const at = await lastActivity();
  assertEquals(at, newest);
  assert(at && Date.parse(at) <= NOW && Date.parse(at) > NOW - 7 * 24 * 60 * MINUTE);
  assertEquals((await world.open("commercial").summary()).last_activity, at);
  world.asked();
  state.now += 15 * MINUTE - 1;
  await lastActivity();
  assertEquals(world.asked(), {});
  state.now += 1;
  world.bank.set({ answer: 429, operation: "transactions" });
  assertEquals(await lastActivity(), at);
  assert(world.asked().transactions > 0);
});

Deno.test("an account that tells no transactions is left out of the last activity", async () => {
  await using world = await setUp();
  world.bank.set({ answer: 404, operation: "transactions", times: 5 });
  const { last_activity } = await world.open("commercial").summary();
  assertEquals(typeof last_activity, "string");
  assertEquals(world.asked().transactions, 6);
});

Deno.test("transactions come in pages, over the whole history unless dates are given", async () => {
  await using world = await setUp();
  const treasury = world.open("commercial");
  const { accounts } = await treasury.accounts();
  const account_id = accounts[0].id;
  const read = async (query: object) => {
    const page = await treasury.transactions({ account_id, limit: 50, offset: 0, ...query });
    if (!("transactions" in page)) throw new Error(JSON.stringify(page));
    return page;
  };
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

Deno.test("transactions of accounts that are not shown are not_found", async () => {
  await using world = await setUp();
  const treasury = world.open("commercial");
  const { accounts } = await treasury.accounts();
  const listed = new Set(accounts.map(({ id }) => id));
  const response = await fetch(`${world.bank.baseUrl}/api/v1/accounts`, {
    headers: { authorization: `Bearer ${world.bank.tokens.commercial}` },
  });
  const all: { id: string }[] = (await response.json()).accounts;
  const archived = all.find(({ id }) => !listed.has(id))!;
  const restricted = accounts.find(({ status }) => status === "restricted")!;
  for (const account_id of [archived.id, restricted.id, "nothing", "../organization"]) {
    const answer = await treasury.transactions({ account_id, limit: 1, offset: 0 });
    assert("error" in answer && answer.error === "not_found", account_id);
  }
});

Deno.test("transactions that cannot be had are an error while connected, else the fallback body", async () => {
  await using world = await setUp();
  const { bank, state } = world;
  const treasury = world.open("commercial");
  const { accounts, total_balance, cached_at } = await treasury.accounts();
  const query = { account_id: accounts[0].id, limit: 1, offset: 0 };
  bank.set({ answer: 429 });
  assertEquals(await treasury.transactions(query), {
    error: "rate_limited",
    message: "The bank asks for a pause. Try again in a minute.",
  });

  state.now += 15 * MINUTE;
  const fallback = {
    ...FALLBACK,
    entity_note: "",
    last_activity: null,
    cached_at: "2026-03-01T20:15:00.000Z",
    reason: "rate_limited",
  };
  const stale = { total_balance, active_accounts: 6, cached_at };
  assertEquals(await treasury.transactions(query), { ...fallback, stale });
  const unknown = { ...query, account_id: "maybe-new" };
  assertEquals(await treasury.transactions(unknown), { ...fallback, stale });
  await using empty = await setUp();
  empty.bank.set({ answer: 429 });
  const cold = empty.open("commercial").transactions(query);
  assertEquals(await cold, { ...fallback, cached_at: "2026-03-01T20:00:00.000Z" });

  // What is known of the accounts is enough to ask for their transactions.
  bank.set({ answer: 429, operation: "accounts" });
  const answer = await treasury.transactions(query);
  assert("transactions" in answer && answer.transactions.length === 1);
});

Deno.test("thousands of accounts are stored and summed without loss", async () => {
  await using world = await setUp({ extraAccounts: 3_000, pageSize: 700 });
  const { bank } = world;
  const treasury = world.open("foundation");
  const first = await treasury.accounts();
  assert(JSON.stringify(first).length > 6 * 65_536);
  assertEquals(world.asked(), { accounts: 5 });
  assertEquals(await world.open("foundation").accounts(), first);
  assertEquals(world.asked(), {});
  assertEquals(first.accounts.length, 3_007);
  // Each of them has a balance of $100.01 and one cent more than the one before.
  const own = await expectedTotal(bank.baseUrl, bank.tokens.foundation);
  const seen = first.accounts.slice(0, 699).filter(({ status }) => status === "active");
  const rest = first.accounts.slice(699).map(({ balance }) => Math.round(balance * 100));
  assert(seen.length === 698);
  assertEquals(
    Math.round(first.total_balance! * 100),
    Math.round(own * 100) + rest.reduce((sum, cents) => sum + cents, 0),
  );
});
