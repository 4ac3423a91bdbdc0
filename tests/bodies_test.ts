/**
 * Stalled bodies on every route that reads one: what is kept of them stays within the budget, whichever route they
 * are sent to. `lib/platform/http/body_budget.ts` has the limits of a process.
 */
import { assert, assertEquals } from "@std/assert";
import { BODY_LIMITS } from "../lib/platform/http/body_budget.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { serve } from "../lib/platform/http/serve.ts";
import { actAs } from "../lib/platform/kv/mod.ts";
import { until } from "../lib/testing/until.ts";
import { ELSEWHERE, EXAMPLES } from "./authority_examples.ts";
import { authoritySite, type Sender } from "./authority_site.ts";
import { readUnsafeRoutes } from "./unsafe_routes.ts";

/** The number of bytes that each request sends before it stalls: less than the shortest limit of a body. */
const SENT = 6_000;
/** A caller has room for one body, and not for two. */
const LIMITS = { all: 10 * SENT, large: 10 * SENT, caller: 1.5 * SENT };

/** The size of the parts in which longer bodies arrive. */
const CHUNK = 64 * 1024;

const MIB = 1024 * 1024;
/** A hundred long bodies have ten times the budget of their caller. */
const LONG_LIMITS = { ...BODY_LIMITS, caller: 20 * MIB };
const LONG_BODY = 2 * MIB;
/** The most memory in bytes that they add to the process, garbage included: much less than all of them take. */
const MOST_MEMORY = 128 * MIB;

/** How many times bodies are looked at before those that stall are taken as not refused. */
const CALM = 10;

/** Why no body of a route is tried. */
const NOT_READ: Record<string, string> = {
  "/api/auth/logout": "It does not read its body.",
  "/api/bank/refresh": "It does not read its body.",
  "/d/:id/printed": "It does not read its body.",
  "/console/records/:hash/documents/:id/printed": "It does not read its body.",
  "/api/codes/status": "It exists only with a provider of codes.",
  "/api/codes/voice": "It exists only with a provider of codes.",
  "/dev/payments": "It exists only in development.",
  "/dev/phone": "It exists only in development.",
  "/dev/push": "It exists only in development.",
};

const FIELDS = Object.entries({ mode: "test", title: "A", type: "Certificate", date: "2026-11-20" })
  .map(([name, text]) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  );
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,email\r\n';

const FORM_WITH_FILE = "multipart/form-data; boundary=x";

/** The types of bodies, with the beginning of one. */
const STARTS: Record<string, string> = {
  "application/json": '{"a":"',
  "application/x-www-form-urlencoded": "a=",
  "text/csv": "name,email\n",
  [FORM_WITH_FILE]: `${FIELDS.join("")}--x\r\n${FILE}`,
};

/** The limits of the process, which the test changes. */
const limits = { ...LIMITS };
const world = await authoritySite({ bodyLimits: limits });
const { bodies, surfaces } = world.site.services;
const server = serve({ hostname: "127.0.0.1", port: 0 }, world.site.handler);

/** A body that sends a number of bytes and then nothing more, until its client goes. */
function stalled(start: string, length: number) {
  const first = new TextEncoder().encode(
    start.padEnd(Math.min(length, CHUNK), "a,b@example.org\n"),
  );
  const gone = Promise.withResolvers<void>();
  const body = { read: false, waits: false, responded: false, leave: gone.resolve };
  let left = length - first.length;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!body.read) {
        body.read = true;
        controller.enqueue(first);
      } else if (left > 0) {
        controller.enqueue(new Uint8Array(Math.min(left, CHUNK)).fill(0x61));
        left -= CHUNK;
      } else {
        body.waits = true;
        await gone.promise;
        controller.error(new TypeError("The client has gone."));
      }
    },
  }, { highWaterMark: 0 });
  return Object.assign(body, { stream });
}

type Target = Pick<Sender, "cookie" | "headers"> & {
  surface: SurfaceName;
  path: string;
  method?: string;
};

/**
 * Sends stalled bodies to the handler. Returns how many were read, the statuses of early responses, and the most
 * that was counted as kept and that the process had.
 */
async function stall(
  { path, surface, cookie, headers, method = "POST" }: Target,
  type: string,
  count: number,
  length: number = SENT,
) {
  const url = surfaces.url(surface, path)!;
  const { host, origin } = new URL(url);
  const remoteAddr = { transport: "tcp", hostname: "203.0.113.7", port: 4711 } as const;
  const all = Array.from({ length: count }, () => stalled(STARTS[type], length));
  const statuses: number[] = [];
  const responses = all.map(async (body) => {
    const request = new Request(url, {
      method,
      body: body.stream,
      headers: {
        ...{ host, origin, accept: "application/json, text/event-stream", "content-type": type },
        ...cookie !== undefined && { cookie },
        ...headers,
      },
    });
    const response = await world.site.handler(request, {
      remoteAddr,
      completed: Promise.resolve(),
    });
    statuses.push(response.status);
    await response.body?.cancel();
    body.responded = true;
  });
  const long = length > CHUNK;
  let [most, memory, calm] = [0, 0, 0];
  await until(() => {
    most = Math.max(most, bodies.used);
    if (long) memory = Math.max(memory, Deno.memoryUsage().rss);
    const isCalm = all.every((body) => (long ? body.waits : body.read) || body.responded);
    calm = isCalm ? calm + 1 : 0;
    if (all.every(({ responded }) => responded)) return true;
    return calm > 0 && count === 2 && statuses.includes(429) || calm === CALM && count !== 2;
  }, "each body is read or refused");
  const early = new Set(statuses);
  for (const { leave } of all) leave();
  await Promise.all(responses);
  return { read: all.filter(({ read }) => read).length, early, most, memory };
}

