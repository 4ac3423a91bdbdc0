import { assert, assertEquals } from "@std/assert";
import { type BankFault, type BankSandbox, startBankSandbox } from "../../sandbox/bank.ts";
import { type BankClientOptions, createBankClient } from "./client.ts";
import { type BankError, isBankError } from "./errors.ts";
import { dataOf } from "./testing/results.ts";

const AUTH_FAILED: BankError = {
  error: "auth_failed",
  message: "Bank API token invalid or expired",
};

/** A client that does not wait between its tries, and says how long it would have. */
function clientOf(bank: BankSandbox, options: Partial<BankClientOptions> = {}) {
  const pauses: number[] = [];
  const client = createBankClient({
    baseUrl: bank.baseUrl,
    token: bank.tokens.commercial,
    fetch,
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
    ...options,
  });
  return { client, pauses };
}

/** Each operation under one fault: what it comes to, how often it asked, how long it paused. */
async function underFault(fault: BankFault, options: Partial<BankClientOptions> = {}) {
  await using bank = startBankSandbox();
  const { client, pauses } = clientOf(bank, options);
  const id = bank.foundationAccountId;
  const operations = [
    client.getAccounts,
    () => client.getAccount(id),
    () => client.getTransactions(id),
    client.getOrganization,
  ];
  const results = [];
  for (const operation of operations) {
    bank.set(fault);
    const before = bank.requests.length;
    const result = await operation();
    const failure = isBankError(result) ? result : null;
    results.push({ failure, asked: bank.requests.length - before, pauses: pauses.splice(0) });
  }
  assert(bank.requests.every(({ operation }) => operation !== undefined), "asked elsewhere");
  return results;
}

/** The same for every operation. */
const always = (failure: BankError | null, asked: number, pauses: number[]) =>
  Array.from({ length: 4 }, () => ({ failure, asked, pauses }));

Deno.test("accounts, one account, the organisation and transactions are read", async () => {
  await using bank = startBankSandbox();
  const { client } = clientOf(bank);
  const accounts = dataOf(await client.getAccounts());
  assertEquals(accounts.map(({ status }) => status), [
    ...Array.from({ length: 6 }, () => "active"),
    "pending",
    "archived",
  ]);
  assertEquals(await client.getAccount(accounts[0].id), accounts[0]);
  assertEquals(await client.getAccount(accounts[6].id), { error: "not_found" });
  assertEquals(await client.getOrganization(), {
    name: "Attest Systems Inc",
    tax_id: "00-7654321",
    trade_names: ["Attest"],
  });
  const opts = { limit: 7, offset: 14, start: "2000-01-01", order: "asc" } as const;
  const page = dataOf(await client.getTransactions(accounts[0].id, opts));
  assertEquals(page.transactions.length, 7);
  assert(page.total > 500);
  assertEquals(
    bank.requests.at(-1)?.path,
    `/api/v1/account/${accounts[0].id}/transactions?limit=7&offset=14&order=asc&start=2000-01-01`,
  );
});

Deno.test("a wrong token is auth_failed, and not tried again", async () => {
  await using bank = startBankSandbox();
  const { client, pauses } = clientOf(bank, { token: "secret-token:of-nobody" });
  assertEquals(await client.getAccounts(), AUTH_FAILED);
  assertEquals([bank.requests.length, pauses], [1, []]);
});

Deno.test("401, 403, 404 and 400 are final", async () => {
  assertEquals(await underFault({ answer: 401 }), always(AUTH_FAILED, 1, []));
  assertEquals(await underFault({ answer: 404 }), always({ error: "not_found" }, 1, []));
  for (const status of [400, 403] as const) {
    const failure: BankError = { error: "upstream_error", status };
    assertEquals(await underFault({ answer: status }), always(failure, 1, []));
  }
});

Deno.test("429 and 5xx are tried once more, after a pause", async () => {
  assertEquals(await underFault({ answer: 429 }), always({ error: "rate_limited" }, 2, [250]));
  for (const status of [500, 503] as const) {
    const failure: BankError = { error: "upstream_error", status };
    assertEquals(await underFault({ answer: status }), always(failure, 2, [250]));
    assertEquals(await underFault({ answer: status, times: 1 }), always(null, 2, [250]));
  }
});

