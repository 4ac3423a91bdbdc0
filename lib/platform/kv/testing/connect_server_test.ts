import { assert, assertEquals, assertRejects } from "@std/assert";
import { inTime } from "../../../base/in_time.ts";
import { until } from "../../../testing/until.ts";
import { openKv } from "../open.ts";
import { transact } from "../transact.ts";
import { type Condition, LIKE_DENOKV } from "./connect/condition.ts";
import { type Fate, fates, FAULTLESS } from "./connect/network.ts";
import { bytesOf, decodeFields, encodeFields, messagesOf, numberOf } from "./connect/protobuf.ts";
import { type ConnectServer, serveConnect } from "./connect_server.ts";

type Field = [field: number, value: Uint8Array | number];

const DATABASE = "00000000-0000-0000-0000-000000000000";
const bytes = (length: number) => new Uint8Array(length);
const text = (value: string) => new TextEncoder().encode(value);

/** Sends requests as the protocol describes them, with changes to the headers. */
function clientOf(server: ConnectServer) {
  const post = (path: string, headers: HeadersInit, body: BodyInit) =>
    fetch(new URL(path, server.url), { method: "POST", headers, body });
  async function exchange(
    headers: Record<string, string> = {},
    body: unknown = { supportedVersions: [1, 2, 3] },
  ) {
    const own = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    return await post("/", { ...own, ...headers }, JSON.stringify(body));
  }
  async function send(
    path: string,
    message: Uint8Array<ArrayBuffer>,
    changed: Record<string, string | null> = {},
  ) {
    const { token } = await (await exchange()).json();
    const headers = new Headers({
      authorization: `Bearer ${token}`,
      "x-denokv-version": "3",
      "x-denokv-database-id": DATABASE,
    });
    for (const [name, value] of Object.entries(changed)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return await post(path, headers, message);
  }
  return { exchange, post, send };
}

async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}

const repeat = (count: number, field: Field): Field[] => Array.from({ length: count }, () => field);
const value = (data: Uint8Array, encoding: number): Field => [
  2,
  encodeFields([[1, data], [2, encoding]]),
];
const set = (key: Uint8Array, data: Uint8Array): Field => [
  2,
  encodeFields([[1, key], value(data, 3), [3, 1]]),
];
const check = (key: Uint8Array, versionstamp = bytes(0)): Field => [
  1,
  encodeFields([[1, key], [2, versionstamp]]),
];
const range = (limit: number, end = bytes(1)): Field => [
  1,
  encodeFields([[1, bytes(0)], [2, end], [3, limit]]),
];
/** Twelve sets of the largest value, and one that makes the commit so large. */
const commitOf = (size: number): Field[] => [
  ...Array.from({ length: 12 }, (_, i) => set(Uint8Array.of(i), bytes(65_536))),
  set(bytes(1), bytes(size - 12 * 65_537 - 1)),
];

/** Requests at a limit, and the same requests above it. */
const LIMITS: Record<string, [limit: number, path: string, (count: number) => Field[]]> = {
  "checks of a commit": [10, "atomic_write", (count) => repeat(count, check(text("a")))],
  "mutations of a commit": [
    1_000,
    "atomic_write",
    (count) => repeat(count, set(text("a"), bytes(1))),
  ],
  "bytes of a commit": [819_200, "atomic_write", commitOf],
  "bytes of a value": [65_536, "atomic_write", (count) => [set(text("a"), bytes(count))]],
  "bytes of a written key": [2_048, "atomic_write", (count) => [set(bytes(count), bytes(1))]],
  "bytes of a checked key": [2_049, "atomic_write", (count) => [check(bytes(count))]],
  "ranges of a read": [10, "snapshot_read", (count) => repeat(count, range(1))],
  "rows of a read": [1_000, "snapshot_read", (count) => [range(400), range(count - 400)]],
  "bytes of a read key": [2_049, "snapshot_read", (count) => [range(1, bytes(count))]],
  "watched keys": [10, "watch", (count) => repeat(count, [1, encodeFields([[1, text("a")]])])],
};

for (const [name, [limit, path, request]] of Object.entries(LIMITS)) {
  Deno.test(`a KV Connect server accepts ${limit} ${name} and returns 400 for one more`, async () => {
    await using server = serveConnect();
    const { send } = clientOf(server);
    const statuses = [];
    for (const count of [limit, limit + 1]) {
      statuses.push(await statusOf(await send(`/v2/${path}`, encodeFields(request(count)))));
    }
    assertEquals(statuses, [200, 400]);
  });
}

const mutation = (...fields: Field[]): Field[] => [[2, encodeFields([[1, text("a")], ...fields])]];

/** Requests that are refused: path, headers that are changed, message, status. */
const REFUSED: Record<
  string,
  [path: string, headers: Record<string, string | null>, message: Field[] | string, status: number]
