/** Two bad deployments: a version that is ready and has a fault, and one that does not start. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Machine } from "../machine.ts";
import type { Part } from "../steps.ts";
import { isReady, logGrows, register, SOUND } from "./people.ts";

const SYSTEMD = { document: "docs/ops/systemd.md", heading: "systemd" };
const UPGRADE = "docs/upgrade.md";
const CHECK_PAGE = "routes/check/index.tsx";
const FAULT = '\nthrow new Error("the fault of this deployment");\n';

/** Makes the page on which files are checked fail at each request. */
const breakPage = (text: string) =>
  text.replace(
    /^( *)async GET\(ctx\) \{$/m,
    '$&\n$1  if (ctx.url.search !== "") throw new Error("a bad build");',
  );

const checkStatus = async (machine: Machine) =>
  (await machine.request("trust", `/check?sha256=${machine.known.sha256}`)).status;

export const revisionOf = async (machine: Machine) => String((await machine.readyz())?.revision);

const versionOf = async (machine: Machine) =>
  /Gatehouse (\S+)\./.exec((await machine.shell("deploy/gatehouse.sh run check-config")).output)
    ?.[1] ?? "";

export const deployment: Part = {
  title: "A bad deployment",
  sections: [
    {
      ...SYSTEMD,
      steps: [
        {
          happens: "A version with a fault is published",
          async act(machine) {
            machine.known.revision = await revisionOf(machine);
            machine.known.version = await versionOf(machine);
            await machine.publish("The next version", {
              "lib/platform/config/release.ts": (text) =>
                text.replace(/VERSION = "(.*)"/, 'VERSION = "$1-next"'),
              [CHECK_PAGE]: breakPage,
            });
          },
        },
        { run: "git pull && deploy/gatehouse.sh upgrade" },
      ],
    },
    {
      document: UPGRADE,
      heading: "Upgrade",
      onTheStore: true,
      steps: [
        {
          says: "It then makes a backup, switches, and waits until the new version is ready;",
          async check(machine) {
            const names = [...Deno.readDirSync(machine.moved("/var/lib/gatehouse/backups"))];
            assert(
              names.some(({ name }) => name.includes(machine.known.revision)),
              "there is no copy with the revision of the version before",
            );
            assert(await isReady(machine), "it is not ready");
            assert(await revisionOf(machine) !== machine.known.revision, "it was not replaced");
            assertEquals(await versionOf(machine), `${machine.known.version}-next`);
          },
        },
        {
          says: "Make a backup: `deno task backup <file>` ([ops/backup.md](ops/backup.md)).",
          async check({ shell, moved }) {
            const { status, output } = await shell(
              `deploy/gatehouse.sh run backup ${moved("/backup/before-rollback.kv")}`,
            );
            assertEquals(status, 0, output);
          },
        },
        {
          says: "`deno task store:format` of the new version says whether it changes the format.",
          async check({ shell }) {
            const { status, output } = await shell("deploy/gatehouse.sh run store:format");
            assertEquals(status, 0, output);
          },
        },
        {
          happens: "Somebody notices that files cannot be checked",
          async act(machine) {
            assertEquals(await checkStatus(machine), 500);
          },
        },
      ],
    },
    {
      document: "docs/ops/runbook.md",
      heading: "Is it working?",
      steps: [
        {
          says: "| `internal` | a bug, a row that does not fit, or a damaged store:",
          async check({ shell }) {
            const { output } = await shell("journalctl -u gatehouse -n 50 -g internal");
            assertStringIncludes(output, "a bad build");
          },
        },
      ],
    },
    {
      document: UPGRADE,
      heading: "Roll back",
      steps: [
        {
          says: "If the store still has the older format, start the older version " +
            "(`deploy/gatehouse.sh rollback`); nothing else is needed.",
          async check(machine) {
            const { status, output } = await machine.shell("deploy/gatehouse.sh rollback");
            assertEquals(status, 0, output);
            assertEquals(await revisionOf(machine), machine.known.revision);
            assertEquals(await versionOf(machine), machine.known.version);
            assertEquals(await checkStatus(machine), 200);
            await register(machine, "after-rollback@example.org");
            await logGrows(machine);
          },
        },
        {
          says: "The first line of `deno task export` shows the format as `store_format`.",
          async check({ shell }) {
            const { output } = await shell("deploy/gatehouse.sh run export | head -1");
            assertMatch(output, /"store_format":\d+/);
          },
        },
      ],
    },
    {
      document: UPGRADE,
      heading: "Upgrade",
      steps: [
        {
          happens: "A version that does not start is published",
          act: (machine) =>
            machine.publish("A version that does not start", {
              "serve.ts": (text) => text + FAULT,
            }),
        },
        {
          says:
            "if it is not within two minutes, and the format is the same, the old version runs again.",
          async check(machine) {
            const { status, output } = await machine.shell(
              "git pull && deploy/gatehouse.sh upgrade",
            );
            assert(status !== 0, "the upgrade exited with 0");
            assertMatch(output, /was not ready within two minutes, so \w+ runs again/);
            await machine.until(
              "the site is ready",
              () => isReady(machine, machine.known.revision),
            );
          },
        },
      ],
    },
    ...SOUND,
  ],
};
