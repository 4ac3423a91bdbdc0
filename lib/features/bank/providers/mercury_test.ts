import { assert, assertEquals } from "@std/assert";
import { type BankSandbox, startBankSandbox } from "../../../../sandbox/bank.ts";
import type { BankFault } from "../../../../sandbox/bank_responses.ts";
import type { Schedule } from "../../../base/schedule.ts";
import { HANG_MS } from "../../../testing/times.ts";
import { type BankError, isBankError } from "../provider.ts";
import type { AdapterOptions } from "./adapter.ts";
import { createMercury } from "./mercury.ts";

const AUTH_FAILED: BankError = {
  error: "auth_failed",
  message: "Bank API token invalid or expired",
};

/** Returns a client that does not wait before retries, and the pauses that it requested. */
function clientOf(bank: BankSandbox, options: Partial<AdapterOptions> = {}) {
  const pauses: number[] = [];
  const client = createMercury({
    baseUrl: bank.baseUrl,
    token: bank.tokens.commercial,
    fetch,
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
    timeoutMs: HANG_MS,
    ...options,
  });
  return { client, pauses };
}

/**
 * Runs each operation with one fault. Returns the failure, the number of requests and the pauses.
 */
async function underFault(fault: BankFault, options: Partial<AdapterOptions> = {}) {
  await using bank = startBankSandbox();
  const { client, pauses } = clientOf(bank, options);
  const id = bank.foundationAccountId;
  const operations = [
    client.getAccounts,
    () => client.getAccount(id),
    () => client.getTransactions(id, { limit: 50 }),
    client.getOrganization,
  ];
  const results = [];
  for (const operation of operations) {
    bank.set(fault);
    const before = bank.requests.length;
    const result = await operation();
    const failure = isBankError(result) ? result : null;
    results.push({ failure, requests: bank.requests.length - before, pauses: pauses.splice(0) });
  }
  assert(
    bank.requests.every(({ operation }) => operation !== undefined),
    "an unknown path was requested",
  );
  return results;
}

/** Returns the same result for each operation. */
const always = (failure: BankError | null, requests: number, pauses: number[]) =>
  Array.from({ length: 4 }, () => ({ failure, requests, pauses }));

function dataOf<Data extends object>(result: Data | BankError): Data {
  if (isBankError(result)) throw new Error(JSON.stringify(result));
  return result;
}

Deno.test("the client reads accounts, one account, the organisation and transactions", async () => {
  // The sandbox's figures change at midnight.
  const now = Date.now();
  await using bank = startBankSandbox({ clock: () => now });
  const { client } = clientOf(bank);
  const accounts = dataOf(await client.getAccounts());
  assertEquals(accounts.map(({ status }) => status), [
    ...Array.from({ length: 6 }, () => "active"),
    "restricted",
  ]);
  assertEquals(await client.getAccount(accounts[0].id), accounts[0]);
  assertEquals(await client.getAccount(accounts[6].id), { error: "not_found" });
  assertEquals(await client.getOrganization(), {
    name: "Attest Systems Inc",
    tax_identifier: "00-7654321",
    trade_names: ["Attest"],
  });
  const opts = { limit: 7, offset: 14, start: "2020-01-01" };
  const page = dataOf(await client.getTransactions(accounts[0].id, opts));
  assertEquals(page.transactions.length, 7);
  assert(page.total! > 500);
  assertEquals(
    bank.requests.at(-1)?.path,
    `/api/v1/account/${accounts[0].id}/transactions?limit=7&offset=14&start=2020-01-01`,
  );
});

Deno.test("archived accounts are not listed, and requesting one returns not_found", async () => {
  await using bank = startBankSandbox();
  const { client } = clientOf(bank);
  const response = await fetch(`${bank.baseUrl}/api/v1/accounts`, {
    headers: { authorization: `Bearer ${bank.tokens.commercial}` },
  });
  const { accounts: sent } = await response.json();
  const archived = sent.find(({ status }: { status: string }) => status === "archived");
  assert(!dataOf(await client.getAccounts()).some(({ id }) => id === archived.id));
  assertEquals(await client.getAccount(archived.id), { error: "not_found" });
});

/** Returns a client of a bank with a list of transactions, and the queries that it was sent. */
function listOf(count: number, respond: (limit: number, page: object[]) => Response) {
  const queries: string[] = [];
  const transactions = Array.from({ length: count }, (_, i) => (
    { id: `t-${i}`, amount: 1, status: "sent", createdAt: "2026-03-01T10:00:00Z" }
  ));
  const client = createMercury({
    baseUrl: "https://bank.example",
    token: "t",
    fetch(input) {
      const { search, searchParams } = new URL(String(input));
      queries.push(search);
      const [limit, offset] = ["limit", "offset"].map((name) => Number(searchParams.get(name)));
      return Promise.resolve(respond(limit, transactions.slice(offset, offset + limit)));
    },
  });
  return { client, queries };
}

