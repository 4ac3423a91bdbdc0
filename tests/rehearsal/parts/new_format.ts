/** A version that changes the format of the store, and the way back to the one before. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { FORMAT } from "../../../lib/platform/kv/format.ts";
import type { Machine } from "../machine.ts";
import type { Part } from "../steps.ts";
import { revisionOf } from "./deployment.ts";
import { isReady, logGrows, register, SOUND } from "./people.ts";

const UPGRADE = "docs/upgrade.md";
const NEXT = FORMAT + 1;

/** A migration that writes the row of the last backup again, with who made it. */
const MIGRATION = `
  {
    name: "backup-by",
    format: ${NEXT},
    before: "the row of the last backup has a new member",
    step: {
      async batch() {
        const { value } = await backupTable.get(store.kv);
        if (value !== null) await recordBackup(store.kv, value);
        return { next: null };
      },
    },
  },`;

const EDITS: Parameters<Machine["publish"]>[1] = {
  "lib/platform/kv/format.ts": (text) => text.replace(`FORMAT = ${FORMAT};`, `FORMAT = ${NEXT};`),
  "lib/platform/store/backups.ts": (text) =>
    text.replace("z.strictObject({", '$&\n  by: z.literal("site"),')
      .replace("key(), backup)", 'key(), { ...backup, by: "site" })'),
  "lib/platform/tables.ts": (text) =>
    text.replace("  formatTable,\n", "$&  recordBackup,\n")
      .replace("readonly Migration[] => [", `$&${MIGRATION}`),
};

/** Returns the row of the last backup as an export has it. */
async function backupRow({ shell }: Machine): Promise<string> {
  const { output } = await shell('deploy/gatehouse.sh run export | grep \'"key":\\["backup"\\]\'');
  return output;
}

/** Returns the copy that the upgrade made with the version before. */
function copyOf({ moved, known }: Machine): string {
  const folder = moved("/var/lib/gatehouse/backups");
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(`-${known.revision}.kv`)).sort();
  return `${folder}/${names.at(-1)}`;
}

export const newFormat: Part = {
  title: "A version with a new format of the store",
  sections: [
    {
      document: UPGRADE,
      heading: "Upgrade",
      onTheStore: true,
      steps: [
        {
          happens: "A version with a new format is published",
          async act(machine) {
            machine.known.revision = await revisionOf(machine);
            await machine.publish("A new format", EDITS);
          },
        },
        {
          says:
            "If the new version changes the format, it says so and stops until it is run with " +
            "`--new-format`,",
          async check(machine) {
            const { status, output } = await machine.shell(
              "git pull && deploy/gatehouse.sh upgrade",
            );
            assertEquals(status, 1, output);
            assertStringIncludes(output, `from ${FORMAT} to ${NEXT}`);
            assert(
              await isReady(machine, machine.known.revision),
              "the older version is not ready",
            );
          },
        },
        {
          says: "It then makes a backup, switches, and waits until the new version is ready;",
          async check(machine) {
            const { status, output } = await machine.shell(
              "deploy/gatehouse.sh upgrade --new-format",
            );
            assertEquals(status, 0, output);
            assert(await isReady(machine), "it is not ready");
            assert(await revisionOf(machine) !== machine.known.revision, "it was not replaced");
          },
        },
        {
          says: "Before it accepts requests, it migrates the rows that it cannot serve without.",
          async check(machine) {
            assertStringIncludes(await backupRow(machine), '"by"');
            const { output } = await machine.shell("deploy/gatehouse.sh run store:check");
            assertMatch(output, / 0 problems/);
          },
        },
        {
          says: "`deno task store:format` of the new version says whether it changes the format.",
          async check({ shell }) {
            const { status, output } = await shell("deploy/gatehouse.sh run store:format");
            assertEquals(status, 0, output);
            assertStringIncludes(output, `has format ${NEXT}`);
          },
        },
      ],
    },
    {
      document: UPGRADE,
      heading: "Roll back",
      onTheStore: true,
      steps: [
        {
          happens: "The operator tries to go back without the backup",
          async act(machine) {
            const { status, output } = await machine.shell("deploy/gatehouse.sh rollback");
            assertEquals(status, 1, output);
            assertMatch(output, /The store has a newer format: see "Roll back"/);
            assert(await isReady(machine), "the new version no longer runs");
          },
        },
        {
          says: "If the store was migrated, the older version refuses to start, with a line that " +
            "names `KV_PATH`.",
          async check({ shell, moved, until }) {
            const link = (version: string) =>
              shell(`ln -sfn "${version}" ${moved("/srv/gatehouse/current")}`);
            const folder = async (name: string) =>
              (await shell(`readlink -f ${moved(`/srv/gatehouse/${name}`)}`)).output.trim();
            const [current, previous] = [await folder("current"), await folder("previous")];
            await link(previous);
            await shell("systemctl restart gatehouse");
            await until(
              "the log names KV_PATH and the format",
              async () =>
                new RegExp(`KV_PATH: .*format ${NEXT}\\b`).test(
                  (await shell("journalctl -u gatehouse -n 20")).output,
                ),
            );
            await link(current);
          },
        },
        { run: "systemctl stop gatehouse" },
        { run: "install -d -m 700 -o gatehouse -g gatehouse /var/lib/gatehouse/migrated" },
        { run: "mv /var/lib/gatehouse/gatehouse.kv*" },
        {
          run: "install -m 600 -o gatehouse -g gatehouse <backup>",
          with: (machine) => ({ "<backup>": copyOf(machine) }),
        },
        {
          run: "deploy/gatehouse.sh rollback",
          async check(machine) {
            const ready = await machine.readyz();
            assertEquals(
              [ready?.status, ready?.revision],
              ["read_only", machine.known.revision],
            );
          },
        },
        {
          run: "deno task chain:reconcile --complete",
          async check(machine) {
            await machine.until("the site is ready", () => isReady(machine), 10_000);
            assert(!(await backupRow(machine)).includes('"by"'), "the row was migrated");
            await register(machine, "after-new-format@example.org");
            await logGrows(machine);
          },
        },
      ],
    },
    ...SOUND,
  ],
};
