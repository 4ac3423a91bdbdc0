/** Helpers for the framework's tests: apps from parts, requests and temporary sites. */
import { cp } from "node:fs/promises";
import type { ComponentType } from "preact";
import { App, type PageProps } from "fresh";
import { staticFile } from "../src/assets.ts";
import { staticRecords } from "../src/build/files.ts";
import { applyBuild } from "../src/server/app.ts";
import type { RouteModule } from "../src/server/file_routes.ts";

/** Sends a request to an app without a socket. */
export type Client = (path: string, init?: RequestInit) => Promise<Response>;

// deno-lint-ignore no-explicit-any
export function clientOf(app: App<any>): Client {
  const handler = app.handler();
  return (path, init) => handler(new Request(`http://localhost${path}`, init));
}

/** Runs `fn` without printing errors and warnings, and returns what would have been printed. */
export async function quietly(fn: () => unknown): Promise<string> {
  const { error, warn } = console;
  const printed: string[] = [];
  console.error = console.warn = (...args) => printed.push(args.map(String).join(" "));
  try {
    await fn();
  } finally {
    Object.assign(console, { error, warn });
  }
  return printed.join("\n");
}

export const KEY = "0123456789abcdef";

export interface Parts<State> {
  /** Route modules by path below `routes/`, without extension. */
  routes?: Record<string, RouteModule<State>>;
  // deno-lint-ignore no-explicit-any
  islands?: Record<string, ComponentType<any>>;
  staticDir?: string;
  mode?: "development" | "production";
}

/** Creates an app with a build of these parts, but without bundling scripts. */
export async function appWith<State>(
  { routes = {}, islands = {}, staticDir, mode = "production" }: Parts<State>,
): Promise<App<State>> {
  const records = staticDir === undefined ? [] : [...await staticRecords(staticDir)];
  const app = new App<State>();
  applyBuild(app, {
    key: KEY,
    mode,
    routes: Object.entries(routes).map(([name, exports]) => ({ name, exports })),
    islands: Object.entries(islands).map(([name, component]) => ({
      name,
      exports: { default: component },
    })),
    scripts: {},
    files: records.map(([path, record]) => [path, staticFile(record)]),
  });
  return app;
}

/** An app wrapper that adds nothing to the body. */
export function Wrapper({ Component }: PageProps) {
  return (
    <html>
      <head></head>
      <body>
        <Component />
      </body>
    </html>
  );
}

/** Returns a page's body. */
export function bodyOf(html: string): string {
  return html.match(/<body[^>]*>(.*)<\/body>/s)?.[1] ?? html;
}

/** Copies `site/` to a temporary folder that is removed on disposal. */
export async function copyOfSite(): Promise<{ root: string } & AsyncDisposable> {
  const root = await Deno.makeTempDir({ prefix: "fresh-site-" });
  await cp(new URL("site/", import.meta.url), root, { recursive: true });
  const config = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  config.links = [new URL("../", import.meta.url).pathname];
  await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
  // Written here, because the test runner would run them in the repository.
  for (const name of ["about_test.ts", "about.test.tsx"]) {
    for (const folder of ["routes", "islands"]) {
      await Deno.writeTextFile(`${root}/${folder}/${name}`, 'throw new Error("imported a test");');
    }
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}