> = {
  "without a version": ["/v2/snapshot_read", { "x-denokv-version": null }, [], 400],
  "of version 1": ["/v2/snapshot_read", { "x-denokv-version": "1" }, [], 400],
  "without a token": ["/v2/snapshot_read", { authorization: null }, [], 401],
  "with another token": ["/v2/atomic_write", { authorization: "Bearer other" }, [], 401],
  "for another database": ["/v2/watch", { "x-denokv-database-id": "1".repeat(8) }, [], 400],
  "for no database": ["/v2/watch", { "x-denokv-database-id": null }, [], 400],
  "for an unknown path": ["/v2/read", {}, [], 404],
  "that is no message": ["/v2/atomic_write", {}, "text", 400],
  "for no rows": ["/v2/snapshot_read", {}, [range(0)], 400],
  "with a short versionstamp": ["/v2/atomic_write", {}, [check(text("a"), bytes(9))], 400],
  "with an unknown mutation": ["/v2/atomic_write", {}, mutation(value(bytes(1), 3), [3, 6]), 400],
  "that sets no value": ["/v2/atomic_write", {}, mutation([3, 1]), 400],
  "with an unknown encoding": ["/v2/atomic_write", {}, mutation(value(bytes(1), 4), [3, 1]), 500],
  "with a queue": ["/v2/atomic_write", {}, [[3, encodeFields([[1, bytes(1)]])]], 400],
};

Deno.test("a KV Connect server refuses invalid requests for data", async () => {
  await using server = serveConnect();
  const { send } = clientOf(server);
  const statuses: Record<string, number> = {};
  for (const [name, [path, headers, message]] of Object.entries(REFUSED)) {
    const body = typeof message === "string" ? text(message) : encodeFields(message);
    statuses[name] = await statusOf(await send(path, body, headers));
  }
  assertEquals(
    statuses,
    Object.fromEntries(Object.entries(REFUSED).map(([name, row]) => [name, row[3]])),
  );
  assertEquals(await statusOf(await fetch(`${server.url}v2/watch`)), 405);
  assertEquals(server.commits, 0);
});

Deno.test("a KV Connect server gives metadata for a token, JSON and a version of its own", async () => {
  await using server = serveConnect({ versions: [2] });
  const { exchange } = clientOf(server);
  const statuses = [];
  for (
    const [headers, body] of [
      [{}, { supportedVersions: [3, 2] }],
      [{ authorization: `bearer ${server.token}` }],
      [{ authorization: "Bearer other" }],
      [{ authorization: "" }],
      [{ "content-type": "text/plain" }],
      [{}, { supportedVersions: [1, 3] }],
      [{}, {}],
    ] as [Record<string, string>, unknown?][]
  ) {
    statuses.push(await statusOf(await exchange(headers, body)));
  }
  assertEquals(statuses, [200, 200, 401, 401, 400, 400, 400]);
  const response = await exchange();
  const { token, expiresAt, ...metadata } = await response.json();
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(metadata, {
    version: 2,
    databaseId: DATABASE,
    endpoints: [{ url: "/v2", consistency: "strong" }],
  });
  assert(token !== server.token && Date.parse(expiresAt) > Date.now());
});

Deno.test("a data token of a KV Connect server is refused once its metadata has expired", async () => {
  await using server = serveConnect({ metadataMs: -1 });
  assertEquals(await statusOf(await clientOf(server).send("/v2/snapshot_read", bytes(0))), 401);
});

Deno.test("a client of a KV Connect server requests new metadata before its own expires", async () => {
  // Deno requests it ten seconds before.
  await using server = serveConnect({ metadataMs: 10_050 });
  using kv = await open(server);
  await until(() => server.exchanges >= 3, "the client has requested new metadata twice");
  await kv.set(["a"], 1);
});

Deno.test("a KV Connect server names the checks that failed and writes nothing", async () => {
  await using server = serveConnect();
  const { send } = clientOf(server);
  const response = await send(
    "/v2/atomic_write",
    encodeFields([
      check(text("a"), bytes(10)),
      check(text("b")),
      check(text("c"), bytes(10)),
      set(text("b"), bytes(1)),
    ]),
  );
  assertEquals(response.headers.get("content-type"), "application/x-protobuf");
  const output = decodeFields(await response.bytes());
  assertEquals([numberOf(output, 1), bytesOf(output, 2)], [2, null]);
  assertEquals([...bytesOf(output, 4)!], [0, 2]);
  assertEquals(server.commits, 0);
});

