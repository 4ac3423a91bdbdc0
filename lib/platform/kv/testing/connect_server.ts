/** A KV Connect server for tests, whose network and disk can fail as asked. */
import type { Bytes } from "../../../base/encoding.ts";
import { DAY_MS, SECOND_MS } from "../../../base/time.ts";
import { type Condition, suffer, WELL } from "./connect/condition.ts";
import { DataTokens } from "./connect/data_tokens.ts";
import { type Front, openFront } from "./connect/front.ts";
import { Journal } from "./connect/journal.ts";
import { type Fate, fates, FAULTLESS, type Network } from "./connect/network.ts";
import { readCommit, readRanges, readWatch, Refused } from "./connect/requests.ts";
import { cut, Frames, protobuf, refusal } from "./connect/responses.ts";
import type { Binary } from "./connect/rows.ts";
import { Store } from "./connect/store.ts";
import { delayBy } from "./slow_kv.ts";

/** A KV Connect server whose stores are in the memory of this process. */
export interface ConnectServer extends AsyncDisposable {
  /** For `KV_PATH`. Clients need {@link ConnectServer.token} in `DENO_KV_ACCESS_TOKEN`. */
  url: string;
  token: string;
  /** The number of commits that succeeded. */
  readonly commits: number;
  /** The number of commits that had another fate than to be delivered. */
  readonly faults: number;
  /** How often clients asked for the metadata. */
  readonly exchanges: number;
  /** The faults of the network from now on. They may be changed. */
  readonly network: Network;
  /** The behaviour of `denokv` that the server imitates. It may be changed. */
  readonly condition: Condition;
  /** The fates of the next commits, before the seed decides again. */
  readonly upcoming: Fate[];
  /** The fates of the responses to the next reads. All later ones are delivered. */
  readonly upcomingReads: ("delivered" | "unavailable" | "cut")[];
  /**
   * Deletes the rows that have expired. The server does it every second, and `denokv` up to a second after
   * a row has expired.
   */
  sweep(now?: number): void;
  /** Replaces all stores by empty ones, as when the server is started with another file. Connections stay. */
  replaceStores(): void;
  /** Applies the commits that were postponed. */
  deliver(): void;
  /** Leaves all requests without a response until the returned function is called. */
  hang(): () => void;
  /** Ends the connections of all watches. */
  dropWatches(): void;
}

export interface ConnectServerOptions extends Partial<Network> {
  /** The faults of `denokv` that it shows. Default: none. */
  condition?: Partial<Condition>;
  /** Default: a free port. */
  port?: number;
  /** Default: a random token. `denokv` accepts none that is shorter than 12 characters. */
  token?: string;
  /** Decides what happens to which commit. */
  seed?: string;
  /** The versions of the protocol that the server speaks. */
  versions?: readonly number[];
  /** For how long the metadata and its data token are valid. */
  metadataMs?: number;
  /** A file that keeps the stores when the process ends. Default: they are in memory only. */
  journal?: string;
  /** False to keep expired rows, which are otherwise deleted every second. Default: true. */
  sweeps?: boolean;
  /**
   * True if connections can be `dropped`. It takes a proxy in front of the server, which makes requests
   * twice as slow. A connection can have several requests, all of which fail.
   */
  drops?: boolean;
}

const DATABASE_ID = "00000000-0000-0000-0000-000000000000";
const SWEEP_MS = SECOND_MS;
const PING_MS = 5 * SECOND_MS;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Serves a store to several processes with the protocol, the limits and the meaning of `denokv`
 * (github.com/denoland/denokv): versions 2 and 3 of KV Connect, without queues. In addition, it names
 * the checks that failed, as the protocol says, and its data tokens expire. Behaviour of `denokv` alone is a
 * {@link Condition}. Each path, such as `/a`, has its own store, which begins empty.
 *
 * Clients send no content type with data, so only the one of the request for metadata is checked.
 */
