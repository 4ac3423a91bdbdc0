import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ConfigError } from "../platform/config/error.ts";
import { readSecretFiles, type SecretFiles } from "../platform/config/secret_files.ts";
import { createSecretReload } from "./secret_reload.ts";

const contents = (values: Record<string, string>): SecretFiles => ({
  paths: {},
  values,
  problems: [],
});

/** Reads the given contents, one after another and the last one for ever; a value "bad" is not valid. */
function reloadOf(...readings: Record<string, string>[]) {
  const applied: Record<string, string>[] = [];
  const reported: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const reload = createSecretReload({
    first: contents({ A: "1", B: "1" }),
    read: () => contents(readings.length > 1 ? readings.shift()! : readings[0]),
    apply({ values }) {
      if (Object.values(values).includes("bad")) throw new ConfigError(["A_FILE: should be good"]);
      applied.push(values);
    },
    report: (variables) => Promise.resolve(void reported.push(variables.join())),
    log: (entry) => void logged.push(entry),
    pause: () => Promise.resolve(),
  });
  return { reload, readings, applied, reported, logged };
}

Deno.test("changed files are used together, and the log names them without their values", async () => {
  const next = { A: "2", B: "1" };
  const { reload, applied, reported, logged } = reloadOf(next);
  await reload();
  await reload();
  assertEquals(applied, [next]);
  assertEquals(reported, [""]);
  assertEquals(logged, [{ level: "info", event: "secrets_replaced", variables: ["A"] }]);
});

Deno.test("files are used once they stay the same", async () => {
  const final = { A: "2", B: "2" };
  const { reload, applied } = reloadOf({ A: "", B: "1" }, { A: "2", B: "1" }, final, final);
  await reload();
  assertEquals(applied, [final]);
});

Deno.test("an invalid file keeps all old values, and is reported until all files are valid", async () => {
  const { reload, readings, applied, reported, logged } = reloadOf({ A: "bad", B: "2" });
  await reload();
  await reload(); // a minute later
  assertEquals(applied, []);
  assertEquals(reported, ["A_FILE", "A_FILE"]);
  readings[0] = { A: "2", B: "2" };
  await reload();
  assertEquals(applied, [{ A: "2", B: "2" }]);
  assertEquals(reported, ["A_FILE", "A_FILE", ""]);
  assertEquals(logged, [
    { level: "error", event: "secrets_invalid", problems: ["A_FILE: should be good"] },
    { level: "info", event: "secrets_replaced", variables: ["A", "B"] },
  ]);
});

Deno.test("SIGHUP without a change is logged, and a change back to the old values is reported", async () => {
  const { reload, readings, reported, logged } = reloadOf({ A: "1", B: "1" });
  await reload(true);
  readings[0] = { A: "bad", B: "1" };
  await reload();
  readings[0] = { A: "1", B: "1" };
  await reload();
  assertEquals(reported, ["A_FILE", ""]);
  assertEquals(logged.map(({ event }) => event), [
    "secrets_unchanged",
    "secrets_invalid",
    "secrets_unchanged",
  ]);
});

Deno.test("many events at the same time cause one run, and one more for what came meanwhile", async () => {
  const { reload, readings, applied } = reloadOf({ A: "2", B: "1" });
  const all = Array.from({ length: 100 }, () => reload());
  await Promise.all(all);
  readings[0] = { A: "3", B: "1" };
  const first = reload();
  await Promise.resolve();
  await Promise.all([first, reload()]);
  assertEquals(applied, [{ A: "2", B: "1" }, { A: "3", B: "1" }]);
});

Deno.test("however a folder's link is replaced while its files are read, no old and new value mix", async () => {
  const folder = await Deno.makeTempDir();
  const NAMES = ["KEY_ID", "KEY"];
  const env = Object.fromEntries(NAMES.map((name) => [`${name}_FILE`, `${folder}/${name}`]));
  for (const name of NAMES) Deno.symlinkSync(`..data/${name}`, `${folder}/${name}`);
  let version = 0;
  /** Replaces all files at once, as Kubernetes does. */
  function replace() {
    version++;
    Deno.mkdirSync(`${folder}/v${version}`);
    for (const name of NAMES) {
      Deno.writeTextFileSync(`${folder}/v${version}/${name}`, `${version}`);
    }
    Deno.symlinkSync(`v${version}`, `${folder}/..new`);
    Deno.renameSync(`${folder}/..new`, `${folder}/..data`);
  }
  replace();
  const isReplaced = fc.array(fc.boolean(), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(isReplaced, async (steps) => {
      const step = () => {
        if (steps.shift()) replace();
      };
      /** The link may be replaced between two files. */
      const read = (): SecretFiles => {
        const parts = NAMES.map((name) => {
          step();
          return readSecretFiles(env, [name]);
        });
        return {
          paths: {},
          values: Object.assign({}, ...parts.map(({ values }) => values)),
          problems: parts.flatMap(({ problems }) => problems),
        };
      };
      const applied: string[] = [];
      const reload = createSecretReload({
        first: contents({ KEY_ID: "0", KEY: "0" }),
        read,
        apply: ({ values }) => void applied.push(`${values.KEY_ID}=${values.KEY}`),
        report: () => Promise.resolve(),
        log: () => {},
        pause: () => Promise.resolve(step()),
      });
      for (let i = 0; i < 3; i++) await reload();
      for (const pair of applied) assertEquals(...pair.split("=") as [string, string]);
      assertEquals(applied.at(-1), `${version}=${version}`);
    }),
    { numRuns: 50 },
  );
  await Deno.remove(folder, { recursive: true });
});