Deno.test("without options, as many transactions as possible of the whole history are requested", async () => {
  const { client, queries } = listOf(
    1_200,
    (_, transactions) => Response.json({ total: 1_200, transactions }),
  );
  const page = dataOf(await client.getTransactions("a"));
  assertEquals([page.total, page.transactions.length], [1_200, 1_000]);
  assertEquals(queries, ["?limit=1000&offset=0&start=2000-01-01"]);
});

Deno.test("a deployment that rejects a limit of 1,000 is asked for 500 from then on", async () => {
  const { client, queries } = listOf(
    1_200,
    (limit, transactions) =>
      limit > 500
        ? Response.json({}, { status: 400 })
        : Response.json({ total: 1_200, transactions }),
  );
  for (const offset of [0, 500]) {
    const { transactions } = dataOf(await client.getTransactions("a", { offset }));
    assertEquals([transactions.length, transactions[0].id], [500, `t-${offset}`]);
  }
  assertEquals(queries.map((query) => query.split("&start")[0]), [
    "?limit=1000&offset=0",
    "?limit=500&offset=0",
    "?limit=500&offset=500",
  ]);
});

Deno.test("a request that is rejected at any limit is an upstream_error", async () => {
  const { client, queries } = listOf(1, () => Response.json({}, { status: 400 }));
  const failure = { error: "upstream_error", status: 400 } as const;
  assertEquals(await client.getTransactions("a"), failure);
  assertEquals(await client.getTransactions("a", { limit: 1_000 }), failure);
  assertEquals(queries.length, 3);
});

Deno.test("the total is null if it is missing or counts no more than a full page", async () => {
  const cases: [total: number | undefined, sent: number, expected: number | null][] = [
    [undefined, 3, null],
    [50, 50, null],
    [49, 49, 49],
    [51, 50, 51],
    [0, 0, 0],
  ];
  for (const [total, sent, expected] of cases) {
    const { client } = listOf(sent, (_, transactions) => Response.json({ total, transactions }));
    const page = dataOf(await client.getTransactions("a", { limit: 50 }));
    assertEquals(page.total, expected, `${total}`);
  }
});

Deno.test("a wrong token returns auth_failed without a retry", async () => {
  await using bank = startBankSandbox();
  const { client, pauses } = clientOf(bank, { token: "secret-token:unknown" });
  assertEquals(await client.getAccounts(), AUTH_FAILED);
  assertEquals([bank.requests.length, pauses], [1, []]);
});

Deno.test("400, 401, 403 and 404 are not retried", async () => {
  assertEquals(await underFault({ response: 401 }), always(AUTH_FAILED, 1, []));
  assertEquals(await underFault({ response: 404 }), always({ error: "not_found" }, 1, []));
  for (const status of [400, 403] as const) {
    const failure: BankError = { error: "upstream_error", status };
    assertEquals(await underFault({ response: status }), always(failure, 1, []));
  }
});

Deno.test("429 and 5xx are retried once after a pause", async () => {
  assertEquals(await underFault({ response: 429 }), always({ error: "rate_limited" }, 2, [250]));
  for (const status of [500, 503] as const) {
    const failure: BankError = { error: "upstream_error", status };
    assertEquals(await underFault({ response: status }), always(failure, 2, [250]));
    assertEquals(await underFault({ response: status, times: 1 }), always(null, 2, [250]));
  }
});

Deno.test("Retry-After lengthens the pause; a long one fails at once", async () => {
  const limited: BankError = { error: "rate_limited" };
  const short = await underFault({ response: 429, retryAfter: 1, times: 1 });
  assertEquals(short, always(null, 2, [1_000]));
  assertEquals(await underFault({ response: 429, retryAfter: 60 }), always(limited, 1, []));
});

Deno.test("a truncated body is a network_error unless the retry succeeds", async () => {
  assertEquals(
    await underFault({ response: "cut_off" }),
    always({ error: "network_error" }, 2, [250]),
  );
  assertEquals(await underFault({ response: "cut_off", times: 1 }), always(null, 2, [250]));
});

Deno.test("a timeout is a network_error and is not retried", async () => {
  for (const late of await underFault({ response: "slow" }, { timeoutMs: 60 })) {
    assertEquals([late.failure, late.pauses], [{ error: "network_error" }, []]);
    assert(late.requests <= 1, `${late.requests}`);
  }
  const slow = await underFault({ response: "slow", delayMs: 20 });
  assertEquals(slow, always(null, 1, []));
});

Deno.test("each operation has one deadline of 8 seconds", async () => {
  const given: number[] = [];
  const schedule: Schedule = (_, ms) => {
    given.push(ms);
    return () => {};
  };
  await underFault({ response: 500, times: 1 }, { timeoutMs: undefined, schedule });
  assertEquals(given, [8_000, 8_000, 8_000, 8_000]);
});

Deno.test("the pause before a retry respects the operation's deadline", async () => {
  const signals: unknown[] = [];
  const client = createMercury({
    baseUrl: "https://bank.example",
    token: "t",
    fetch: (_, init) => {
      signals.push(init?.signal);
      return Promise.resolve(new Response(null, { status: 429 }));
    },
    pause: (_, signal) => Promise.resolve(void signals.push(signal)),
  });
  assertEquals(await client.getOrganization(), { error: "rate_limited" });
  assertEquals([signals.length, new Set(signals).size], [3, 1]);
});