export function serveConnect(options: ConnectServerOptions = {}): ConnectServer {
  const { port = 0, token = crypto.randomUUID(), seed = "seed", versions = [2, 3] } = options;
  const { metadataMs = DAY_MS, sweeps = true, drops = false } = options;
  const network: Network = { ...FAULTLESS };
  for (const name of Object.keys(FAULTLESS) as (keyof Network)[]) {
    network[name] = options[name] ?? FAULTLESS[name];
  }
  const condition: Condition = { ...WELL, ...options.condition };
  const drawFate = fates(network, seed);
  const tokens = new DataTokens(token, metadataMs);
  const stores = new Map<string, Store>();
  const journal = options.journal === undefined ? null : new Journal(options.journal);
  const watches = new Set<Frames>();
  const upcoming: Fate[] = [];
  const upcomingReads: ConnectServer["upcomingReads"] = [];
  /** The commits that arrive a second time after the next one. */
  const repeated: (() => void)[] = [];
  const postponed: (() => void)[] = [];
  let exchanges = 0;
  let faults = 0;
  let hanging: Promise<void> | null = null;

  for (const { name, version, body } of journal?.read() ?? []) {
    storeOf(name).apply(readCommit(body), version);
  }

  const server = Deno.serve({
    port: drops ? 0 : port,
    hostname: "127.0.0.1",
    onListen: () => {},
    onError: refusal,
  }, handle);
  const front: Front | null = drops ? openFront(server.addr.port, port) : null;

  async function handle(
    request: Request,
    { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    await delayBy(network.delayMs);
    await hanging;
    const { name, method } = routeOf(request.url);
    if (request.method !== "POST") throw new Refused(405, "Only POST is allowed.");
    if (body.length > MAX_BODY_BYTES) throw new Refused(413, "The request is too large.");
    await suffer(condition, method, body);
    if (method === null) return metadata(request, body, name);
    checkHeaders(request);
    const store = storeOf(name);
    if (method === "snapshot_read") {
      return respond(store.read(readRanges(body)), upcomingReads.shift());
    }
    if (method === "watch") return watch(store, readWatch(body));
    return await write(store, body, () => front?.drop(remoteAddr.port));
  }

  function storeOf(name: string): Store {
    const store = stores.get(name) ??
      new Store(({ body }, version) => journal?.add({ name, version, body }));
    stores.set(name, store);
    return store;
  }

  function metadata({ headers }: Request, body: Uint8Array, name: string): Response {
    if (!headers.get("content-type")?.startsWith("application/json")) {
      throw new Refused(400, "The server requires at least protocol version 2.");
    }
    const { supportedVersions } = JSON.parse(new TextDecoder().decode(body));
    const version = versions.toSorted().findLast((own) => supportedVersions?.includes(own));
    if (version === undefined) throw new Refused(400, "The versions have none in common.");
    if (bearerOf(headers) !== token) throw new Refused(401, "Invalid access token.");
    exchanges++;
    const issued = tokens.issue();
    return Response.json({
      version,
      databaseId: DATABASE_ID,
      endpoints: [{ url: `${name === "" ? "" : `/${name}`}/v2`, consistency: "strong" }],
      token: issued.token,
      expiresAt: new Date(issued.expiresAt).toISOString(),
    });
  }

  function checkHeaders({ headers }: Request): void {
    if (!versions.includes(Number(headers.get("x-denokv-version")))) {
      throw new Refused(400, "Unexpected protocol version.");
    }
    if (!tokens.accepts(bearerOf(headers))) throw new Refused(401, "Invalid access token.");
    if (headers.get("x-denokv-database-id") !== DATABASE_ID) {
      throw new Refused(400, "Invalid database id.");
    }
  }

  async function write(store: Store, body: Uint8Array, drop: () => void): Promise<Response> {
    const commit = readCommit(body);
    const fate = upcoming.shift() ?? drawFate();
    if (fate !== "delivered") faults++;
    if (fate === "postponed") {
      postponed.push(() => store.commit(commit));
      throw new Refused(503, "The request is on its way.");
    }
    const output = store.commit(commit, condition.appliesRejected);
    for (const repeat of repeated.splice(0)) repeat();
    if (fate === "repeated") repeated.push(() => store.commit(commit));
    if (fate === "late") await delayBy(network.lateMs);
    if (fate === "dropped") drop();
    return respond(output, fate);
  }

  function watch(store: Store, keys: readonly Binary[]): Response {
    const send = () => frames.send(store.watched(keys));
    let due = false;
    const stop = store.watch(keys, async () => {
      if (due) return; // the next message will have this change, too
      due = true;
      await delayBy(network.delayMs);
      due = false;
      if (watches.has(frames)) send();
    });
    const pings = setInterval(() => frames.send(new Uint8Array()), PING_MS);
    const frames = new Frames(() => {
      watches.delete(frames);
      clearInterval(pings);
      stop();
    });
    watches.add(frames);
    send();
    return frames.response;
  }

  const sweep = (now = Date.now()) =>
    stores.forEach((store) => store.sweep(now - condition.lateSweepMs));
  const sweeping = setInterval(() => sweeps && sweep(), SWEEP_MS);
  const dropWatches = () => watches.forEach((frames) => frames.cut());

  return {
    url: `http://127.0.0.1:${front?.port ?? server.addr.port}/`,
    token,
    network,
    condition,
    upcoming,
    upcomingReads,
    sweep,
    dropWatches,
    replaceStores: () => stores.clear(),
    get commits() {
      return stores.values().reduce((sum, { commits }) => sum + commits, 0);
    },
    get faults() {
      return faults;
    },
    get exchanges() {
      return exchanges;
    },
    deliver: () => postponed.splice(0).forEach((apply) => apply()),
    hang() {
      const { promise, resolve } = Promise.withResolvers<void>();
      hanging = promise;
      return () => {
        hanging = null;
        resolve();
      };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      dropWatches();
      front?.close();
      await server.shutdown();
      journal?.[Symbol.dispose]();
    },
  };
}

function respond(output: Bytes, fate?: Fate): Response {
  if (fate === "unavailable") throw new Refused(503, "The response was lost.");
  return fate === "cut" ? cut(output) : protobuf(output);
}

/** Splits a path into the name of the store and the method, null for the metadata. */
function routeOf(url: string): { name: string; method: string | null } {
  const { pathname } = new URL(url);
  const [, name] = /^\/(\w*)$/.exec(pathname) ?? [];
  if (name !== undefined) return { name, method: null };
  const data = /^(?:\/(\w+))?\/v2\/(snapshot_read|atomic_write|watch)$/.exec(pathname);
  if (data === null) throw new Refused(404, "Resource not found.");
  return { name: data[1] ?? "", method: data[2] };
}

function bearerOf(headers: Headers): string {
  const [, token] = /^bearer (.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (token === undefined) throw new Refused(401, "Malformed authorization header.");
  return token;
}
