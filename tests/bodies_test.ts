/**
 * Stalled bodies on every route that reads one: what is kept of them stays within the budget, whichever route they
 * are sent to. `lib/platform/http/body_budget.ts` has the limits of a process.
 */
import { assert, assertEquals } from "@std/assert";
import { readRoutes } from "../lib/app/routes.ts";
import { BODY_LIMITS } from "../lib/platform/http/body_budget.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { actAs } from "../lib/platform/kv/mod.ts";
import { until } from "../lib/testing/until.ts";
import { ELSEWHERE, EXAMPLES } from "./authority_examples.ts";
import { authoritySite, type Sender } from "./authority_site.ts";

const ROUTES = new URL("../routes/", import.meta.url);

/** The number of bytes that each request sends before it stalls: less than the shortest limit of a body. */
const SENT = 6_000;
/** A caller has room for one body, and not for two. */
const LIMITS = { all: 10 * SENT, large: 10 * SENT, caller: 1.5 * SENT };

/** The size of the parts in which longer bodies arrive. */
const CHUNK = 64 * 1024;

const MIB = 1024 * 1024;
/** The most memory in bytes that stalled uploads of one caller add to a process, garbage included. */
const MOST_MEMORY = 256 * MIB;

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

const world = await authoritySite({ bodyLimits: LIMITS });
const { bodies, surfaces } = world.site.services;

/** A body that sends so many bytes and then nothing more, until its client goes. */
function stalled(start: string, length: number) {
  const first = new TextEncoder().encode(
    start.padEnd(Math.min(length, CHUNK), "a,b@example.org\n"),
  );
  const gone = Promise.withResolvers<void>();
  const body = { read: false, parts: 0, responded: false, leave: gone.resolve };
  let left = length - first.length;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      body.parts++;
      if (!body.read) {
        body.read = true;
        controller.enqueue(first);
      } else if (left > 0) {
        controller.enqueue(new Uint8Array(Math.min(left, CHUNK)).fill(0x61));
        left -= CHUNK;
      } else {
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
 * Sends stalled bodies. Returns how many were read, the statuses of early responses, the most that was kept, and
 * the most memory that the process had.
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
  // Of two bodies, the budget refuses one, unless they are files.
  const mayStall = count !== 2 || type === FORM_WITH_FILE;
  let [most, memory, calm, parts] = [0, 0, 0, 0];
  await until(() => {
    most = Math.max(most, bodies.used);
    if (count > 2) memory = Math.max(memory, Deno.memoryUsage().rss);
    const before = parts;
    parts = all.reduce((sum, body) => sum + body.parts, 0);
    const isCalm = parts === before && all.every(({ read, responded }) => read || responded);
    calm = isCalm ? calm + 1 : 0;
    if (all.every(({ responded }) => responded)) return true;
    return calm > 0 && count === 2 && statuses.includes(429) || calm === CALM && mayStall;
  }, "each body is read or refused");
  const early = [...statuses];
  for (const { leave } of all) leave();
  await Promise.all(responses);
  return { read: all.filter(({ read }) => read).length, early, most, memory };
}

/** Returns the patterns of the routes that handle unsafe methods. */
async function unsafeRoutes(): Promise<string[]> {
  const { files } = await readRoutes(ROUTES.href);
  const patterns: string[] = [];
  for (const [pattern, file] of files) {
    const source = await Deno.readTextFile(new URL(file, ROUTES));
    if (/\b(POST|PUT|PATCH|DELETE)(\(|:)|define\.handlers\(\(/.test(source)) patterns.push(pattern);
  }
  return patterns.sort();
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
    if (early[0] !== 404) return target;
  }
  throw new Error(`No surface serves ${pattern}.`);
}

/** The bodies that routes read, with the requests that send them. */
const accepted: { pattern: string; target: Target; type: string }[] = [];

Deno.test("stalled bodies on every route that reads one are counted while they arrive, and refused beyond the budget", () =>
  actAs(undefined, async () => {
    for (const pattern of await unsafeRoutes()) {
      if (pattern in NOT_READ) continue;
      const target = await targetOf(pattern);
      let types = 0;
      for (const type of Object.keys(STARTS)) {
        const { read, early, most } = await stall(target, type, 2);
        if (read === 0) continue; // refused by its type
        types++;
        accepted.push({ pattern, target, type });
        const what = `${pattern}, ${type}: ${early}, ${most} bytes`;
        assert(most <= LIMITS.caller, what);
        // A file is passed on while it arrives, and an issuer's files are read one after another.
        assert(early.includes(429) || type === FORM_WITH_FILE && most < SENT, what);
      }
      assert(types > 0, `${pattern} reads no body`);
      assertEquals(bodies.used, 0, pattern);
    }
  }));

Deno.test("100 stalled uploads of 7.5 MiB on any route add at most 256 MiB to the process", () =>
  actAs(undefined, async () => {
    await using _ = world;
    Object.assign(LIMITS, BODY_LIMITS);
    const before = Deno.memoryUsage().rss;
    const long: string[] = [];
    for (const { pattern, target, type } of accepted) {
      // Where one long body is not kept, a hundred are not either.
      if ((await stall(target, type, 1, 2 * CHUNK)).most <= CHUNK) continue;
      const { early, memory, most } = await stall(target, type, 100, 7.5 * MIB);
      const what = `${pattern}, ${type}: ${(memory - before) / MIB} MiB, ${most} bytes`;
      assert(memory - before <= MOST_MEMORY, what);
      assert(early.includes(429), what);
      long.push(`${pattern} ${type}`);
    }
    assert(
      long.some((each) => each.startsWith("/api/documents/batches text/csv")),
      long.join("\n"),
    );
  }));
