import type { ComponentType } from "preact";
import { App, type FreshConfig } from "fresh";
import { applySnapshot } from "../src/app.ts";
import { staticRecords } from "../src/dev/static.ts";
import { snapshotOf } from "../src/internal.ts";

export const KEY = "0123456789abcdef";

/** An app as a build leaves it, with some static files and islands but without a bundle. */
export async function builtApp<State>(
  // deno-lint-ignore no-explicit-any
  parts: { staticDir?: string; islands?: Record<string, ComponentType<any>> },
  config?: FreshConfig,
): Promise<App<State>> {
  const app = new App<State>(config);
  const { islands = {}, staticDir } = parts;
  applySnapshot(
    app,
    snapshotOf<State>({
      root: "/",
      key: KEY,
      reload: false,
      routes: [],
      islands: Object.keys(islands).map((name) => [name, name, name, islands]),
      files: staticDir === undefined ? [] : [...await staticRecords(staticDir)],
    }),
  );
  return app;
}
