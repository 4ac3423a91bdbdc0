/** The installation with a witness and a monitor, the first records, and backups. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { encodeHex } from "../../../lib/base/bytes.ts";
import { DOMAIN, type Machine } from "../machine.ts";
import { readVariables } from "../services.ts";
import type { Part } from "../steps.ts";
import {
  addIssuer,
  confirm,
  isReady,
  issue,
  logGrows,
  readPolicy,
  register,
  restart,
  SOUND,
} from "./people.ts";

const HOLDER = "holder@example.org";
const SYSTEMD = { document: "docs/ops/systemd.md", heading: "systemd" };
const DEPLOY = { document: "docs/deploy.md", heading: "Deploying" };
const BACKUP = "docs/ops/backup.md";

export const install: Part = {
  title: "Install the site",
  sections: [
    {
      ...SYSTEMD,
      steps: [
        { leavesOut: "apt-get install", because: "the machine has these programs" },
        { leavesOut: "npm install -g deno", because: "the machine has Deno" },
        {
          run: "git clone <repository>",
          with: ({ folder }) => ({ "<repository>": `${folder}/repository` }),
        },
      ],
    },
    {
      ...DEPLOY,
      steps: [
        {
          run: "deno task setup",
          with: ({ folder }) => ({ setup: `setup --root ${folder}` }),
          input: ({ smtp }) =>
            [
              DOMAIN,
              "Rehearsal Foundation; Rehearsal Works",
              `smtp://127.0.0.1:${smtp.port}`,
              "",
              "admin@example.org",
              "",
            ].map((line) => `${line}\n`).join(""),
        },
        {
          says:
            "It overwrites nothing: if one of the files exists, it says so, writes nothing and " +
            "exits with 2.",
          async check({ folder, shell }) {
            const { status, output } = await shell(`deno task setup --root ${folder}`);
            assertEquals(status, 2, output);
            assertMatch(output, /gatehouse\.env exists already/);
          },
        },
        { happens: "The operator sets the hosts of this machine", act: setHosts },
      ],
    },
    {
      ...SYSTEMD,
      steps: [
        { run: "deploy/gatehouse.sh install" },
        { run: "deploy/gatehouse.sh run check-config" },
        { run: "systemctl enable --now gatehouse gatehouse-backup.timer" },
        {
          happens: "The site starts",
          act: (machine) => machine.until("the site is ready", () => isReady(machine)),
        },
        {
          run: "curl -i http://127.0.0.1:8000/readyz",
          check: (_, { output }) => assertStringIncludes(output, '"status":"ready"'),
        },
        {
          run: "journalctl -u gatehouse -n 60",
          check({ known }, { output }) {
            const id = /store.*?([0-9a-f-]{8,})/i.exec(output)?.[1];
            if (id === undefined) throw new Error(`The id of the store is not in: ${output}`);
            known.storeId = id;
          },
        },
        {
          says:
            "Replace `ALLOW_EMPTY_STORE=1` in `/etc/gatehouse.env` with `STORE_ID=` and the id, " +
            "and restart.",
          async check(machine) {
            await machine.configure({
              ALLOW_EMPTY_STORE: null,
              STORE_ID: machine.known.storeId,
            });
            await restart(machine);
          },
        },
      ],
    },
    { ...DEPLOY, onTheStore: true, steps: [{ run: "deno task check-config" }] },
  ],
};

/** Gives each host the port of this machine, because no proxy is in front. */
async function setHosts(machine: Machine): Promise<void> {
  const path = machine.moved("/etc/gatehouse.env");
  const { SURFACE_HOSTS } = readVariables(await Deno.readTextFile(path));
  const hosts = Object.entries<string[]>(JSON.parse(SURFACE_HOSTS)).map(([surface, [host]]) =>
    [surface, `http://${host}:${machine.port}`] as const
  );
  Object.assign(machine.origins, Object.fromEntries(hosts));
  await machine.configure({
    SURFACE_HOSTS: JSON.stringify(Object.fromEntries(hosts.map(([name, host]) => [name, [host]]))),
  });
}

/** Returns the key of the log, as its policy has it. */
async function logKeys(machine: Machine): Promise<string[]> {
  const policy = await (await machine.request("trust", "/log/policy")).text();
  return [...policy.matchAll(/^log (\S+)/gm)].map(([, key]) => key);
}

/** Follows the command of docs/ops/witness.md that starts a witness. */
export const startsWitness = (name: string) => ({
  run: "deno task witness --name witness.example",
  starts: name,
  async with(machine: Machine) {
    const url = machine.moved("http://127.0.0.1:8040");
    const trust = machine.originOf("trust");
    const logs = (await logKeys(machine)).map((key) => `--log "${key} ${trust}/log"`);
    return {
      '--log "<key> https://trust.example/log"': logs.join(" "),
      "--name witness.example": `--name ${name} --port ${new URL(url).port}`,
      "https://witness.example": url,
      "witness.kv": `${name.replace("/", "-")}.kv`,
    };
  },
  async check(machine: Machine) {
    const service = machine.witness!;
    await machine.until(
      "the witness prints its line",
      async () => /^witness \S/m.test(await service.output()),
    );
    machine.known.witness = /^witness \S.*$/m.exec(await service.output())![0];
  },
});

