import { assertEquals, assertMatch } from "@std/assert";
import { actAs, Actor } from "../authority.ts";
import { openKv } from "../open.ts";
import { apart, independent, unchecked } from "../scope.ts";
import { attemptOnce, transact } from "../transact.ts";
import { limitKv } from "./limited_kv.ts";
import { takeProblems } from "./watched_stores.ts";

const KEY = ["notes", "1"];
const done = (commit: Deno.AtomicOperation) => ({ result: true, commit });

/** Runs an action with a store, and returns what it reports; null if nothing. */
async function problemOf(action: (kv: Deno.Kv) => Promise<unknown>): Promise<string | null> {
  using kv = await openKv(":memory:");
  await kv.set(KEY, 1);
  await action(kv);
  return takeProblems()[0]?.split("\n")[0] ?? null;
}

const UNCHECKED = "A transaction reads rows of notes, which its commit does not check. Check " +
  "them, or call unchecked() with the reason.";

const TRANSACTIONS: Record<string, [(kv: Deno.Kv) => Promise<unknown>, string | null]> = {
  "reads a row and checks it": [
    (kv) => transact(async () => done(kv.atomic().check(await kv.get(KEY)).delete(KEY))),
    null,
  ],
  "reads a row and does not check it": [
    (kv) =>
      transact(async () => {
        await kv.get(KEY);
        return done(kv.atomic().set(["other"], 1));
      }),
    UNCHECKED,
  ],
  "reads a row, does not check it and only adds to a sum": [
    (kv) =>
      transact(async () => {
        await kv.get(KEY);
        return done(kv.atomic().sum(["count"], 1n));
      }),
    UNCHECKED,
  ],
  "reads a row that does not exist and does not check it": [
    (kv) =>
      transact(async () => {
        await kv.getMany([["notes", "2"]]);
        return done(kv.atomic().set(["other"], 1));
      }),
    UNCHECKED,
  ],
  "lists rows and does not check them": [
    (kv) =>
      attemptOnce(async () => {
        await Array.fromAsync(kv.list({ prefix: ["notes"] }));
        return done(kv.atomic().set(["other"], 1));
      }),
    UNCHECKED,
  ],
  "lists an index and does not check it": [
    async (kv) => {
      await kv.set(["notes_by_topic", "law", "1"], null);
      await attemptOnce(async () => {
        await Array.fromAsync(kv.list({ prefix: ["notes_by_topic"] }));
        return done(kv.atomic().set(["other"], 1));
      });
    },
    null,
  ],
  "reads a row and says why it does not check it": [
    (kv) =>
      transact(async () => {
        unchecked("It never changes.", await kv.get(KEY));
        return done(kv.atomic().set(["other"], 1));
      }),
    null,
  ],
  "reads a row apart": [
    (kv) =>
      transact(async () => {
        await apart("Nothing depends on it.", () => kv.get(KEY));
        return done(kv.atomic().set(["other"], 1));
      }),
    null,
  ],
  "counts a refusal": [
    (kv) =>
      transact(async () => {
        await kv.get(KEY);
        independent("A refusal is only counted.");
        return done(kv.atomic().set(["other"], 1));
      }),
    null,
  ],
  "reads a row and commits nothing": [
    (kv) =>
      transact(async () => {
        await kv.get(KEY);
        return { result: true };
      }),
    null,
  ],
  "reads a row and commits an empty operation": [
    (kv) =>
      transact(async () => {
        await kv.get(KEY);
        return done(kv.atomic());
      }),
    null,
  ],
};

for (const [name, [action, expected]] of Object.entries(TRANSACTIONS)) {
  Deno.test(`a transaction that ${name}: ${expected === null ? "accepted" : "reported"}`, async () => {
    assertEquals(await problemOf(action), expected);
  });
}

Deno.test("work that a transaction starts and that goes on after it is not part of it", async () => {
  const starts = Promise.withResolvers<void>();
  assertEquals(
    await problemOf(async (kv) => {
      let work: Promise<unknown> | undefined;
      await transact(() => {
        work = starts.promise.then(() => kv.get(KEY)).then(() =>
          kv.atomic().set(["other"], 1).commit()
        );
        return Promise.resolve(done(kv.atomic().set(["other"], 0)));
      });
      starts.resolve();
      await work;
    }),
    null,
  );
});

Deno.test("a store reports each commit once, with the lines that led to it", async () => {
  using kv = limitKv(await openKv(":memory:")); // whose inner store is not watched
  for (let i = 0; i < 3; i++) {
    await transact(async () => {
      await kv.get(KEY);
      return done(kv.atomic().set(["other"], 1));
    });
  }
  const [problem, ...others] = takeProblems();
  assertEquals([problem.split("\n")[0], others], [UNCHECKED, []]);
  assertMatch(problem, /\n {4}at lib\/platform\/kv\/testing\/reads_test\.ts:\d+/);
});

Deno.test("commits of tests outside of transactions are accepted, also for a request", async () => {
  assertEquals(
    await problemOf((kv) =>
      actAs(new Actor("1"), async () => {
        await kv.atomic().check(await kv.get(KEY)).set(KEY, 2).commit();
      })
    ),
    null,
  );
});