Deno.test("Retry-After lengthens the pause; who is asked to wait too long gives up", async () => {
  const limited: BankError = { error: "rate_limited" };
  const short = await underFault({ answer: 429, retryAfter: 1, times: 1 });
  assertEquals(short, always(null, 2, [1_000]));
  assertEquals(await underFault({ answer: 429, retryAfter: 60 }), always(limited, 1, []));
});

Deno.test("an answer that is cut off is a network_error, unless the second one is whole", async () => {
  assertEquals(
    await underFault({ answer: "cut_off" }),
    always({ error: "network_error" }, 2, [250]),
  );
  assertEquals(await underFault({ answer: "cut_off", times: 1 }), always(null, 2, [250]));
});

Deno.test("an answer that comes too late is a network_error, and not asked for again", async () => {
  for (const late of await underFault({ answer: "slow" }, { timeoutMs: 60 })) {
    assertEquals([late.failure, late.pauses], [{ error: "network_error" }, []]);
    assert(late.asked <= 1, `${late.asked}`);
  }
  const slow = await underFault({ answer: "slow", delayMs: 20 });
  assertEquals(slow, always(null, 1, []));
});

Deno.test("each operation has 8 seconds, whatever it is made of", async () => {
  const given: number[] = [];
  const timeout = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    given.push(ms);
    return new AbortController().signal;
  };
  try {
    await underFault({ answer: 500, times: 1 });
  } finally {
    AbortSignal.timeout = timeout;
  }
  assertEquals(given, [8_000, 8_000, 8_000, 8_000]);
});

Deno.test("the pause before a second try ends with the operation's time", async () => {
  const signals: unknown[] = [];
  const client = createBankClient({
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

Deno.test("garbage is an invalid_response", async () => {
  const failure: BankError = { error: "invalid_response" };
  assertEquals(await underFault({ answer: "garbage" }), always(failure, 1, []));
});

Deno.test("a redirect is refused, and nobody is asked where it leads", async () => {
  const failure: BankError = { error: "upstream_error", status: 302 };
  assertEquals(await underFault({ answer: "redirect" }), always(failure, 1, []));
});

Deno.test("nobody listening is a network_error", async () => {
  const bank = startBankSandbox();
  await bank.stop();
  const { client, pauses } = clientOf(bank);
  assertEquals(await client.getOrganization(), { error: "network_error" });
  assertEquals(pauses, [250]);
});

Deno.test("the accounts of all pages are read, each once", async () => {
  await using bank = startBankSandbox({ extraAccounts: 13, pageSize: 4 });
  const accounts = dataOf(await clientOf(bank).client.getAccounts());
  assertEquals(new Set(accounts.map(({ id }) => id)).size, 21);
  assertEquals(accounts.length, 21);
  assertEquals(bank.requests.length, 6);
  assert(bank.requests[1].path.endsWith(`?start_after=${accounts[3].id}`));
});

Deno.test("pages that never end are an invalid_response, not a part of the accounts", async () => {
  let asked = 0;
  const answering = (next: () => string): typeof fetch => () => {
    asked++;
    return Promise.resolve(Response.json({ accounts: [], page: { nextPage: next() } }));
  };
  for (const [next, most] of [[() => "same", 2], [() => `${asked}`, 100]] as const) {
    asked = 0;
    const fetch = answering(next);
    const client = createBankClient({ baseUrl: "https://bank.example", token: "t", fetch });
    assertEquals(await client.getAccounts(), { error: "invalid_response" });
    assertEquals(asked, most);
  }
});

Deno.test("an id is one segment of the path, whatever is in it", async () => {
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

Deno.test("a body without end is read up to a limit", async () => {
  let sent = 0;
  const endless: typeof fetch = () =>
    Promise.resolve(
      new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(32));
          },
        }),
      ),
    );
  const client = createBankClient({ baseUrl: "https://bank.example", token: "t", fetch: endless });
  assertEquals(await client.getAccounts(), { error: "invalid_response" });
  assert(sent < 9 * 1024 * 1024, `${sent}`);
});

Deno.test("the token is sent in its header alone; one that no header takes throws nothing", async () => {
  const seen: Request[] = [];
  const client = createBankClient({
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
  const { client: odd } = clientOf(bank, { token: "two\nlines" });
  assertEquals(await odd.getAccounts(), { error: "network_error" });
});
