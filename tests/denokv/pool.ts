/** Starts a `denokv` process for each store, so that all tests can run on real servers. */
import { join } from "node:path";
import { type DenokvServer, serveDenokv } from "../../lib/platform/kv/testing/denokv_server.ts";

/** `denokv` processes, one for each store of the tests. */
export interface Pool extends AsyncDisposable {
  /** A POST starts a process, and responds with its URL, its token, and the file whose creation ends it. */
  url: string;
  /** How many were started. */
  readonly started: number;
  /** The errors that they have printed. */
  readonly errors: string[];
}

const LOOK_MS = 100;

export function servePool(binary: string, folder: string): Pool {
  const running = new Map<string, DenokvServer>();
  const errors: string[] = [];
  let started = 0;

  async function create(): Promise<Response> {
    const name = `${started++}.end`;
    const server = await serveDenokv({ binary, folder });
    running.set(name, server);
    return Response.json({ url: server.url, token: server.token, end: join(folder, name) });
  }

  async function end(name: string): Promise<void> {
    const server = running.get(name);
    running.delete(name);
    if (server === undefined) return;
    errors.push(...server.log.filter((line) => /ERROR|panic/.test(line)));
    await server[Symbol.asyncDispose]();
  }

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, create);
  const looking = setInterval(() => {
    for (const { name } of Deno.readDirSync(folder)) {
      if (!name.endsWith(".end")) continue;
      Deno.removeSync(join(folder, name));
      void end(name); // a failure to stop it fails the run, as it should
    }
  }, LOOK_MS);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    get started() {
      return started;
    },
    errors,
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      await Promise.all([...running.keys()].map(end));
      await server.shutdown();
    },
  };
}
