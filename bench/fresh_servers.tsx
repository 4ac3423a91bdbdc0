/**
 * Starts one of the servers that the Fresh benchmark compares, and prints its port:
 * `deno run -A bench/fresh_servers.tsx fresh | render | bare`. `bare` reads its responses from
 * standard input, as JSON: `[path, content type, body][]`.
 */
import { Builder } from "fresh/dev";
import type { PageProps } from "fresh";
import { renderToString } from "preact-render-to-string";
import { app } from "./fresh_fixture/main.ts";
import AppWrapper from "./fresh_fixture/routes/_app.tsx";
import Plain from "./fresh_fixture/routes/plain.tsx";
import WithIsland from "./fresh_fixture/routes/index.tsx";

type Handler = (request: Request) => Response | Promise<Response>;

const servers: Record<string, () => Promise<Handler>> = {
  async fresh() {
    const builder = new Builder({ root: `${import.meta.dirname}/fresh_fixture` });
    const apply = await builder.build({ mode: "production", snapshot: "memory" });
    apply(app);
    return app.handler();
  },

  render() {
    const props = {} as PageProps;
    const pages: Record<string, () => preact.VNode> = {
      "/": () => <WithIsland />,
      "/plain": () => <Plain />,
    };
    const headers = { "content-type": "text/html; charset=utf-8" };
    return Promise.resolve((request) => {
      const page = pages[request.url.slice(request.url.indexOf("/", 8))];
      const html = renderToString(<AppWrapper {...props} Component={page} />);
      return new Response("<!DOCTYPE html>" + html, { headers });
    });
  },

  async bare() {
    const inputs: [string, string, string][] = await new Response(Deno.stdin.readable).json();
    const responses = new Map(inputs.map(([path, type, body]) => {
      const headers = { "content-type": type };
      return [path, { body: new TextEncoder().encode(body), init: { headers } }];
    }));
    return (request) => {
      const { body, init } = responses.get(request.url.slice(request.url.indexOf("/", 8)))!;
      return new Response(body, init);
    };
  },
};

const handler = await servers[Deno.args[0]]();
const onListen = ({ port }: Deno.NetAddr) => console.log(port);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, handler);
