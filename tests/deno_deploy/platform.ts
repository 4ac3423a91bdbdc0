/**
 * A stand-in for Deno Deploy. It starts instances of the built site with `deno serve` and the platform's
 * variables, without permission to write files, and fires crons as the platform does: Deno itself connects
 * to the address in `DENO_UNSTABLE_CRON_SOCK`, registers its crons there, and runs one when the platform asks for it.
 *
 * It cannot show what only the platform has: its version of Deno, its network and its store.
 *
 * @module
 */
import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";
import { inTime } from "../../lib/base/in_time.ts";
import { type ConnectServer, serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
import { openKv } from "../../lib/platform/kv/mod.ts";
import { withToken } from "../network_stores.ts";
import { type Host, HOSTS, type Providers, startProviders } from "../processes/providers.ts";
import { type RequestOptions, sendTo } from "../processes/send.ts";
import { freePort } from "../site.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const MIB = 1024 ** 2;

/** The memory that `deno.json` asks for. */
export const MEMORY_MIB = 1024;
/** How long after SIGINT the platform kills an instance. */
const STOP_MS = 5_000;

/** A process that serves the site. */
interface Instance {
  port: number;
  process: Deno.ChildProcess;
  crons: Crons;
}

/** The connection over which an instance registers its crons, and learns when to run them. */
interface Crons {
  /** The names and schedules. */
  registered: { name: string; schedule: string }[];
  /** Runs a cron, and resolves to whether it succeeded. Rejects if the instance ends meanwhile. */
  invoke(name: string): Promise<boolean>;
}

export interface Platform extends AsyncDisposable {
  store: ConnectServer;
  /** A connection of the test's own to the store. */
  kv: Deno.Kv;
  providers: Providers;
  /** Returns the time of the instances. */
  now(): number;
  /** Sets the clock of the instances forward. */
  pass(ms: number): Promise<void>;
  /** Sends a request to one instance after another, and starts one if there is none. */
  send(host: Host, path: string, init?: RequestOptions): Promise<Response>;
  /** Starts instances until there are this many. */
  scale(count: number): Promise<void>;
  /** Fires all crons on one instance, and starts one if there is none. */
  fire(): Promise<void>;
  /** Fires all crons on all instances at the same time, which the platform never does. */
  fireEverywhere(): Promise<void>;
  /** Ends all instances as the platform ends those without traffic, or at once. */
  end(signal?: "SIGINT" | "SIGKILL"): Promise<void>;
  /** How many instances were started. */
  readonly starts: number;
  /** The most memory that an instance had, in MiB. */
  readonly memory: number;
  /** The faults so far: failed crons, instances that had to be killed, logged errors. */
  readonly faults: string[];
  /** The lines that instances have logged as JSON. */
  readonly log: Record<string, unknown>[];
}

/**
 * @param build the folder of the build
 * @param env further variables
 */
export async function startPlatform(
  build: string,
  env: Record<string, string> = {},
): Promise<Platform> {
  const store = serveConnect();
  const providers = await startProviders();
  const kv = await withToken(store.token, () => openKv(store.url));
  const clock = await Deno.makeTempFile();
  const sockets = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const variables = {
    ...providers.env,
    ...env,
    STORE_REGION: "a test",
    DENO_DEPLOY: "true",
    DENO_DEPLOYMENT_ID: "d1",
    DENO_TIMELINE: "production",
    DENO_KV_DEFAULT_PATH: store.url,
    DENO_KV_ACCESS_TOKEN: store.token,
    DENO_UNSTABLE_CRON_SOCK: `tcp:127.0.0.1:${(sockets.addr as Deno.NetAddr).port}`,
    STAND_IN_CLOCK: clock,
    STAND_IN_PORT: String(providers.port),
    STAND_IN_BUILD: build,
  };
  const instances: Instance[] = [];
  const faults: string[] = [];
  const log: Record<string, unknown>[] = [];
  const output: string[] = [];
  let [ahead, turn, starts, memory] = [0, 0, 0, 0];
  await Deno.writeTextFile(clock, "0");

  // Each thread of an instance connects, but only the main one registers crons.
  let registered = Promise.withResolvers<Crons>();
  const accepting = (async () => {
    for await (const connection of sockets) {
      readCrons(connection, (crons) => registered.resolve(crons));
    }
  })();

  async function start(): Promise<Instance> {
    starts++;
    registered = Promise.withResolvers();
    const port = freePort();
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "serve",
        "-A",
        "--deny-write",
        "--no-check",
        "--cached-only",
        "--host=127.0.0.1",
        `--port=${port}`,
        `${import.meta.dirname}/server.js`,
      ],
      cwd: ROOT,
      env: variables,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    for (const stream of [process.stdout, process.stderr]) read(linesOf(stream));
    const ended = process.status.then(({ code }) => {
      throw new Error(`An instance ended with ${code}:\n${output.slice(-30).join("\n")}`);
    });
    ended.catch(() => {}); // it may end later
    while (!await Promise.race([listens(port), ended])) await pause(20);
    // The site registers its crons before it serves, so they are only on their way.
    const crons = await inTime(registered.promise, STOP_MS);
    if (crons === undefined) {
      process.kill("SIGKILL");
      throw new Error("An instance serves, but has registered no cron.");
    }
    const instance = { port, process, crons };
    measure(instance);
    instances.push(instance);
    return instance;
  }

  function read(lines: Interface): void {
    lines.on("line", (line) => {
      output.push(line);
      if (!line.startsWith("{")) return;
      const entry = JSON.parse(line);
      log.push(entry);
      if (entry.level === "error") faults.push(line);
    });
  }

  /** Notes the memory of an instance, and kills one that has more than its limit. */
  function measure({ process }: Instance): void {
    const used = memoryOf(process.pid);
    memory = Math.max(memory, Math.round(used / MIB));
    if (used <= MEMORY_MIB * MIB) return;
    faults.push(`out of memory: ${Math.round(used / MIB)} MiB`);
    process.kill("SIGKILL");
  }

  async function fireOn(instance: Instance): Promise<void> {
    const { crons } = instance;
    for (const { name } of crons.registered) {
      if (!await crons.invoke(name)) faults.push(`the cron ${name} failed`);
    }
    measure(instance);
  }

  async function end(signal: "SIGINT" | "SIGKILL" = "SIGINT"): Promise<void> {
    await Promise.all(
      instances.splice(0).map(async (instance) => {
        measure(instance);
        const { process } = instance;
        process.kill(signal);
        if (await inTime(process.status, STOP_MS) === undefined) {
          faults.push("an instance did not end within 5 seconds of SIGINT");
          process.kill("SIGKILL");
          await process.status;
        }
      }),
    );
  }

  return {
    store,
    kv,
    providers,
    faults,
    log,
    end,
    get starts() {
      return starts;
    },
    get memory() {
      return memory;
    },
    now: () => Date.now() + ahead,
    async pass(ms) {
      ahead += ms;
      await Deno.writeTextFile(clock, String(ahead));
    },
    async send(host, path, init) {
      const { port } = instances[turn++ % instances.length] ?? await start();
      return await sendTo(port, HOSTS[host], path, init);
    },
    async scale(count) {
      while (instances.length < count) await start();
    },
    fire: async () => await fireOn(instances[0] ?? await start()),
    fireEverywhere: async () => void await Promise.all(instances.map(fireOn)),
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
      sockets.close();
      await accepting;
      kv.close();
      await providers[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await Deno.remove(clock);
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const linesOf = (stream: ReadableStream<Uint8Array>): Interface =>
  // deno-lint-ignore no-explicit-any -- node's and the web's types of one stream
  createInterface({ input: Readable.fromWeb(stream as any) });

/** The platform waits until an instance listens; it does not ask `/readyz`. */
async function listens(port: number): Promise<boolean> {
  const response = await sendTo(port, "", "/healthz").catch(() => null);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** Returns the resident memory of a process in bytes; 0 on systems that do not say. */
function memoryOf(pid: number): number {
  if (Deno.build.os !== "linux") return 0;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`)) ?? [];
  return Number(kib ?? 0) * 1024;
}

/** Reads the messages of a connection, and calls `onCron` when it has registered its first cron. */
function readCrons(connection: Deno.Conn, onCron: (crons: Crons) => void): void {
  const lines = linesOf(connection.readable);
  let result: PromiseWithResolvers<boolean> | undefined;
  const crons: Crons = {
    registered: [],
    async invoke(name) {
      result = Promise.withResolvers();
      const message = JSON.stringify({ kind: "invoke", name });
      await connection.write(new TextEncoder().encode(`${message}\n`));
      return await result.promise;
    },
  };
  lines.on("line", (line) => {
    const message = JSON.parse(line);
    if (message.kind === "result") return result?.resolve(message.success);
    crons.registered.push(...message.crons);
    if (crons.registered.length === message.crons.length) onCron(crons);
  });
  lines.on("close", () => result?.reject(new Error("The instance ended while a cron ran.")));
}