/** Sums with bounds, which neither client can send: bounds, whether to stop at them, and the result. */
const BOUNDED: [number, { min?: number; max?: number }, clamp: boolean, expected: number | null][] =
  [
    [2, { max: 12 }, false, 12],
    [3, { max: 12 }, false, null],
    [3, { max: 12 }, true, 12],
    [-11, { min: 0, max: 12 }, false, null],
    [-11, { min: 0, max: 12 }, true, 0],
  ];

Deno.test("a sum that would leave its bounds stops at them, or fails with everything else in its commit", async () => {
  await using server = serveConnect();
  using kv = await open(server);
  const { send } = clientOf(server);
  // A tuple of one text: its type, its characters, and a zero byte.
  const key = Uint8Array.of(2, 110, 0);
  const v8 = (number: number) => Uint8Array.of(0xff, 0x0f, 0x49, number * 2 ^ number >> 31);
  for (const [added, { min, max }, clamp, expected] of BOUNDED) {
    await kv.atomic().set(["n"], 10).delete(["x"]).commit();
    const fields: Field[] = [[1, key], value(v8(added), 1), [3, 3], [7, Number(clamp)]];
    if (min !== undefined) fields.push([5, v8(min)]);
    if (max !== undefined) fields.push([6, v8(max)]);
    const other = set(Uint8Array.of(2, 120, 0), bytes(1));
    const response = await send(
      "/v2/atomic_write",
      encodeFields([other, [2, encodeFields(fields)]]),
    );
    assertEquals(await statusOf(response), expected === null ? 400 : 200);
    const [n, x] = await kv.getMany([["n"], ["x"]]);
    assertEquals([n.value, x.versionstamp === null], [expected ?? 10, expected === null]);
  }
});

Deno.test("a watch sends frames with their length, begins with the current rows, and can break off", async () => {
  await using server = serveConnect();
  const { send } = clientOf(server);
  const response = await send("/v2/watch", encodeFields([[1, encodeFields([[1, text("a")]])]]));
  assertEquals(response.headers.get("content-type"), "application/octet-stream");
  const reader = response.body!.getReader();
  async function entry() {
    const { value } = await reader.read();
    const length = new DataView(value!.buffer, value!.byteOffset).getUint32(0, true);
    assertEquals(value!.length, 4 + length);
    const output = decodeFields(value!.subarray(4));
    const [key] = messagesOf(output, 2);
    const [found] = messagesOf(key, 2);
    return [numberOf(output, 1), numberOf(key, 1), found && [...bytesOf(found, 2)!]];
  }
  assertEquals(await entry(), [1, 1, undefined]);
  await statusOf(await send("/v2/atomic_write", encodeFields([set(text("a"), Uint8Array.of(7))])));
  assertEquals(await entry(), [1, 1, [7]]);
  server.dropWatches();
  assertEquals(await reader.read().then(() => "a frame", () => "an error"), "an error");
});

Deno.test("Deno's client reconnects a watch that broke off, and gets what changed meanwhile", async () => {
  await using server = serveConnect();
  using kv = await open(server);
  const reader = kv.watch<[number]>([["a"]]).getReader();
  await reader.read();
  server.dropWatches();
  await kv.set(["a"], 1);
  assertEquals((await reader.read()).value?.[0].value, 1);
  await reader.cancel();
});

Deno.test("a hanging KV Connect server responds once it is released", async () => {
  await using server = serveConnect();
  using kv = await open(server);
  const release = server.hang();
  const read = kv.get(["a"]);
  assertEquals(await inTime(read, 50), undefined);
  release();
  assertEquals((await read).value, null);
});

Deno.test("the paths of a KV Connect server are separate stores", async () => {
  await using server = serveConnect();
  using first = await open(server, "first");
  using second = await open(server, "second");
  await first.set(["a"], 1);
  assertEquals([(await first.get(["a"])).value, (await second.get(["a"])).value], [1, null]);
});

Deno.test("a KV Connect server with a journal restores its stores, without a commit that was cut off", async () => {
  const journal = await Deno.makeTempFile();
  const read = async () => {
    await using server = serveConnect({ journal });
    using kv = await open(server);
    using other = await open(server, "other");
    const entries = await Array.fromAsync(kv.list({ prefix: [] }));
    return [entries, (await other.get(["a"])).value];
  };
  {
    await using server = serveConnect({ journal });
    // Deno's own store, because `openKv` also writes the ids of commits.
    using kv = await openPlain(server);
    using other = await openPlain(server, "other");
    const entry = await kv.get(["a"]);
    await kv.atomic().check(entry).set(["a"], 1).sum(["n"], 2n).commit();
    await kv.atomic().check(entry).set(["a"], 2).commit();
    await kv.set(["gone"], 1, { expireIn: 60_000 });
    server.sweep(Date.now() + 61_000);
    await kv.atomic().sum(["n"], 3n).commit();
    await other.set(["a"], "other");
  }
  await Deno.writeFile(journal, bytes(20).fill(1), { append: true });
  assertEquals(await read(), [
    [
      { key: ["a"], value: 1, versionstamp: "00000000000000010000" },
      { key: ["gone"], value: 1, versionstamp: "00000000000000020000" },
      { key: ["n"], value: new Deno.KvU64(5n), versionstamp: "00000000000000040000" },
    ],
    "other",
  ]);
  {
    await using server = serveConnect({ journal });
    using kv = await openPlain(server);
    await kv.delete(["gone"]);
  }
  const [entries] = await read();
  assertEquals((entries as Deno.KvEntry<unknown>[]).map(({ key }) => key), [["a"], ["n"]]);
  await Deno.remove(journal);
});

