import { openKv as openWithNpm } from "@deno/kv";
import { assertEquals, assertRejects } from "@std/assert";
import { type ConnectServer, type ConnectServerOptions, serveConnect } from "../connect_server.ts";
import { findDenokv, serveDenokv } from "../denokv_server.ts";

/** Opens a store with one client. */
type Open = (server: Pick<ConnectServer, "url" | "token">) => Promise<Deno.Kv>;

const openWithDeno: Open = async ({ url, token }) => {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", token);
  try {
    const kv = await Deno.openKv(url);
    await kv.get(["connect"]); // Deno reads the token first
    return kv;
  } finally {
    Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  }
};

const openNpm: Open = async ({ url, token }) =>
  await openWithNpm(url, { implementation: "remote", accessToken: token }) as unknown as Deno.Kv;

/** Deno's own store uses the same code as `denokv`, so it shows what results are right. */
const CLIENTS: Record<string, [Open, ConnectServerOptions?]> = {
  "Deno's store in memory": [() => Deno.openKv(":memory:")],
  "Deno": [openWithDeno],
  "Deno, version 2": [openWithDeno, { versions: [2] }],
  "@deno/kv": [openNpm],
  "@deno/kv, version 2": [openNpm, { versions: [2] }],
};

interface Case {
  run: (kv: Deno.Kv, server: ConnectServer) => Promise<unknown>;
  expected: unknown;
  /** Clients for which the case means nothing. */
  except?: RegExp;
  /** True if it needs the hold on the server that only the imitation gives. */
  imitated?: true;
}

/** Returns a value in a form that is the same for both clients. */
const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "value" in value && typeof value.value === "bigint"
    ? `u64 ${value.value}`
    : value;
const valueAt = async (kv: Deno.Kv, ...key: Deno.KvKey) => plain((await kv.get(key)).value);
const rowsOf = async (kv: Deno.Kv, selector: Deno.KvListSelector, options?: Deno.KvListOptions) =>
  await Array.fromAsync(kv.list(selector, options), ({ key, value }) => [...key, plain(value)]);
const fails = (run: () => Promise<unknown>) => run().then(() => "succeeds", () => "fails");

/** Adds a number, which the types of Deno do not allow. Bounds are in the protocol, but neither client has them. */
const sum = (kv: Deno.Kv, value: unknown) =>
  kv.atomic().mutate({ type: "sum", key: ["n"], value: value as Deno.KvU64 }).commit();

