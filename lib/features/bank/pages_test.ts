import { assert, assertEquals, assertRejects } from "@std/assert";
import { type PageResult, readPages } from "./pages.ts";
import type { Transaction } from "./provider.ts";
import { transaction } from "./testing/memory_bank.ts";

/** Returns a list of transactions, newest first, with the offsets that were requested. */
function listOf(count: number, largestPage = 1_000) {
  const all = Array.from({ length: count }, (_, i) => transaction(`t-${i}`));
  const requests: number[] = [];
  return {
    all,
    requests,
    read({ offset }: { offset: number }): Promise<PageResult<Transaction>> {
      requests.push(offset);
      const transactions = all.slice(offset, offset + largestPage);
      return Promise.resolve({ ok: true, page: { total: all.length, transactions } });
    },
  };
}

async function idsOf(pages: AsyncIterable<PageResult<Transaction>>) {
  const ids: string[] = [];
  let error: string | null = null;
  for await (const result of pages) {
    if (result.ok) ids.push(...result.page.transactions.map(({ id }: Transaction) => id));
    else error = result.error;
  }
  return { ids, error };
}

Deno.test("every page is read in order, whatever the provider's largest page", async () => {
  for (
    const [count, largestPage, requests] of [
      [0, 1_000, 1],
      [999, 1_000, 1],
      [2_345, 1_000, 3],
      [2_345, 500, 5],
      [310, 100, 4],
    ]
  ) {
    const list = listOf(count, largestPage);
    const { ids, error } = await idsOf(readPages(list.read));
    assertEquals(ids, list.all.map(({ id }) => id));
    assertEquals([error, list.requests.length], [null, requests], `${count} of ${largestPage}`);
  }
});

Deno.test("without a total, pages are read one by one until one is empty", async () => {
  const list = listOf(2_300);
  const { ids } = await idsOf(readPages(async (page) => {
    const result = await list.read(page);
    if (result.ok) result.page.total = null;
    return result;
  }));
  assertEquals(ids, list.all.map(({ id }) => id));
  assertEquals(list.requests, [0, 1_000, 2_000, 2_300]);
});

Deno.test("a page that is shorter than requested leaves no gap", async () => {
  const list = listOf(500, 100);
  const { ids } = await idsOf(readPages(async (page) => {
    const result = await list.read(page);
    if (result.ok && page.offset === 200) result.page.transactions.splice(60);
    return result;
  }));
  assertEquals(ids, list.all.map(({ id }) => id));
});

Deno.test("transactions that arrive between pages neither repeat nor hide others", async () => {
  const list = listOf(600, 100);
  const before = list.all.map(({ id }) => id);
  const { ids } = await idsOf(readPages(async (page) => {
    const result = await list.read(page);
    list.all.unshift(transaction(`late-${list.requests.length}`));
    return result;
  }, { ahead: 1 }));
  assertEquals(ids, before);
});

Deno.test("pages are requested ahead, up to the given number", async () => {
  const list = listOf(10_000, 500);
  const pages = readPages(list.read, { ahead: 3 });
  await pages.next();
  assertEquals(list.requests.length, 4);
  await pages.next();
  assertEquals(list.requests.length, 5);
  await pages.return();
  assertEquals(list.requests.length, 5);
});

Deno.test("a failure ends the list with its code, and too many pages end it with too_many", async () => {
  const list = listOf(900, 100);
  const failing = readPages((page) =>
    page.offset < 300
      ? list.read(page)
      : Promise.resolve({ ok: false, error: "rate_limited", message: "" })
  );
  const { ids, error } = await idsOf(failing);
  assertEquals([ids.length, error], [300, "rate_limited"]);
  const long = listOf(900, 100);
  assertEquals(await idsOf(readPages(long.read, { maxPages: 4 })), {
    ids: long.all.slice(0, 400).map(({ id }) => id),
    error: "too_many",
  });
  assert(long.requests.every((offset) => offset < 400));
});

Deno.test("a page that was requested ahead may fail after the reader has stopped", async () => {
  const list = listOf(3_000);
  const fails = Promise.withResolvers<PageResult<Transaction>>();
  const read = (page: { offset: number }) =>
    page.offset === 0 ? list.read(page) : fails.promise.then((result) => result);
  for await (const result of readPages(read)) {
    assert(result.ok);
    break;
  }
  fails.reject(new TypeError("Database is closed."));
  await assertRejects(() => fails.promise, TypeError);
});

Deno.test("a reader who gives up after the first page causes no more requests", async () => {
  const list = listOf(900, 100);
  const reader = new AbortController();
  const pages = readPages((page) => {
    reader.abort();
    return list.read(page);
  }, { ahead: 0, signal: reader.signal });
  const { ids, error } = await idsOf(pages);
  assertEquals([ids.length, error, list.requests], [100, "network_error", [0]]);
});
