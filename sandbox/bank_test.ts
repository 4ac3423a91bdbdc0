import { assert, assertEquals } from "@std/assert";
import { DAY_MS as DAY } from "../lib/base/time.ts";
import { until } from "../lib/testing/until.ts";
import { startBankSandbox } from "./bank.ts";
import { createBank } from "./bank_data.ts";
import { transactionsUntil } from "./bank_transactions.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");

Deno.test("the data depends only on the time, and a day's transactions never change", () => {
  assertEquals(createBank("commercial", NOW), createBank("commercial", NOW));
  const { id } = createBank("commercial", NOW).accounts[0];
  const amountsOf = (now: number, day: string) =>
    transactionsUntil(id, now).filter(({ createdAt }) => createdAt.startsWith(day))
      .map(({ id, amount }) => [id, amount]);
  const day = "2026-01-14";
  assert(amountsOf(NOW, day).length > 0);
  const atItsEnd = Date.parse(day) + DAY - 1; // before the day is kept for later calls
  assertEquals(amountsOf(atItsEnd, day), amountsOf(NOW, day));
  assertEquals(amountsOf(NOW + 90 * DAY, day), amountsOf(NOW, day));
});

Deno.test("transactions cover the two years up to now, in order", () => {
  for (const { id, status } of createBank("foundation", NOW).accounts) {
    if (status !== "active") continue;
    const transactions = transactionsUntil(id, NOW);
    const times = transactions.map(({ createdAt }) => Date.parse(createdAt));
    assertEquals(times, times.toSorted((a, b) => a - b));
    assert(times[0] < NOW - 725 * DAY && times[0] > NOW - 732 * DAY);
    assert(times.at(-1)! <= NOW && times.at(-1)! > NOW - 5 * DAY);
    assertEquals(new Set(transactions.map(({ id }) => id)).size, transactions.length);
    assert(transactions.some(({ amount }) => amount > 0));
    assert(transactions.some(({ amount }) => amount < 0));
    const cents = transactions.map(({ amount }) => amount * 100);
    assert(cents.every((value) => Math.abs(value - Math.round(value)) < 1e-6));
    assert(
      transactions.every(({ status, postedAt }) => (status === "sent") === (postedAt !== null)),
    );
  }
});

Deno.test("each organisation has six active accounts, a restricted one and an archived one", () => {
  const banks = [createBank("foundation", NOW), createBank("commercial", NOW)];
  for (const { accounts, restricted } of banks) {
    const statuses = accounts.map(({ status }) => status);
    assertEquals(statuses.filter((status) => status === "active").length, 6);
    assertEquals(statuses.filter((status) => status === "archived").length, 1);
    assertEquals(restricted.size, 1);
    assert(accounts.every(({ currentBalance }) => currentBalance >= 0));
  }
  const shared = banks[0].accounts.filter(({ id }) =>
    banks[1].accounts.some((other) => other.id === id)
  );
  assertEquals(shared.length, 1);
});

Deno.test("the HTTP API has the provider's defaults, limits, pages and errors", async () => {
  await using bank = startBankSandbox({ clock: () => NOW, pageSize: 5 });
  const get = async (path: string, token = bank.tokens.foundation) => {
    const response = await fetch(`${bank.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, body: await response.json() };
  };
  const transactions = `account/${bank.foundationAccountId}/transactions`;
  const recent = (await get(transactions)).body;
  const all = (await get(`${transactions}?start=2000-01-01&limit=1000`)).body;
  assert(recent.total > 20 && recent.total < 100 && all.total > 700);
  assertEquals(all.transactions.length, 5);
  assert(recent.transactions[0].createdAt > recent.transactions[4].createdAt);
  const { createdAt } = (await get(`${transactions}?order=asc`)).body.transactions[0];
  assert(Date.parse(createdAt) >= NOW - 30 * DAY);
  const one = (await get(`${transactions}?start=2026-01-14&end=2026-01-14`)).body;
  assert(one.total > 0);

  const { accounts, page } = (await get("accounts")).body;
  assertEquals([accounts.length, page.nextPage], [5, accounts[4].id]);
  const rest = (await get(`accounts?start_after=${page.nextPage}`)).body;
  assertEquals([rest.accounts.length, rest.page], [3, {}]);
  const restricted = rest.accounts.find(({ status }: { status: string }) => status === "pending");

  const errors: [path: string, status: number, token?: string][] = [
    ["accounts", 401, "secret-token:other"],
    [`account/${restricted.id}`, 404],
    [`account/${restricted.id}/transactions`, 404],
    ["account/nothing", 404],
    ["recipients", 404],
    [`${transactions}?limit=0`, 400],
    [`${transactions}?limit=1001`, 400],
    [`${transactions}?offset=-1`, 400],
    [`${transactions}?start=soon`, 400],
    [`${transactions}?order=random`, 400],
    ["accounts?start_after=nothing", 400],
  ];
  for (const [path, status, token] of errors) {
    const response = await get(path, token);
    assertEquals(response.status, status, path);
    assertEquals(typeof response.body.errors.message, "string", path);
  }
});

Deno.test("a fault applies to its operation the given number of times, or until it is cleared", async () => {
  await using bank = startBankSandbox();
  const status = async (path: string) => {
    const response = await fetch(`${bank.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${bank.tokens.commercial}` },
    });
    await response.body?.cancel();
    return response.status;
  };
  bank.set({ response: 429, operation: "accounts", times: 2 });
  const statuses = [];
  for (const path of ["organization", "accounts", "accounts", "accounts"]) {
    statuses.push(await status(path));
  }
  assertEquals(statuses, [200, 429, 429, 200]);
  bank.set({ response: 503 });
  assertEquals(await status("organization"), 503);
  bank.set(null);
  assertEquals(await status("organization"), 200);
  assertEquals(bank.requests.map(({ operation }) => operation).slice(0, 2), [
    "organization",
    "accounts",
  ]);
});

Deno.test("stop() does not wait for a delayed response", async () => {
  const bank = startBankSandbox();
  bank.set({ response: "slow" });
  const delayed = fetch(`${bank.baseUrl}/api/v1/organization`).then((response) => response.text());
  await until(() => bank.requests.length > 0, "the bank received the request");
  await bank.stop();
  await delayed;
});