const CASES: Record<string, Case> = {
  "writes, reads and deletes values of all kinds": {
    run: async (kv) => {
      const values = [
        "é",
        1.5,
        -3n,
        true,
        null,
        [new Date(7)],
        new Map([[1, new Uint8Array([0])]]),
      ];
      for (const [i, value] of values.entries()) await kv.set(["v", i], value);
      await kv.set([new Uint8Array([0, 255, 0]), "a\0b", -1, 2n, false], new Uint8Array([1, 2]));
      await kv.delete(["v", 1]);
      const read = await kv.getMany([["v", 0], ["v", 1], ["none"]]);
      return [await rowsOf(kv, { prefix: [] }), read.map(({ value }) => value)];
    },
    expected: [
      [
        [new Uint8Array([0, 255, 0]), "a\0b", -1, 2n, false, new Uint8Array([1, 2])],
        ["v", 0, "é"],
        ["v", 2, -3n],
        ["v", 3, true],
        ["v", 4, null],
        ["v", 5, [new Date(7)]],
        ["v", 6, new Map([[1, new Uint8Array([0])]])],
      ],
      ["é", null, null],
    ],
  },
  "lists more rows than fit into one read, from both ends": {
    run: async (kv) => {
      for (const first of [1, 501]) {
        const commit = kv.atomic();
        for (let i = first; i < first + 500; i++) commit.set(["a", i], i);
        await commit.commit();
      }
      await kv.set(["b"], 0);
      const all = await rowsOf(kv, { prefix: ["a"] }, { batchSize: 300 });
      return [
        [all.length, all[0], all.at(-1)],
        await rowsOf(kv, { prefix: ["a"] }, { reverse: true, limit: 2 }),
        await rowsOf(kv, { start: ["a", 999], end: ["b"] }),
        await rowsOf(kv, { prefix: ["a"], start: ["a", 999] }, { reverse: true, batchSize: 1 }),
        await rowsOf(kv, { prefix: ["c"] }),
      ];
    },
    expected: [
      [1_000, ["a", 1, 1], ["a", 1_000, 1_000]],
      [["a", 1_000, 1_000], ["a", 999, 999]],
      [["a", 999, 999], ["a", 1_000, 1_000]],
      [["a", 1_000, 1_000], ["a", 999, 999]],
      [],
    ],
  },
  "commits if all checks pass, and nothing otherwise": {
    run: async (kv) => {
      const absent = { key: ["a"], versionstamp: null };
      const first = await kv.atomic().check(absent).set(["a"], 1).commit();
      const entry = await kv.get(["a"]);
      const results = [
        await kv.atomic().check(absent).set(["b"], 1).commit(),
        await kv.atomic().check(entry).set(["a"], 2).commit(),
        await kv.atomic().check(entry).delete(["a"]).commit(),
        await kv.atomic().check({ key: ["b"], versionstamp: null }).commit(),
      ];
      const { versionstamp } = await kv.get(["a"]);
      return [
        first.ok && first.versionstamp === entry.versionstamp,
        results.map(({ ok }) => ok),
        await rowsOf(kv, { prefix: [] }),
        versionstamp! > entry.versionstamp!,
        /^[0-9a-f]{16}0000$/.test(versionstamp!),
      ];
    },
    expected: [true, [false, true, false, true], [["a", 2]], true, true],
  },
  "adds, raises and lowers 64-bit integers, and lets them wrap around": {
    run: async (kv) => {
      await kv.atomic().sum(["a"], 40n).sum(["a"], 2n).max(["b"], 7n).min(["c"], 7n).commit();
      await kv.atomic().max(["b"], 9n).max(["b"], 8n).min(["c"], 5n).min(["c"], 6n).commit();
      await kv.atomic().sum(["a"], 2n ** 64n - 2n).commit();
      return await rowsOf(kv, { prefix: [] });
    },
    expected: [["a", "u64 40"], ["b", "u64 9"], ["c", "u64 5"]],
  },
  "adds to numbers of any kind": {
    except: /denokv, Deno/, // Deno 2.9 writes version 16 of V8's format, and denokv 0.14 reads up to 15
    run: async (kv) => {
      for (const value of [1.5, 2, -9]) await sum(kv, value);
      const number = await valueAt(kv, "n");
      await kv.set(["n"], 2n ** 70n);
      await sum(kv, 1n);
      return [number, await valueAt(kv, "n")];
    },
    expected: [-5.5, 2n ** 70n + 1n],
  },
  "refuses sums of different types": {
    run: async (kv) => {
      await kv.set(["n"], "text");
      const text = await fails(() => sum(kv, 1));
      await kv.set(["n"], 1);
      const big = await fails(() => sum(kv, 1n));
      const u64 = await fails(() => kv.atomic().sum(["n"], 1n).commit());
      return [text, big, u64, await valueAt(kv, "n")];
    },
    expected: ["fails", "fails", "fails", 1],
  },
  "writes keys that end with the versionstamp of the commit": {
    except: /@deno\/kv/, // it cannot write them
    run: async (kv) => {
      const key = ["log", kv.commitVersionstamp()] as unknown as Deno.KvKey;
      const stamps: string[] = [];
      for (const value of ["first", "second"]) {
        const result = await kv.atomic().set(key, value).commit();
        if (result.ok) stamps.push(result.versionstamp);
      }
      const rows = await rowsOf(kv, { prefix: ["log"] });
      return [rows.map(([, stamp]) => stamps.indexOf(stamp as string)), rows.map((row) => row[2])];
    },
    expected: [[0, 1], ["first", "second"]],
  },
  "watches keys: their values, each change, and their removal": {
    except: /version 2/, // version 2 has no watch
    run: async (kv) => {
      await kv.set(["a"], 1);
      const reader = kv.watch([["a"], ["b"]]).getReader();
      const next = async () => (await reader.read()).value!.map(({ value }) => value);
      const seen = [await next()];
      const writes: (() => Promise<unknown>)[] = [
        () => kv.set(["b"], 2),
        () => kv.delete(["a"]),
        () => kv.atomic().set(["a"], 3).delete(["b"]).commit(),
      ];
      for (const write of writes) {
        await kv.set(["other"], seen.length);
        await write();
        seen.push(await next());
      }
      await reader.cancel();
      return seen;
    },
    expected: [[1, null], [1, 2], [null, 2], [3, null]],
  },
  "accepts the largest key, value and commit": {
    run: async (kv) => {
      await kv.set(["k".repeat(2_046)], new Uint8Array(65_536));
      const commit = kv.atomic();
      for (let i = 0; i < 1_000; i++) commit.set(["a", i], i);
      await commit.commit();
      const ten = Array.from({ length: 10 }, (_, i) => ["a", i]);
      const read = await kv.getMany(ten);
      return [
        read.at(-1)?.value,
        (await rowsOf(kv, { prefix: ["a"] }, { batchSize: 1_000 })).length,
      ];
    },
    expected: [9, 1_000],
  },
  "refuses eleven checks": {
    except: /memory/, // it allows 100
    run: async (kv) => {
      const check = (count: number) => {
        const commit = kv.atomic();
        for (let i = 0; i < count; i++) commit.check({ key: ["a", i], versionstamp: null });
        return fails(() => commit.set(["count"], count).commit());
      };
      return [await check(10), await check(11), await valueAt(kv, "count")];
    },
    expected: ["succeeds", "fails", 10],
  },
  "returns expired rows until they are swept": {
    except: /memory/, // its clock cannot be set
    run: async (kv, server) => {
      await kv.set(["a"], 1, { expireIn: 60_000 });
      await kv.atomic().set(["b"], 2, { expireIn: 120_000 }).set(["c"], 3).commit();
      await kv.set(["d"], 4, { expireIn: 60_000 });
      await kv.set(["d"], 5); // never expires
      const rows = async (atMs: number) => {
        server.sweep(Date.now() + atMs);
        return (await rowsOf(kv, { prefix: [] })).map(([key]) => key).join("");
      };
      return [await rows(55_000), await rows(61_000), await rows(121_000)];
    },
    expected: ["abcd", "bcd", "cd"],
    imitated: true,
  },
};

