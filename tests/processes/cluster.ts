import { assertEquals } from "@std/assert";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { openKv } from "../../lib/platform/kv/mod.ts";
import { type ConnectServer, serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
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
  store: ConnectServer;
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

/** Connects the test itself to the store. */
export async function openStore({ url, token }: ConnectServer): Promise<Deno.Kv> {
  const before = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  Deno.env.set("DENO_KV_ACCESS_TOKEN", token);
  const kv = await openKv(url);
  if (before === undefined) Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  else Deno.env.set("DENO_KV_ACCESS_TOKEN", before);
  return kv;
}

export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const store = serveConnect();
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
  const kv = await openStore(store);
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
    store,
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
    },
  };
}