/** Names the running witness in `LOG_WITNESSES`, with a quorum, and waits until it has countersigned. */
export async function nameWitness(machine: Machine): Promise<void> {
  const line = machine.known.witness;
  const [, name] = line.split(" ");
  await machine.configure({ LOG_WITNESSES: `${line}\nquorum ${name}` });
  await restart(machine);
  await machine.until(`${name} has countersigned the log`, async () => {
    const checkpoint = await (await machine.request("trust", "/log/checkpoint")).text();
    return checkpoint.includes(`— ${line.split(" ")[2].split("+")[0]} `);
  });
  await readPolicy(machine);
}

export const firstDays: Part = {
  title: "The first days: a witness, a monitor, records and documents",
  sections: [
    {
      document: "docs/ops/witness.md",
      heading: "On a server",
      steps: [
        {
          run: "git clone <repository> /srv/witness",
          with: ({ folder }) => ({ "<repository>": `${folder}/repository` }),
        },
        { leavesOut: "npm install -g deno", because: "the machine has Deno" },
        startsWitness("witness.example"),
        { happens: "The operator of the log names the witness", act: nameWitness },
        {
          happens: "A person registers an enquiry and confirms the address",
          async act(machine) {
            machine.known.hash = await register(machine, HOLDER);
            await confirm(machine, HOLDER);
          },
        },
        {
          happens: "An administrator adds an issuer, which issues a certificate",
          async act(machine) {
            machine.known.key = await addIssuer(machine);
            const { id, pdf } = await issue(machine, "Grace");
            machine.known.document = id;
            machine.known.sha256 = encodeHex(
              new Uint8Array(await crypto.subtle.digest("SHA-256", pdf)),
            );
            await Deno.writeFile(`${machine.moved("/root/gatehouse")}/certificate.pdf`, pdf);
            await logGrows(machine);
          },
        },
      ],
    },
    ...SOUND,
  ],
};

export const backups: Part = {
  title: "Backups",
  sections: [
    {
      document: BACKUP,
      heading: "Backup, restore and migration",
      steps: [{ run: "install -d -m 700 -o gatehouse -g gatehouse /backup" }],
    },
    {
      ...SYSTEMD,
      steps: [{ run: "deploy/gatehouse.sh run backup /var/lib/gatehouse/backups/copy.kv" }],
    },
    {
      document: BACKUP,
      heading: "Back up a file",
      onTheStore: true,
      steps: [
        { run: "deno task backup /backup/gatehouse-2026-11-22.kv" },
        {
          says: "It never overwrites a file.",
          async check({ shell, moved }) {
            const path = moved("/backup/gatehouse-2026-11-22.kv");
            const before = await Deno.stat(path);
            const { status } = await shell(`deploy/gatehouse.sh run backup ${path}`);
            const after = await Deno.stat(path);
            assert(status !== 0, "the command exited with 0");
            assertEquals([after.size, after.mtime], [before.size, before.mtime]);
          },
        },
      ],
    },
    {
      document: BACKUP,
      heading: "Every hour",
      onTheStore: true,
      steps: [
        { run: "deno task backup --into /backup" },
        {
          says: "It writes `gatehouse-<time>.kv`,",
          check: ({ moved }) => assertCopies(moved("/backup"), /^gatehouse-\d{8}T\d+Z?\.kv$/),
        },
        {
          says:
            "[systemd.md](systemd.md) installs [gatehouse-backup.service](gatehouse-backup.service) " +
            "and [gatehouse-backup.timer](gatehouse-backup.timer).",
          async check({ shell, moved }) {
            const { status, output } = await shell("systemctl start gatehouse-backup");
            assertEquals(status, 0, output);
            assertCopies(moved("/var/lib/gatehouse/backups"), /^gatehouse-.*\.kv$/);
          },
        },
      ],
    },
    {
      document: BACKUP,
      heading: "Export and import",
      onTheStore: true,
      steps: [
        { run: "deno task export /backup/store.jsonl" },
        {
          run: "KV_PATH=/var/lib/gatehouse/new.kv deno task import /backup/store.jsonl",
          check: async ({ moved }) => void await Deno.stat(moved("/var/lib/gatehouse/new.kv")),
        },
      ],
    },
    {
      document: BACKUP,
      heading: "Prove that backups work",
      onTheStore: true,
      steps: [
        { run: "install -d -m 700 -o gatehouse -g gatehouse /tmp/restore" },
        { run: "install -m 600 -o gatehouse -g gatehouse /backup/gatehouse-2026-11-22.kv" },
        { run: "KV_PATH=/tmp/restore/gatehouse.kv deno task chain:reconcile", status: 1 },
        {
          says: "This prints `All of its chains verify.` and leaves the copy read-only (status 1).",
          check: ({ last }) => assertStringIncludes(last.output, "All of its chains verify."),
        },
      ],
    },
  ],
};

function assertCopies(folder: string, name: RegExp): void {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  assert(names.some((each) => name.test(each)), `${folder} has only ${names.join(", ")}`);
}
