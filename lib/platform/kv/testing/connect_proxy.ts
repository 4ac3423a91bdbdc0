/**
 * What happens to a request:
 *
 * - `lose`: the server processes it, and the client gets 503, after which it repeats it
 * - `delay`: the client gets 503, and the server processes it at `release`
 * - `hold`: the client gets no response before `release`
 */
export type Fate = "pass" | "lose" | "delay" | "hold";

/** A KV Connect server behind a network that loses and delays messages. */
export interface ConnectProxy extends AsyncDisposable {
  /** For `KV_PATH`. */
  url: string;
  /** Decides what happens to a request, by its path, such as `atomic_write`. */
  fate: (path: string) => Fate | Promise<Fate>;
  /** The paths of all requests for data. */
  requests: string[];
  /** Passes on every request that was delayed or held, and lets all later ones pass. */
  release(): Promise<void>;
}

/** Serves a KV Connect server at another URL. */
export function serveProxy(target: string): ConnectProxy {
  const requests: string[] = [];
  const waiting: (() => Promise<unknown>)[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handle);
  const url = `http://127.0.0.1:${server.addr.port}/`;

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body = await request.bytes();
    const headers = new Headers(request.headers);
    headers.delete("host");
    const pass = () => fetch(new URL(pathname, target), { method: "POST", headers, body });
    if (pathname === "/") {
      const response = await (await pass()).text();
      return new Response(response.replaceAll(target, url), {
        headers: { "content-type": "application/json" },
      });
    }
    const path = pathname.split("/").at(-1)!;
    requests.push(path);
    switch (await proxy.fate(path)) {
      case "lose":
        await (await pass()).body?.cancel();
        return new Response(null, { status: 503 });
      case "delay":
        waiting.push(async () => await (await pass()).body?.cancel());
        return new Response(null, { status: 503 });
      case "hold": {
        const response = Promise.withResolvers<Response>();
        waiting.push(() => pass().then(response.resolve));
        return await response.promise;
      }
      default:
        return await pass();
    }
  }

  const proxy: ConnectProxy = {
    url,
    fate: () => "pass",
    requests,
    async release() {
      proxy.fate = () => "pass";
      for (const pass of waiting.splice(0)) await pass();
    },
    async [Symbol.asyncDispose]() {
      await proxy.release();
      await server.shutdown();
    },
  };
  return proxy;
}