Deno.test("a late response of a KV Connect server takes longer", async () => {
  await using server = serveConnect({ lateMs: 50 });
  using kv = await open(server);
  server.upcoming.push("late");
  const started = performance.now();
  await kv.set(["a"], 1);
  // Timers may fire up to a millisecond early.
  assert(performance.now() - started >= 49);
});

Deno.test("a KV Connect server in the condition of denokv keeps what a rejected commit wrote first, takes longer for large commits, and sweeps a minute later", async () => {
  await using server = serveConnect({ condition: { ...LIKE_DENOKV, largeCommitMs: 50 } });
  using kv = await openPlain(server);
  await kv.set(["text"], "no number");
  await assertRejects(() => kv.atomic().set(["before"], 1).sum(["text"], 1n).commit(), Error);
  assertEquals((await kv.get(["before"])).value, 1);
  const timeOf = async (size: number) => {
    const started = performance.now();
    await kv.set(["a"], "x".repeat(size), { expireIn: 1_000 });
    return performance.now() - started;
  };
  assert(await timeOf(2_000) >= 49);
  server.sweep(Date.now() + 60_000);
  assertEquals((await kv.get(["a"])).versionstamp !== null, true);
  server.sweep(Date.now() + 62_000);
  assertEquals((await kv.get(["a"])).versionstamp, null);
});

const CONDITIONS: [state: Condition["state"], read: number, write: number, metadata: number][] = [
  ["well", 200, 200, 200],
  ["dead", 503, 503, 200],
  ["full", 200, 500, 200],
  ["readOnly", 200, 400, 200],
  ["refusing", 401, 401, 401],
];

Deno.test("a KV Connect server responds in each condition as denokv does, and forgets its stores when they are replaced", async () => {
  await using server = serveConnect();
  const { exchange, post } = clientOf(server);
  const { token } = await (await exchange()).json();
  const headers = {
    authorization: `Bearer ${token}`,
    "x-denokv-version": "3",
    "x-denokv-database-id": DATABASE,
  };
  for (const [state, ...statuses] of CONDITIONS) {
    server.condition.state = state;
    const found = [
      await statusOf(await post("/v2/snapshot_read", headers, bytes(0))),
      await statusOf(await post("/v2/atomic_write", headers, bytes(0))),
      await statusOf(await exchange()),
    ];
    assertEquals(found, statuses, state);
  }
  server.condition.state = "well";
  using kv = await openPlain(server);
  await kv.set(["a"], 1);
  server.replaceStores();
  assertEquals((await kv.get(["a"])).value, null);
});

Deno.test("the same seed leads to the same faults, as often as the network says", () => {
  const network = { ...FAULTLESS, unavailable: 0.1, dropped: 0.05, repeated: 0.2 };
  const draw = (seed: string) => Array.from({ length: 10_000 }, fates(network, seed));
  const drawn = draw("a");
  assertEquals(drawn, draw("a"));
  assert(drawn.join() !== draw("b").join());
  const count = (fate: Fate) => Math.round(drawn.filter((other) => other === fate).length / 100);
  assertEquals(
    [count("unavailable"), count("dropped"), count("repeated"), count("delivered"), count("late")],
    [10, 5, 20, 65, 0],
  );
});

Deno.test("32 writers of one key through two connections lose no increment", async () => {
  await using server = serveConnect();
  using first = await open(server);
  using second = await open(server);
  await Promise.all(Array.from({ length: 32 }, (_, i) =>
    transact(async () => {
      const kv = i % 2 === 0 ? first : second;
      const entry = await kv.get<number>(["count"]);
      const result = (entry.value ?? 0) + 1;
      return { result, commit: kv.atomic().check(entry).set(["count"], result) };
    })));
  assertEquals((await first.get(["count"])).value, 32);
});

const openPlain = (server: ConnectServer, name = "") => open(server, name, Deno.openKv);

async function open(server: ConnectServer, name = "", openStore = openKv): Promise<Deno.Kv> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  try {
    return await openStore(server.url + name);
  } finally {
    Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  }
}
