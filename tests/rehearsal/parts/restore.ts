/** A store that is lost, and a backup that lacks what was published after it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Machine } from "../machine.ts";
import type { Part } from "../steps.ts";
import { confirm, isReady, issue, logGrows, logSize, post, register, SOUND } from "./people.ts";
import { PERSON } from "../../contact_site.ts";

const BACKUP = "docs/ops/backup.md";
const COPY = "/backup/gatehouse-2026-11-22.kv";
const DAMAGED = "/var/lib/gatehouse/damaged";

/** Follows the command of docs/ops/log.md once, so that the copy has everything that is published. */
async function copyLog(machine: Machine): Promise<void> {
  const { status, output } = await machine.shell(
    `deno task monitor ${machine.originOf("trust")} --once --into ${
      machine.moved("/var/lib/log-copy")
    } --policy ${machine.moved("/etc/log-policy")}`,
  );
  assertEquals(status, 0, output);
}

export const restore: Part = {
  title: "A lost store, and a backup that lacks the last events",
  sections: [
    {
      document: BACKUP,
      heading: "Restore",
      onTheStore: true,
      steps: [
        {
          happens: "After the backup, people go on, and a monitor copies the log",
          async act(machine) {
            const later = "later@example.org";
            machine.known.later = await register(machine, later);
            await confirm(machine, later);
            await issue(machine, "Later");
            await logGrows(machine);
            await machine.until("all that was written is published", async () => {
              const before = await logSize(machine);
              await new Promise((resolve) => setTimeout(resolve, 12_000));
              return before === await logSize(machine);
            });
            machine.known.logSize = await logSize(machine);
            await copyLog(machine);
            const chain = `${machine.originOf("api")}/api/chain/${machine.known.hash}`;
            const moved = machine.moved("/backup/reader.json");
            const saved = await machine.shell(`deno task verify ${chain} --save ${moved}`);
            assertEquals(saved.status, 0, saved.output);
          },
        },
        {
          says: "Stop the site, and move the damaged store away. Keep it.",
          async check({ shell, moved }) {
            const { status, output } = await shell([
              "systemctl stop gatehouse",
              `install -d -m 700 -o gatehouse -g gatehouse ${moved(DAMAGED)}`,
              `mv ${moved("/var/lib/gatehouse/gatehouse.kv")}* ${moved(DAMAGED)}/`,
            ].join(" && "));
            assertEquals(status, 0, output);
          },
        },
        {
          run: "install -m 600 -o gatehouse -g gatehouse <backup>",
          with: () => ({ "<backup>": COPY }),
        },
        {
          says: "Start the site. It logs `restored_copy`, and `/readyz` reports `read_only`.",
          async check(machine) {
            await machine.shell("systemctl start gatehouse");
            await machine.until(
              "/readyz reports read_only",
              async () => (await machine.readyz())?.status === "read_only",
            );
            const { output } = await machine.shell("journalctl -u gatehouse -n 5 -g restored_copy");
            assertStringIncludes(output, "restored_copy");
          },
        },
        {
          says: "It serves pages, verification and documents; forms and sign-in return 503.",
          async check(machine) {
            const { hash, document, sha256 } = machine.known;
            for (
              const path of [
                "/",
                `/verify?hash=${hash}`,
                `/check?sha256=${sha256}`,
                `/d/${document}`,
              ]
            ) {
              const { status } = await machine.request("trust", path);
              assert(status < 400, `${path}: ${status}`);
            }
            const form = await post(machine, "api", "/api/ir/register", PERSON);
            const signIn = await post(machine, "site", "/api/auth/request", {
              email: PERSON.email,
            });
            assertEquals([form.status, signIn.status], [503, 503]);
          },
        },
        {
          run:
            "deno task chain:reconcile newer-export.jsonl damaged-store-copy.kv chain-saved-by-a-reader.json",
          with: () => ({
            "newer-export.jsonl ": "",
            "damaged-store-copy.kv": `${DAMAGED}/gatehouse.kv`,
            "chain-saved-by-a-reader.json": "/backup/reader.json",
          }),
          status: 1,
        },
        {
          says:
            "It reports each chain that is `behind`, that contains a different event, or that is missing.",
          check: ({ last, known }) =>
            assertStringIncludes(
              last.output,
              `${known.later}: the copy does not contain this record`,
            ),
        },
        {
          run: "deno task chain:reconcile /backup/log-copy",
          with: () => ({ "/backup/log-copy": "/var/lib/log-copy" }),
          status: 1,
        },
        {
          says: "how many entries; not how many records, which, or of whom",
          check: ({ last }) => assertMatch(last.output, /\d+ entr/),
        },
        {
          run: "deno task chain:reconcile --complete newer-export.jsonl …",
          with: () => ({ " newer-export.jsonl …": "" }),
          status: 1,
        },
        {
          says:
            "If the command has named documents or entries that are lost, `--complete` is refused.",
          check: ({ last }) =>
            assertMatch(last.output, /stays read-only, because it is not complete/),
        },
        { run: "deno task chain:reconcile --accept-loss" },
        {
          says: "The site accepts writes within ten seconds.",
          check: (machine) => machine.until("the site is ready", () => isReady(machine), 10_000),
        },
        {
          says: "The site then goes on with the same host, keys and log.",
          async check(machine) {
            await register(machine, "after-restore@example.org");
            await logGrows(machine);
          },
        },
      ],
    },
    {
      document: BACKUP,
      heading: "Restore",
      steps: [
        {
          says: "Tell the issuers of that period to issue their documents again.",
          async check(machine) {
            await issue(machine, "Later");
            await logGrows(machine);
          },
        },
      ],
    },
    ...SOUND,
  ],
};
