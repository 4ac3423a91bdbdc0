import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { ConfigError } from "../config/error.ts";
import { FORMAT, FORMAT_KEY, openKv } from "../kv/mod.ts";
import { DeathError, dyingKv } from "../kv/testing/dying_kv.ts";
import { createSecrets } from "../secrets.ts";
import type { StoreFormat } from "./format_row.ts";
import { runBeside } from "./batches.ts";
import { claimStore, createStoreWork, migrate, type Migration } from "./mod.ts";

const NEXT = FORMAT + 1;
const SECRET = parseConfig({ APP_SECRET: "A".repeat(43) }).appSecrets;
const COUNT = 7;
/** How many rows a batch changes. */
const BATCH = 2;

interface Old {
  name: string;
}

interface New {
  given: string;
  family: string;
}

const keyOf = (i: number) => ["people", i];

/**
 * The next format divides the name of a person, which the site cannot serve without, and gets an index by family
 * name, which it can.
 */
const migrationsOf = (kv: Deno.Kv): Migration[] => [
  {
    name: "people_by_family",
    format: NEXT,
    label: "people by family name",
    beside: "the search says that it is incomplete",
    step: {
      batch: (cursor) =>
        batchOf<New>(kv, cursor, async (rows) => {
          for (const { key, value } of rows) {
            await kv.set(["people_by_family", value.family, key[1]], 1);
          }
        }),
    },
  },
  {
    name: "people",
    format: NEXT,
    before: "pages read the two parts of the name",
    step: {
      async batch(cursor) {
        let divided = 0;
        const batch = await batchOf<Old | New>(kv, cursor, async (rows) => {
          for (const { key, value, versionstamp } of rows) {
            divided++;
            if (!("name" in value)) continue; // by a process that died, or at the same time
            const [given, family] = value.name.split(" ");
            await kv.atomic().check({ key, versionstamp }).set(key, { given, family }).commit();
          }
        });
        return {
          ...batch,
          addToCommit: (commit) => commit.sum(["people_divided"], BigInt(divided)),
        };
      },
    },
  },
];

async function batchOf<Row>(
  kv: Deno.Kv,
  cursor: string,
  change: (rows: Deno.KvEntry<Row>[]) => Promise<void>,
) {
  const start = ["people", cursor === "" ? 0 : Number(cursor) + 1];
  const rows = await Array.fromAsync(
    kv.list<Row>({ prefix: ["people"], start }, { limit: BATCH }),
  );
  await change(rows);
  const next = rows.length < BATCH ? null : String(rows.at(-1)!.key[1]);
  return { indexed: rows.length, next };
}

/** Returns what a process of a build does with a store. */
function processOf(kv: Deno.Kv, format = NEXT) {
  const migrations = format === NEXT ? migrationsOf(kv) : [];
  const options = {
    ...{ kv, format, kvPath: ":memory:", clock: Date.now, log: () => {} },
    secrets: createSecrets({ kv, given: SECRET }),
    migrations: () => migrations,
    schedule: () => () => {},
    pause: () => Promise.resolve(),
  };
  return {
    start: () => migrate(options),
    work: () => runBeside(options, new AbortController().signal),
    storeWork: createStoreWork(options),
  };
}

/** Creates a store of the current format. */
async function olderStore(): Promise<Deno.Kv> {
  const kv = await openKv(":memory:");
  await claimStore(kv, 0);
  await processOf(kv, FORMAT).start();
  for (let i = 0; i < COUNT; i++) await kv.set(keyOf(i), { name: `Ada Lovelace${i}` });
  return kv;
}

const formatOf = async (kv: Deno.Kv) => (await kv.get<StoreFormat>(FORMAT_KEY)).value!;

async function assertDivided(kv: Deno.Kv) {
  const people = await Array.fromAsync(kv.list<New>({ prefix: ["people"] }), ({ value }) => value);
  assertEquals(
    people,
    Array.from({ length: COUNT }, (_, i) => ({ given: "Ada", family: `Lovelace${i}` })),
  );
  const { value: divided } = await kv.get<Deno.KvU64>(["people_divided"]);
  assertEquals(divided?.value, BigInt(COUNT), "each batch counts once");
}

async function assertMigrated(kv: Deno.Kv) {
  await assertDivided(kv);
  const index = await Array.fromAsync(kv.list({ prefix: ["people_by_family"] }));
  assertEquals(index.length, COUNT);
  const { secrets: _, ...format } = await formatOf(kv);
  assertEquals(format, { version: NEXT });
}

Deno.test("a migration that pages need ends before the site serves, and another one beside it", async () => {
  using kv = await olderStore();
  const next = processOf(kv);
  await next.start();
  await assertDivided(kv);
  const { steps } = await next.storeWork.state();
  assertEquals(steps, [{ label: "people by family name", share: 0, incomplete: true }]);
  assertEquals(await next.storeWork.isComplete("people_by_family"), false);
  await assertRejects(processOf(kv, FORMAT).start, ConfigError, "KV_PATH: was written by a newer");
  assertEquals(await next.work(), { rows: COUNT, waits: false });
  assertEquals(await next.storeWork.isComplete("people_by_family"), true);
  await assertMigrated(kv);
  assertEquals(await processOf(kv).work(), { rows: 0, waits: false });
});

Deno.test("a process that dies before any write of a migration leaves a store that the next one migrates to its end, once", async () => {
  let ended = false;
  for (let write = 0; !ended; write++) {
    using kv = await olderStore();
    const killed = processOf(dyingKv(kv, write));
    ended = await killed.start().then(killed.work).then(() => true, (error) => {
      if (!(error instanceof DeathError)) throw error;
      return false;
    });
    const { work } = await formatOf(kv);
    const next = processOf(kv);
    await next.start();
    await assertDivided(kv);
    const { work: left } = await formatOf(kv);
    // It continues, and does not begin again.
    if (work?.steps[0] === "people_by_family") assertEquals(left, work);
    await next.work();
    await assertMigrated(kv);
    assert(!ended || write > 2 * COUNT, `${write} writes`);
  }
});

Deno.test("a process that is killed and restarted with another secret still completes first the migration that pages need", async () => {
  using kv = await olderStore();
  await assertRejects(processOf(dyingKv(kv, 4)).start, DeathError);
  assertEquals((await formatOf(kv)).work?.steps, ["people", "people_by_family"]);
  const secrets = createSecrets({ kv, given: [new Uint8Array(32).fill(1), ...SECRET] });
  const rotating: Migration = {
    name: "rotated",
    rotates: true,
    beside: "it is found with both",
    step: { batch: () => Promise.resolve({ next: null }) },
  };
  const options = { kv, secrets, format: NEXT, kvPath: undefined, clock: Date.now, log: () => {} };
  const migrations = () => [rotating, ...migrationsOf(kv)];
  await migrate({ ...options, migrations });
  await assertDivided(kv);
  const { work } = await formatOf(kv);
  assertEquals([work?.steps, work?.begun], [["rotated", "people_by_family"], null]);
});

Deno.test("processes that start at the same time migrate a store once", async () => {
  using kv = await olderStore();
  await Promise.all([processOf(kv).start(), processOf(kv).start(), processOf(kv).start()]);
  await assertDivided(kv);
});

Deno.test("a store whose format the build does not open is refused, and not changed", async () => {
  using kv = await olderStore();
  for (const version of [FORMAT - 1, NEXT + 1]) {
    await kv.set(FORMAT_KEY, { version });
    await assertRejects(processOf(kv).start, ConfigError, "KV_PATH: was");
    assertEquals(await formatOf(kv), { version });
  }
});
