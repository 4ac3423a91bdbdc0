/** Starts several processes of the site on one store, for tests in which processes die. */
import { assertEquals } from "@std/assert";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { openKv } from "../../lib/platform/kv/mod.ts";
import { serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
import {
  type DenokvServer,
  findDenokv,
  serveDenokv,
} from "../../lib/platform/kv/testing/denokv_server.ts";
import { withToken } from "../network_stores.ts";
import { freePort } from "../site.ts";
import { type Host, HOSTS, type Providers, type SentMail, startProviders } from "./providers.ts";
import { type RequestOptions, sendTo } from "./send.ts";

/** Nobody knows whether the request was handled, because its process died. */
export class Unanswered extends Error {}

/** A request to the cluster. */
export interface SendInit extends RequestOptions {
  /** The process that gets it. Default: the next one. */
  to?: number;
}

/** Three processes of the site on one store, behind a front. */
export interface Cluster extends AsyncDisposable {
  /** The real server of the store, if the test runs on one. */
  denokv: DenokvServer | null;
  /** The ports of the processes. */
  ports: readonly number[];
  /** A connection of the test's own to the store. */
  kv: Deno.Kv;
  mails: Providers["mails"];
  codes: Providers["codes"];
  /**
   * Sends a request to one process after another, as a load balancer does: a process that refuses
   * the connection is skipped.
   *
   * @throws {Unanswered} if the process died before it responded
   */
  send(host: Host, path: string, init?: SendInit): Promise<Response>;
  /** Resolves to the first mail that matches, within a time; null if there is none. */
  mail(matches: (mail: SentMail) => boolean, withinMs?: number): Promise<SentMail | null>;
  code(to: string): Promise<string | null>;
  /** Ends a process and starts it again. Resolves to how long it took to exit, in milliseconds. */
  restart(index: number, signal: Deno.Signal): Promise<number>;
}

const ROOT = new URL("../../", import.meta.url).pathname;
const COUNT = 3;

/** True if the store is a `denokv` process instead of its imitation. */
export const ON_DENOKV = Deno.env.get("TEST_STORE") === "denokv";

export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const folder = await Deno.makeTempDir();
  const denokv = ON_DENOKV ? await serveDenokv({ binary: findDenokv()!, folder }) : null;
  const store = denokv ?? serveConnect();
  const errors: string[] = [];
  const providers = await startProviders();
  const { mails, codes } = providers;
  const shared: Record<string, string> = {
    ...providers.env,
    HOST: "127.0.0.1",
    KV_PATH: store.url,
    DENO_KV_ACCESS_TOKEN: store.token,
    ...env,
  };

  const ports = Array.from({ length: COUNT }, freePort);
  const children: Deno.ChildProcess[] = [];

  async function start(index: number) {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--quiet",
        "--frozen",
        "--lock=deno.lock",
        "--no-check",
        "dev.ts",
        "serve",
      ],
      cwd: ROOT,
      env: { ...shared, PORT: String(ports[index]) },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    children[index] = child;
    // deno-lint-ignore no-explicit-any -- node's and the web's types of one stream
    const lines = createInterface({ input: Readable.fromWeb(child.stderr as any) });
    lines.on("line", (line) => errors.push(`${index}: ${line}`));
    let exited = false;
    child.status.then(() => exited = true).catch(reportError);
    while (!exited) {
      const ready = await sendTo(ports[index], "", "/readyz", {}).catch(() => null);
      await ready?.body?.cancel();
      if (ready?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Process ${index} did not start:\n${errors.slice(-20).join("\n")}`);
  }

  let turn = 0;
  const kv = await withToken(store.token, () => openKv(store.url));
  await Promise.all(ports.map((_, index) => start(index)));

  async function wait<Value>(find: () => Value | undefined, withinMs: number) {
    for (const until = Date.now() + withinMs; Date.now() < until;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return null;
  }

  return {
    denokv,
    ports,
    kv,
    mails,
    codes,
    async send(host, path, init = {}) {
      const first = init.to ?? turn++;
      for (let i = 0; i < COUNT; i++) {
        try {
          return await sendTo(ports[(first + i) % COUNT], HOSTS[host], path, init);
        } catch (error) {
          if (init.signal?.aborted) throw error;
          if ((error as { code?: string }).code === "ECONNREFUSED" && i < COUNT - 1) continue;
          throw new Unanswered(String(error));
        }
      }
      throw new Unanswered("No process is running.");
    },
    mail: (matches, withinMs = 5_000) => wait(() => mails.find(matches), withinMs),
    async code(to) {
      const sent = await wait(() => codes.find((code) => code.to === to), 5_000);
      return sent && (/#(\d{6})$/.exec(sent.text)?.[1] ?? sent.text.replace(/\D/g, ""));
    },
    async restart(index, signal) {
      const began = performance.now();
      children[index].kill(signal);
      const { code } = await children[index].status;
      const took = performance.now() - began;
      if (signal === "SIGTERM") assertEquals(code, 0);
      await start(index);
      return took;
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => child.status));
      kv.close();
      await providers[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
