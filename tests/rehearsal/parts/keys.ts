/** Replaced secrets and keys: a secret in a file, `APP_SECRET`, and the keys of chains and of the log. */
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import type { Machine } from "../machine.ts";
import { readVariables } from "../services.ts";
import type { Part } from "../steps.ts";
import { startsWitness } from "./install.ts";
import { isReady, logGrows, readPolicy, register, restart, SOUND } from "./people.ts";

const SECRETS = "docs/ops/secrets.md";
const COMPOSE = "the rehearsal has no containers";
const VARIABLE = { COMMERCIAL_BANK_API_TOKEN: "METRICS_TOKEN" };
const TOKENS = ["metrics-token-of-the-file", "metrics-token-that-replaces-it"];

const variablesOf = async (machine: Machine) =>
  readVariables(await Deno.readTextFile(machine.moved("/etc/gatehouse.env")));

const metrics = async (machine: Machine, token: string) =>
  (await machine.fetch(`http://127.0.0.1:${machine.port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })).status;

const publishedKids = async (machine: Machine): Promise<string[]> => {
  const response = await machine.request("trust", "/.well-known/chain-keys.json");
  return (await response.json()).keys.map(({ kid }: { kid: string }) => kid);
};

async function newKey({ shell }: Machine): Promise<string> {
  const { status, output } = await shell("deno task --quiet chain:key 2>/dev/null");
  assertEquals(status, 0, output);
  return output.trim().split("\n").at(-1)!;
}

const WRITE_FILE = "install -m 640 -o root -g gatehouse /dev/stdin /var/lib/gatehouse/secrets/";

export const keys: Part = {
  title: "Replaced secrets and keys",
  sections: [
    {
      document: SECRETS,
      heading: "Set up",
      steps: [
        { run: "install -d -m 750 -o root -g gatehouse /var/lib/gatehouse/secrets" },
        { run: WRITE_FILE, with: () => VARIABLE, input: () => `${TOKENS[0]}\n` },
        { adds: "COMMERCIAL_BANK_API_TOKEN_FILE=", with: () => VARIABLE },
        {
          says: "and restart the site once.",
          async check(machine) {
            await restart(machine);
            assertEquals(await metrics(machine, TOKENS[0]), 200);
          },
        },
        { leavesOut: "mkdir -p secrets", because: COMPOSE },
        { leavesOut: "install -m 640 -g 65532", because: COMPOSE },
        { leavesOut: "echo COMMERCIAL_BANK_API_TOKEN_FILE=", because: COMPOSE },
        { leavesOut: "docker compose up -d", because: COMPOSE },
      ],
    },
    {
      document: SECRETS,
      heading: "Replace a secret",
      steps: [
        {
          says: "Write the file with the same `install` command.",
          async check({ shell, moved }) {
            const command = moved(`${WRITE_FILE}METRICS_TOKEN`);
            assertEquals((await shell(command, `${TOKENS[1]}\n`)).status, 0);
          },
        },
        {
          says:
            "To be certain, `systemctl reload gatehouse` (or `docker compose kill -s HUP site`) " +
            "reads them at once.",
          async check(machine) {
            await machine.shell("systemctl reload gatehouse");
            await machine.until(
              "the new token is accepted",
              async () => await metrics(machine, TOKENS[1]) === 200,
              5_000,
            );
            assertEquals(await metrics(machine, TOKENS[0]), 401);
          },
        },
        {
          run: "journalctl -u gatehouse -n 5 -g secrets_",
          check: (_, { output }) =>
            assertMatch(output, /"event":"secrets_replaced".*"variables":\["METRICS_TOKEN"\]/),
        },
        {
          leavesOut: '{"time":"…","level":"info","event":"secrets_replaced"',
          because: "it is what was printed",
        },
      ],
    },
    {
      document: SECRETS,
      heading: "Replace APP_SECRET",
      steps: [
        {
          run: "openssl rand -base64 32",
          check({ known }, { output }) {
            assertMatch(output.trim(), /^[\w-]{43}$/);
            known.newSecret = output.trim();
          },
        },
        {
          says: "Set `APP_SECRET=new,old`, and restart every process.",
          async check(machine) {
            const { APP_SECRET } = await variablesOf(machine);
            await machine.configure({ APP_SECRET: `${machine.known.newSecret},${APP_SECRET}` });
            await restart(machine);
          },
        },
        {
          says:
            "When the job has ended, the log has a line `app_secret_replaced` with the time from " +
            "which the old secret can be removed.",
          check: ({ until, shell }) =>
            until(
              "the log has app_secret_replaced",
              async () =>
                (await shell("journalctl -u gatehouse -n 1 -g app_secret_replaced")).output !== "",
            ),
        },
        {
          says:
            "The site **refuses to start without a secret that rows depend on**, with a line that " +
            "names `APP_SECRET` and the fingerprint; so do the commands that delete.",
          async check(machine) {
            await machine.configure({ APP_SECRET: machine.known.newSecret });
            await machine.shell("systemctl restart gatehouse");
            await machine.until("the log names APP_SECRET and a fingerprint", async () => {
              const { output } = await machine.shell("journalctl -u gatehouse -n 9 -g APP_SECRET");
              machine.known.fingerprint = /(?<=the secret )[\w-]{8}(?=,)/.exec(output)?.[0] ?? "";
              return machine.known.fingerprint !== "";
            });
            assert(!await isReady(machine), "the site is ready");
            const { status } = await machine.shell(
              "deploy/gatehouse.sh run contact:delete nobody@example.org",
            );
            assert(status !== 0, "contact:delete exited with 0");
          },
        },
        {
          says:
            "set `APP_SECRET=new` and `APP_SECRET_GIVEN_UP=<fingerprint>` with the fingerprint of the " +
            "old one, and restart.",
          async check(machine) {
            await machine.configure({ APP_SECRET_GIVEN_UP: machine.known.fingerprint });
            await restart(machine);
            await register(machine, "after-secret@example.org");
          },
        },
      ],
    },
    {
      document: "docs/ops/runbook.md",
      heading: "Rotate a secret",
      steps: [
        {
          says:
            "| `CHAIN_SIGNING_KEY` | `deno task chain:key`, set, restart; old heads still verify |",
          async check(machine) {
            machine.known.kids = await publishedKids(machine);
            await machine.configure({ CHAIN_SIGNING_KEY: await newKey(machine) });
            await restart(machine);
            const { status, output } = await machine.shell("deno task verify chain-0123abcd.json");
            assertEquals(status, 0, output);
            assertEquals((await publishedKids(machine)).length, 2);
          },
        },
      ],
    },
    {
      document: "docs/ops/runbook.md",
      heading: "A leaked secret",
      onTheStore: true,
      steps: [
        {
          run: "deno task chain:sign --withdraw <kid>",
          with: ({ known }) => ({ "<kid>": known.kids[0] }),
        },
        {
          says: "Heads that readers saved before no longer verify; tell them why.",
          async check(machine) {
            assertFalse((await publishedKids(machine)).includes(machine.known.kids[0]));
            const publisher = new URL(machine.originOf("trust")).host;
            const keys = `${machine.folder}/keys.json`;
            const response = await machine.request("trust", "/.well-known/chain-keys.json");
            await Deno.writeTextFile(keys, await response.text());
            const { status, output } = await machine.shell(
              `deno task verify chain-0123abcd.json --publisher ${publisher} --keys ${keys}`,
            );
            assertEquals(status, 1, output);
          },
        },
      ],
    },
    {
      document: "docs/ops/log.md",
      heading: "Replace its key",
      steps: [
        {
          says:
            "`deno task chain:key` generates one. Set `LOG_SIGNING_KEY=[<old>, <new>]`, as a JSON " +
            "array, and restart every process.",
          async check(machine) {
            const { LOG_SIGNING_KEY } = await variablesOf(machine);
            machine.known.newLogKey = await newKey(machine);
            await machine.configure({
              LOG_SIGNING_KEY: `[${LOG_SIGNING_KEY},${machine.known.newLogKey}]`,
            });
            await restart(machine);
          },
        },
        {
          says: "Both keys sign from now on, because a reader's policy may know only one of them.",
          async check(machine) {
            await register(machine, "two-keys@example.org");
            await logGrows(machine);
            const checkpoint = await (await machine.request("trust", "/log/checkpoint")).text();
            const name = `${new URL(machine.originOf("trust")).host}/log`;
            assertEquals(checkpoint.split(`\n— ${name} `).length, 3, checkpoint);
          },
        },
      ],
    },
    {
      document: "docs/ops/witness.md",
      heading: "On a server",
      steps: [
        {
          says: "While a log replaces its key, add a `--log` for each of the two keys.",
          check: async ({ witness }) => void await witness!.stop(),
        },
        startsWitness("witness.example"),
        {
          happens: "The readers of the log take its new key",
          async act(machine) {
            await readPolicy(machine);
            const policy = await Deno.readTextFile(machine.moved("/etc/log-policy"));
            assertEquals(policy.match(/^log /gm)?.length, 2, policy);
          },
        },
      ],
    },
    {
      document: "docs/ops/log.md",
      heading: "Replace its key",
      steps: [
        {
          says: "Once they have it, set only the new key, and restart.",
          async check(machine) {
            await machine.configure({ LOG_SIGNING_KEY: machine.known.newLogKey });
            await restart(machine);
            await register(machine, "new-key@example.org");
            await logGrows(machine);
          },
        },
      ],
    },
    {
      document: "docs/verify.md",
      heading: "The public log",
      steps: [
        { leavesOut: "public log   Logged by", because: "it is what a command prints" },
        {
          leavesOut: "deno task verify chain.json --log-policy",
          because: "a holder's policy is not rehearsed",
        },
        {
          says:
            "**Another key** is an error until you pass `--accept-log-key` or press the button.",
          async check({ shell, originOf, known }) {
            const verify = `deno task verify ${originOf("api")}/api/chain/${known.hash}`;
            const refused = await shell(verify);
            assertEquals(refused.status, 1, refused.output);
            const accepted = await shell(`${verify} --accept-log-key`);
            assertEquals(accepted.status, 0, accepted.output);
          },
        },
      ],
    },
    ...SOUND,
  ],
};