Deno.test("a body that cannot be parsed is an invalid_response", async () => {
  const failure: BankError = { error: "invalid_response" };
  assertEquals(await underFault({ response: "garbage" }), always(failure, 1, []));
});

Deno.test("a page with a transaction that cannot be read is an invalid_response", async () => {
  const sent = { id: "t", amount: 1, status: "sent", createdAt: "2026-03-01T00:00:00Z" };
  const readWith = async (other: unknown) => {
    const fetch = () => Promise.resolve(Response.json({ transactions: [sent, other] }));
    const client = createMercury({ baseUrl: "https://bank.example", token: "t", fetch });
    return await client.getTransactions("a");
  };
  assertEquals(dataOf(await readWith({ ...sent, id: "u" })).transactions.length, 2);
  for (const other of [{ ...sent, amount: null }, null, "u", []]) {
    assertEquals(await readWith(other), { error: "invalid_response" });
  }
});

Deno.test("a redirect is an upstream_error and is not followed", async () => {
  const failure: BankError = { error: "upstream_error", status: 302 };
  assertEquals(await underFault({ response: "redirect" }), always(failure, 1, []));
});

Deno.test("a refused connection is a network_error", async () => {
  const bank = startBankSandbox();
  await bank.stop();
  const { client, pauses } = clientOf(bank);
  assertEquals(await client.getOrganization(), { error: "network_error" });
  assertEquals(pauses, [250]);
});

Deno.test("getAccounts() reads every page and each account once", async () => {
  await using bank = startBankSandbox({ extraAccounts: 13, pageSize: 4 });
  const accounts = dataOf(await clientOf(bank).client.getAccounts());
  assertEquals(new Set(accounts.map(({ id }) => id)).size, 20);
  assertEquals(accounts.length, 20);
  assertEquals(bank.requests.length, 6);
  assert(bank.requests[1].path.endsWith(`?start_after=${accounts[3].id}`));
});

Deno.test("endless pagination is an invalid_response, not a partial list", async () => {
  let requests = 0;
  const fetchWith = (next: () => string): typeof fetch => () => {
    requests++;
    return Promise.resolve(Response.json({ accounts: [], page: { nextPage: next() } }));
  };
  for (const [next, most] of [[() => "same", 2], [() => `${requests}`, 100]] as const) {
    requests = 0;
    const fetch = fetchWith(next);
    const client = createMercury({ baseUrl: "https://bank.example", token: "t", fetch });
    assertEquals(await client.getAccounts(), { error: "invalid_response" });
    assertEquals(requests, most);
  }
});

Deno.test("an account id is always one path segment", async () => {
  await using bank = startBankSandbox();
  const { client } = clientOf(bank);
  for (const id of ["../organization", "a/b?c#d", "%2e%2e", "\ud800", "ü"]) {
    assertEquals(await client.getAccount(id), { error: "not_found" });
    const { path } = bank.requests.at(-1)!;
    assertEquals(path.split("/").length, 5, path);
    assert(path.startsWith("/api/v1/account/"), path);
  }
  const before = bank.requests.length;
  for (const id of ["", ".", ".."]) {
    assertEquals(await client.getTransactions(id), { error: "not_found" });
  }
  assertEquals(bank.requests.length, before);
});

Deno.test("an endless body is read up to a limit, even if its length is that of its encoded form", async () => {
  const encoded = { "content-encoding": "gzip", "content-length": "100" };
  for (const headers of [{}, encoded]) {
    let sent = 0;
    const endless: typeof fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            pull(controller) {
              sent += 65_536;
              if (sent > 64 * 1024 * 1024) controller.close(); // nobody limits it
              else controller.enqueue(new Uint8Array(65_536).fill(32));
            },
          }),
          { headers },
        ),
      );
    const client = createMercury({ baseUrl: "https://bank.example", token: "t", fetch: endless });
    assertEquals(await client.getAccounts(), { error: "invalid_response" });
    assert(sent < 9 * 1024 * 1024, `${sent}`);
  }
});

Deno.test("the token is sent only in its header; an invalid one does not throw", async () => {
  const seen: Request[] = [];
  const client = createMercury({
    baseUrl: "https://bank.example/base/",
    token: "secret-token:x",
    fetch: (input, init) => {
      seen.push(new Request(input, init));
      return Promise.resolve(new Response("", { status: 404 }));
    },
  });
  await client.getOrganization();
  assertEquals(seen[0].url, "https://bank.example/base/api/v1/organization");
  assertEquals([...seen[0].headers], [
    ["accept", "application/json"],
    ["authorization", "Bearer secret-token:x"],
  ]);
  await using bank = startBankSandbox();
  const { client: invalid } = clientOf(bank, { token: "two\nlines" });
  assertEquals(await invalid.getAccounts(), { error: "network_error" });
});