for (const [client, [open, options]] of Object.entries(CLIENTS)) {
  for (const [name, { run, expected, except }] of Object.entries(CASES)) {
    if (except?.test(client)) continue;
    Deno.test(`a KV Connect server ${name} (${client})`, async () => {
      await using server = serveConnect(options);
      using kv = await open(server);
      assertEquals(await run(kv, server), expected);
    });
  }
}

/** The clients of the real server, on which the test has no hold: it decides itself when it sweeps. */
const binary = findDenokv();
for (const [client, open] of Object.entries({ "Deno": openWithDeno, "@deno/kv": openNpm })) {
  for (const [name, { run, expected, except, imitated }] of Object.entries(CASES)) {
    if (except?.test(`denokv, ${client}`) || imitated) continue;
    Deno.test({
      name: `denokv ${name} (${client})`,
      ignore: binary === null,
      async fn() {
        const folder = await Deno.makeTempDir();
        {
          await using server = await serveDenokv({ binary: binary!, folder });
          using kv = await open(server);
          assertEquals(await run(kv, server as unknown as ConnectServer), expected);
        }
        await Deno.remove(folder, { recursive: true });
      },
    });
  }
}

Deno.test("Deno repeats a commit whose response was lost, so it counts twice or fails although it was stored", async () => {
  await using server = serveConnect({ drops: true });
  using kv = await openWithDeno(server);
  for (const fate of ["unavailable", "dropped"] as const) {
    server.upcoming.push(fate, "delivered", fate);
    await kv.atomic().sum([fate, "n"], 1n).commit();
    const key = [fate, "once"];
    const created = await kv.atomic().check({ key, versionstamp: null }).set(key, 1).commit();
    assertEquals([await valueAt(kv, fate, "n"), created.ok, await valueAt(kv, ...key)], [
      "u64 2",
      false,
      1,
    ]);
  }
});

Deno.test("a commit whose response breaks off throws in both clients, although it was stored", async () => {
  for (const open of [openWithDeno, openNpm]) {
    await using server = serveConnect();
    using kv = await open(server);
    server.upcoming.push("cut");
    await assertRejects(() => kv.set(["a"], 1));
    assertEquals([await valueAt(kv, "a"), server.commits], [1, 1]);
  }
});

Deno.test("a commit that arrives a second time overwrites a newer one", async () => {
  await using server = serveConnect();
  using kv = await openNpm(server);
  server.upcoming.push("repeated");
  await kv.set(["a"], "old");
  await kv.set(["a"], "new");
  assertEquals(await valueAt(kv, "a"), "old");
});