/**
 * Sends a hundred long bodies over connections that stall before their last byte. Returns the statuses of early
 * responses, and the most memory that the process had.
 */
async function stallSockets(
  { path, surface, cookie, headers, method = "POST" }: Target,
  type: string,
) {
  const start = STARTS[type];
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(surfaces.url(surface, path)!).host}`,
    `origin: ${new URL(surfaces.url(surface, path)!).origin}`,
    "accept: application/json, text/event-stream",
    `content-type: ${type}`,
    `content-length: ${start.length + LONG_BODY + 1}`,
    ...cookie === undefined ? [] : [`cookie: ${cookie}`],
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  const first = new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${start}`);
  const chunk = new TextEncoder().encode("a,b@example.org\n".repeat(CHUNK / 16));
  const early = new Set<number>();
  let [answers, memory] = [0, 0];
  const { hostname, port } = server.addr;
  const connections = await Promise.all(
    Array.from({ length: 100 }, () => Deno.connect({ hostname, port })),
  );
  const reading = connections.map(async (connection) => {
    const bytes = new Uint8Array(64);
    const read = await connection.read(bytes).catch(() => null);
    if (read === null) return;
    answers++;
    early.add(Number(new TextDecoder().decode(bytes).slice(9, 12)));
  });
  const writing = connections.map(async (connection) => {
    const writer = connection.writable.getWriter();
    await writer.write(first);
    for (let sent = 0; sent < LONG_BODY; sent += CHUNK) await writer.write(chunk);
  });
  await Promise.all(writing);
  // Written bytes may still be in the buffers of the connections.
  let [state, calm] = ["", 0];
  await until(() => {
    memory = Math.max(memory, Deno.memoryUsage().rss);
    const now = `${answers} ${bodies.used}`;
    calm = now === state ? calm + 1 : 0;
    state = now;
    return answers > 0 && calm === 4 * CALM;
  }, "some bodies are refused, and the others wait");
  const statuses = new Set(early);
  for (const connection of connections) connection.close();
  await Promise.all(reading);
  await until(() => bodies.used === 0, "the site has noticed that the clients are gone");
  return { early: statuses, memory };
}

/** Returns a request for a route, from somebody who has its authority. */
async function targetOf(pattern: string): Promise<Target> {
  const name = Object.keys(EXAMPLES).find((name) => name.split(" ", 1)[0] === pattern);
  if (name !== undefined && !(pattern in ELSEWHERE)) {
    const { by, request } = EXAMPLES[name];
    const from = await (by === "testKey" ? world.senders.key("test") : world.senders[by]());
    const { path, method } = await request(world, from);
    await world.settled();
    return { ...from, surface: from.surface!, path, method };
  }
  const path = pattern.replace(":id", "K3V9QXW2M7RBT4HD");
  for (const { name: surface } of surfaces.all) {
    const target = { surface, path };
    const { early } = await stall(target, "application/json", 1);
    if (!early.has(404)) return target;
  }
  throw new Error(`No surface serves ${pattern}.`);
}

/**
 * Bodies that are longer than those that every route may keep. Those of the API are base64 or CSV. They are also
 * sent over sockets, which take most of the time.
 */
const LONG = [
  "/api/documents application/json",
  `/api/documents ${FORM_WITH_FILE}`,
  "/api/documents/batches text/csv",
  `/api/documents/batches ${FORM_WITH_FILE}`,
];

Deno.test("stalled bodies on every route that reads one are counted while they arrive, and refused beyond the budget, so that 100 connections that send 2 MiB with a budget of 20 MiB add at most 128 MiB to the process", () =>
  actAs(undefined, async () => {
    await using _ = world;
    await using _server = { [Symbol.asyncDispose]: server.shutdown };
    const long: string[] = [];
    for (const pattern of (await readUnsafeRoutes()).keys()) {
      if (pattern in NOT_READ) continue;
      const target = await targetOf(pattern);
      let types = 0;
      for (const type of Object.keys(STARTS)) {
        Object.assign(limits, LIMITS);
        const { read, early, most } = await stall(target, type, 2);
        if (read === 0) continue; // refused by its type
        types++;
        const what = `${pattern}, ${type}: ${[...early]}, ${most} bytes`;
        assert(most <= LIMITS.caller, what);
        assert(early.has(429), what);
        Object.assign(limits, LONG_LIMITS);
        // Where one long body is not kept, a hundred are not either.
        if ((await stall(target, type, 1, 2 * CHUNK)).most <= CHUNK) continue;
        const overSockets = LONG.includes(`${pattern} ${type}`);
        const before = Deno.memoryUsage().rss;
        const hundred = overSockets
          ? await stallSockets(target, type)
          : await stall(target, type, 100, LONG_BODY);
        const added = hundred.memory - before;
        assert(added <= MOST_MEMORY, `${pattern}, ${type}: ${added / MIB} MiB`);
        // Routes with a shorter limit return 413.
        if (hundred.early.has(413)) continue;
        assert(hundred.early.has(429), `${pattern}, ${type}: ${[...hundred.early]}`);
        long.push(`${pattern} ${type}`);
      }
      assert(types > 0, `${pattern} reads no body`);
      assertEquals(bodies.used, 0, pattern);
    }
    for (const each of LONG) assert(long.includes(each), `${each} is not among ${long}`);
  }));
