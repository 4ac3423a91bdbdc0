import { pathToFileURL } from "node:url";
import importMap from "../import_map.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url).pathname;

/**
 * Runs the tests with another module in the place of `lib/platform/kv/open.ts`, which opens every store.
 *
 * @param replacement the module's path from the root; only it can import the original
 * @param args files and options as for `deno task test`
 * @param env variables for the replacement, in addition to those of this process
 * @returns the exit code
 */
export async function testOnReplacedStores(
  replacement: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<number> {
  const [own, other] = ["lib/platform/kv/open.ts", replacement]
    .map((path) => pathToFileURL(ROOT + path).href);
  const map = Deno.makeTempFileSync({ suffix: ".json" });
  const imports = { ...importMap.imports, [own]: other };
  Deno.writeTextFileSync(map, JSON.stringify({ imports, scopes: { [other]: { [own]: own } } }));
  const run = ["run", "-A", "--frozen", "--lock=dev.lock", "tests/run.ts", `--import-map=${map}`];
  const tests = new Deno.Command(Deno.execPath(), { args: [...run, ...args], cwd: ROOT, env });
  try {
    return (await tests.spawn().status).code;
  } finally {
    Deno.removeSync(map);
  }
}
