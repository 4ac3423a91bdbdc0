/**
 * Runs the tests on stores whose network loses 15 % of the responses to commits: they are committed, and
 * then the client gets 503, or its connection ends. Stores in files stay as they are. Arguments replace
 * the default files.
 *
 *     deno task test:lossy
 *     deno task test:lossy tests/oauth_tokens_test.ts
 *
 * `TEST_LOST` replaces the share of 0.15, and `TEST_SEED` leads to other responses.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import importMap from "../../import_map.json" with { type: "json" };
import { losing } from "../../lib/platform/kv/testing/connect/network.ts";
import { serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
import { testFiles } from "../runner/groups.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The tests that do not run, by file or folder, with the reason. */
const EXCLUDED: Record<string, string> = {
  "fresh": "has no store",
  "tools": "has no store",
  "lib/platform/kv/exactly_once_test.ts": "compares stores over a network with local ones",
  "lib/platform/kv/testing/limited_kv_test.ts": "tests the limits of local stores",
  "tests/registry_test.ts": "has checks of services that do not wait for repeated commits",
  "tests/costs_test.ts": "counts with stores of its own",
};

/** Returns the path of an import map with which the tests open other stores. */
function writeImportMap(): string {
  const [own, other] = ["lib/platform/kv/open.ts", "tests/lossy/open.ts"]
    .map((path) => pathToFileURL(ROOT + path).href);
  const path = Deno.makeTempFileSync({ suffix: ".json" });
  const imports = { ...importMap.imports, [own]: other };
  Deno.writeTextFileSync(path, JSON.stringify({ imports, scopes: { [other]: { [own]: own } } }));
  return path;
}

const isExcluded = (path: string): boolean =>
  Object.keys(EXCLUDED).some((name) => path === ROOT + name || path.startsWith(`${ROOT}${name}/`));

const given = Deno.args.some((argument) => !argument.startsWith("-"));
const files = given ? [] : [...testFiles(ROOT)].filter((path) => !isExcluded(path));
const lost = Number(Deno.env.get("TEST_LOST") ?? 0.15);
const map = writeImportMap();
await using server = serveConnect({
  seed: Deno.env.get("TEST_SEED"),
  // The tests have clocks of their own, and take several times as long as usual.
  sweeps: false,
  drops: true,
  ...losing(lost),
});
try {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--frozen",
      "--lock=dev.lock",
      "tests/run.ts",
      `--import-map=${map}`,
      ...files,
      ...Deno.args,
    ],
    cwd: ROOT,
    env: { TEST_KV_SERVER: server.url, TEST_KV_TOKEN: server.token, TEST_PEOPLE: "1000" },
  }).spawn().status;
  console.log(`${server.commits} commits, ${server.faults} responses to commits were lost`);
  Deno.exitCode = code;
} finally {
  Deno.removeSync(map);
}
