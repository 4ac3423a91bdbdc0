import { assert, assertEquals, assertRejects } from "@std/assert";
import { actAs, Actor, asSite, currentActor, type Grounds } from "./authority.ts";
import { TooManyChecksError } from "./check_limit.ts";
import { openKv } from "./open.ts";
import { reserveCheck } from "./operation.ts";
import { rulesOf } from "./store_kv.ts";
import { until } from "../../testing/until.ts";
import { KvBusyError } from "./transact.ts";

const SESSION: Deno.KvKey = ["sessions", "a"];

class Ended extends Error {}
class Lost extends Error {}

/** A store with a session, and a request that demands it. */
async function fixture(options: { until?: number; changing?: boolean } = {}) {
  const kv = await openKv(":memory:");
  await kv.set(SESSION, { layer: 1 });
  const clock = { now: 0 };
  const actor = new Actor("1", rulesOf(kv), () => clock.now);
  let entry = await kv.get<{ layer: number }>(SESSION);
  const asked = { times: 0, answered: 0 };
  actor.demand({
    ask(): Grounds {
      if (entry.value?.layer !== 1 || clock.now >= (options.until ?? Infinity)) throw new Ended();
      return { rows: [entry], until: options.until ?? Infinity };
    },
    async read() {
      asked.times++;
      entry = await kv.get(SESSION);
      asked.answered++;
      if (options.changing) await asSite(() => kv.set(SESSION, { layer: 1 }));
    },
  });
  return {
    kv,
    clock,
    asked,
    actor,
    run: <Result>(run: () => Promise<Result>) => actAs(actor, run),
    end: () => kv.delete(SESSION),
    touch: () => kv.set(SESSION, { layer: 1 }),
    values: async () =>
      (await Array.fromAsync(kv.list({ prefix: ["rows"] }))).map(({ value }) => value),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("writes of a request succeed while its authority is in force, without asking again", async () => {
  using site = await fixture();
  const { kv } = site;
  await site.run(async () => {
    await kv.set(["rows", 1], 1);
    assertEquals((await kv.atomic().set(["rows", 2], 2).sum(["n"], 1n).commit()).ok, true);
    await kv.delete(["rows", 1]);
  });
  assertEquals([await site.values(), site.asked.times], [[2], 0]);
});

Deno.test("once the authority has ended, each write throws what the question throws, and changes nothing", async () => {
  using site = await fixture();
  const { kv } = site;
  await kv.set(["rows", 0], 0);
  await site.end();
  const begun = await site.run(() => kv.get(["rows", 0]));
  for (
    const write of [
      () => kv.set(["rows", 1], 1),
      () => kv.delete(["rows", 0]),
      () => kv.atomic().set(["rows", 2], 2).commit(),
      () => kv.atomic().check(begun).set(["rows", 0], 3).commit(),
    ]
  ) await assertRejects(() => site.run<unknown>(write), Ended);
  assertEquals(await site.values(), [0]);
});

Deno.test("a commit is repeated with all its writes if a row of the authority has changed, but not the authority", async () => {
  using site = await fixture();
  const { kv } = site;
  await site.touch();
  const value = { text: "as it was" };
  await site.run(async () => {
    const commit = kv.atomic().set(["rows", 1], value).sum(["n"], 2n);
    value.text = "as it is later";
    assertEquals((await commit.commit()).ok, true);
  });
  assertEquals(site.asked.times, 1);
  assertEquals((await kv.get<Deno.KvU64>(["n"])).value?.value, 2n);
  assertEquals((await site.values()).length, 1);
});

Deno.test("a commit whose own check fails returns { ok: false }, whether or not the authority has changed", async () => {
  using site = await fixture();
  const { kv } = site;
  const stale = await kv.get(["rows", 1]);
  await kv.set(["rows", 1], "newer");
  for (const change of [() => Promise.resolve(), site.touch]) {
    await change();
    const commit = () => kv.atomic().check(stale).set(["rows", 1], "older").commit();
    assertEquals(await site.run(commit), { ok: false });
  }
  assertEquals(await site.values(), ["newer"]);
});

Deno.test("a commit that checks a newer version of the authority's row asks again before it is attempted", async () => {
  using site = await fixture();
  const { kv } = site;
  await kv.set(SESSION, { layer: 2 });
  await assertRejects(
    () =>
      site.run(async () =>
        await kv.atomic().check(await kv.get(SESSION)).set(["rows", 1], 1).commit()
      ),
    Ended,
  );
  assertEquals(await site.values(), []);
});

Deno.test("a commit that deletes a row of the authority ends the checking, and no other does", async () => {
  using site = await fixture();
  const { kv } = site;
  await site.run(async () => {
    await kv.set(["rows", 1], 1);
    assert(site.actor.isLimited);
    const entry = await kv.get(SESSION);
    assertEquals((await kv.atomic().check(entry).delete(SESSION).commit()).ok, true);
    assertEquals(site.actor.isLimited, false);
    await kv.set(["rows", 2], 2);
  });
  assertEquals(await site.values(), [1, 2]);
});

for (const layer of [1, 2]) {
  Deno.test(`after a commit that sets a row of the authority to layer ${layer}, others check its new version`, async () => {
    using site = await fixture();
    const { kv } = site;
    await site.run(async () => {
      const entry = await kv.get(SESSION);
      assertEquals((await kv.atomic().check(entry).set(SESSION, { layer }).commit()).ok, true);
      await kv.set(["rows", 1], 1);
      assertEquals(site.asked.times, 0);
      await asSite(site.end);
      await assertRejects(() => kv.set(["rows", 2], 2), Ended);
    });
    assertEquals(await site.values(), [1]);
  });
}

Deno.test("a commit that fails because another one of the request ends the session is repeated without the check", async () => {
  using site = await fixture();
  const { kv } = site;
  const results = await site.run(() =>
    Promise.all([
      kv.atomic().delete(SESSION).commit(),
      kv.atomic().set(["rows", 1], 1).commit(),
      kv.atomic().set(["rows", 2], 2).commit(),
    ])
  );
  assertEquals(results.map(({ ok }) => ok), [true, true, true]);
  assertEquals(await site.values(), [1, 2]);
});

for (
  const [ending, settle, outcome] of [
    ["has succeeded", () => Promise.resolve({ ok: true, versionstamp: "1" }), "done"],
    ["has failed", () => Promise.resolve({ ok: false }), Ended],
    ["has no result", () => Promise.reject(new Lost()), Lost],
  ] as [string, () => Promise<Deno.KvCommitResult | Deno.KvCommitError>, unknown][]
) {
  Deno.test(`a commit that fails because of one that ends the session waits until that one ${ending}`, async () => {
    using site = await fixture();
    const { kv, actor } = site;
    const deleted = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    await site.run(async () => {
      const first = actor.commit({
        checks: [],
        changeOf: () => "deleted",
        async attempt() {
          await asSite(site.end);
          deleted.resolve();
          await read.promise;
          return await settle();
        },
      }).catch(() => {});
      await deleted.promise;
      let waits = true;
      const other = kv.atomic().set(["rows", 1], 1).commit()
        .then(() => "done" as const, (error) => error.constructor)
        .finally(() => waits = false);
      await until(
        () => site.asked.answered > 0,
        "the other commit has read that the session is gone",
      );
      await new Promise((resolve) => setTimeout(resolve));
      assert(waits);
      read.resolve();
      assertEquals(await other, outcome);
      await first;
    });
    assertEquals(await site.values(), outcome === "done" ? [1] : []);
  });
}

Deno.test("an authority ends at its time, although no row changes", async () => {
  using site = await fixture({ until: 1000 });
  site.clock.now = 999;
  await site.run(() => site.kv.set(["rows", 1], 1));
  site.clock.now = 1000;
  await assertRejects(() => site.run(() => site.kv.set(["rows", 1], 2)), Ended);
  assertEquals(await site.values(), [1]);
});

Deno.test("a commit gives up if the rows of the authority change all the time", async () => {
  using site = await fixture({ changing: true });
  await site.touch();
  await assertRejects(() => site.run(() => site.kv.set(["rows", 1], 1)), KvBusyError);
  assertEquals(await site.values(), []);
});

Deno.test("a write as the site, to another store or outside a request does not check the authority", async () => {
  using site = await fixture();
  using other = await openKv(":memory:");
  await site.end();
  await site.run(async () => {
    await other.set(["rows", 1], 1);
    await asSite(async () => {
      assertEquals(currentActor()?.requestId, "1"); // for log lines
      await site.kv.set(["rows", 2], 2);
    });
    await actAs(undefined, () => site.kv.set(["rows", 3], 3));
  });
  assertEquals(await site.values(), [2, 3]);
});

Deno.test("a write after the response is reported and still needs the authority, unless it is one of the site", async () => {
  using site = await fixture();
  let late = 0;
  rulesOf(site.kv).onLate = () => void late++;
  await site.run(async () => {
    site.actor.end();
    await site.kv.atomic().set(["rows", 1], 1).commit();
    await asSite(site.end);
    await assertRejects(() => site.kv.atomic().set(["rows", 2], 2).commit(), Ended);
    assertEquals(late, 2);
    await asSite(() => site.kv.set(["rows", 3], 3));
  });
  assertEquals([late, await site.values()], [2, [1, 3]]);
});

Deno.test("after a slow body everything that is known about the sender is read and asked again", async () => {
  using site = await fixture();
  let read = 0;
  site.actor.knows(() => Promise.resolve(void read++));
  const quick = site.actor.awaitBody();
  site.clock.now += 1000;
  await site.end();
  await quick();
  assertEquals(read, 0);
  const slow = site.actor.awaitBody();
  site.clock.now += 1001;
  await assertRejects(async () => await slow(), Ended);
  assertEquals(read, 1);
});

Deno.test("nine checks include those of the authority, and one is kept free in commits that append or log", async () => {
  using site = await fixture();
  const { kv } = site;
  const commit = (checks: number, reserved: boolean) => () => {
    const commit = kv.atomic().set(["rows", 1], 1);
    for (let i = 0; i < checks; i++) commit.check({ key: ["t", i], versionstamp: null });
    if (reserved) reserveCheck(commit);
    return commit.commit();
  };
  for (const reserved of [false, true]) {
    const most = reserved ? 7 : 8;
    assertEquals((await site.run(commit(most, reserved))).ok, true);
    await assertRejects(() => site.run(commit(most + 1, reserved)), TooManyChecksError);
    assertEquals((await commit(most + 1, reserved)()).ok, true); // without an authority
  }
});
