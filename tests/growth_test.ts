import { assertEquals } from "@std/assert";
import { YEAR_READS, type YearRead } from "../bench/year_requests.ts";
import { type FilledStore, fillKv } from "../bench/year_store.ts";
import { parseConfig } from "../lib/app/config.ts";
import { openKv, rulesOf } from "../lib/platform/kv/mod.ts";
import { unwatch } from "../lib/platform/kv/testing/watched_stores.ts";
import { addPayment } from "./add_payment.ts";
import { createSite } from "./site.ts";

const ENV = { APP_SECRET: "A".repeat(43), BANK_SANDBOX: "off", MCP_RATE_LIMIT: "0" };
const COMMON = { recent: 60, longChain: 120 };
/** The rows of a full page: up to 50 items, each with up to 3 rows, and those that every page reads. */
const FULL_PAGE = 180;

/** They read up to 500 records with a word. */
const BOUNDED = /\/console\/search, by/;

/** A store that counts the rows and the keys without a row that are read through it. */
function countReads(kv: Deno.Kv): { kv: Deno.Kv; rows: { read: number } } {
  const rows = { read: 0 };
  const counting: Partial<Deno.Kv> = {
    get(key, options) {
      rows.read++;
      return kv.get(key, options);
    },
    getMany(keys, options) {
      rows.read += keys.length;
      return kv.getMany(keys, options);
    },
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const list = kv.list<Value>(selector, options);
      const next = list.next.bind(list);
      list.next = async () => {
        const result = await next();
        if (!result.done) rows.read++;
        return result;
      };
      return list;
    },
  };
  const proxy = new Proxy(kv, {
    get(target, name: keyof Deno.Kv) {
      const own = counting[name] ?? target[name];
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
  return { kv: proxy, rows };
}

/** Returns the number of rows that each read, or only those with these names, takes in a store with these records. */
async function rowsReadWith(
  count: number,
  only?: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const memory = await openKv(":memory:");
  unwatch(rulesOf(memory)); // it is filled with commits without checks
  const { kv, rows } = countReads(memory);
  const year = { records: count, events: count * 3, sessions: count, operations: count * 8 };
  const store: FilledStore = await fillKv(parseConfig(ENV), kv, year, COMMON);
  const now = Date.now(); // does not advance, so that nothing in memory becomes too old between two reads
  await using site = await createSite(ENV, { kv, clock: () => now });
  const found = new Map<string, number>();
  async function send({ name, request }: YearRead): Promise<void> {
    const { host, path, status = 200, ...init } = request(store, 0);
    const response = await site.handler(
      new Request(`http://${host}:8000${path}`, {
        ...init,
        headers: { host: `${host}:8000`, ...init.headers },
      } as RequestInit),
    );
    await response.arrayBuffer();
    if (response.status !== status) {
      console.log(name, response.status, response.headers.get("location"));
    }
  }
  const wanted = (name: string) => only?.has(name) ?? true;
  for (const read of YEAR_READS.filter(({ name }) => wanted(name))) {
    rows.read = 0;
    await send(read);
    if (rows.read > FULL_PAGE) { // it may have filled the caches of the process
      rows.read = 0;
      await send(read);
    }
    found.set(read.name, rows.read);
  }
  const { auth, records } = site.services;
  const actions = {
    async "payments after a change"() {
      await addPayment(kv, "commercial", now);
      await send(YEAR_READS.find(({ name }) => name === "console /console/payments")!);
    },
    "deleting a record": () => records.deletion.deleteRecord(store.hash),
    "deleting a user": () => auth.deleteUser("me@example.org"),
  };
  for (const [name, run] of Object.entries(actions).filter(([name]) => wanted(name))) {
    rows.read = 0;
    await run();
    found.set(name, rows.read);
  }
  return found;
}

Deno.test("no page, endpoint or deletion reads more than a full page of rows in a store with more records", async () => {
  const large = [...await rowsReadWith(240)]
    .filter(([name, rows]) => rows > FULL_PAGE && !BOUNDED.test(name));
  // Some read as many rows in any store, such as one for each day of a year.
  const small = await rowsReadWith(60, new Set(large.map(([name]) => name)));
  const grown = large.filter(([name, rows]) => rows > small.get(name)!)
    .map(([name, rows]) => `${name}: ${small.get(name)} → ${rows}`);
  assertEquals(grown, []);
});
