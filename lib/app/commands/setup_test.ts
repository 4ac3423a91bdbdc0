import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { hostsBelow } from "../../platform/surfaces/surfaces.ts";
import { checkConfig } from "./check_config.ts";
import { runCommand } from "./command.ts";
import { main } from "./setup.ts";

const ANSWERS = [
  "Records.test",
  "Children's Trust; Solstice & Co",
  "smtp://site:pa%40ss@mail.records.test:587",
  "",
  "a@records.test, b@records.test",
  "",
];

const HOSTS = Object.values(hostsBelow("records.test")).flat();

async function* linesOf(answers: readonly string[]) {
  yield* answers;
}

async function setup(root: string, answers: readonly string[], ...flags: string[]) {
  const lines: string[] = [];
  const add = (line: string) => lines.push(line);
  const io = { args: ["--root", root, ...flags], env: {}, log: add, error: add };
  const status = await runCommand((io) => main(io, linesOf(answers)), io);
  return { status, lines };
}

/** Returns the variables that a shell reads from a file. */
async function readBy(file: string): Promise<Record<string, string>> {
  const script = `set -a; . "$1"; env -0`;
  const { stdout } = await new Deno.Command("env", {
    args: ["-i", "sh", "-c", script, "sh", file],
  }).output();
  const entries = new TextDecoder().decode(stdout).split("\0").filter(Boolean);
  return Object.fromEntries(entries.map((entry) => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  }));
}

async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    paths.push(...isDirectory ? [`${path}/`, ...await filesBelow(path)] : [path]);
  }
  return paths.sort();
}

const modeOf = async (path: string) => ((await Deno.stat(path)).mode! & 0o777).toString(8);

Deno.test("setup with six lines writes an environment that check-config accepts, nginx's files and the folders", async () => {
  const root = await Deno.makeTempDir();
  const { status, lines } = await setup(root, ANSWERS);
  assertEquals(status, 0, lines.join("\n"));
  assert(lines.includes(
    "Put the certificate at /etc/ssl/gatehouse/fullchain.pem, and its key at " +
      "/etc/ssl/gatehouse/privkey.pem.",
  ));
  assertEquals((await filesBelow(root)).map((path) => path.slice(root.length)), [
    "/etc/",
    "/etc/gatehouse.env",
    "/etc/nginx/",
    "/etc/nginx/conf.d/",
    "/etc/nginx/conf.d/gatehouse.conf",
    "/etc/nginx/gatehouse_proxy.conf",
    "/var/",
    "/var/lib/",
    "/var/lib/gatehouse-anchor/",
    "/var/lib/gatehouse/",
    "/var/lib/gatehouse/backups/",
  ]);
  assertEquals(await modeOf(join(root, "etc/gatehouse.env")), "600");
  assertEquals(await modeOf(join(root, "var/lib/gatehouse")), "700");
  const usual = await modeOf(join(root, "etc"));
  assertEquals([await modeOf(join(root, "var")), await modeOf(join(root, "var/lib"))], [
    usual,
    usual,
  ]);

  const { PWD: _, ...env } = await readBy(join(root, "etc/gatehouse.env"));
  assertEquals(env.FOUNDATION_NAME, "Children's Trust");
  assertEquals(env.COMMERCIAL_NAME, "Solstice & Co");
  assertEquals(env.SMTP_URL, "smtp://site:pa%40ss@mail.records.test:587");
  assertEquals(env.TRUST_PROXY, "1");
  const output: string[] = [];
  const add = (line: string) => output.push(line);
  assertEquals(await checkConfig(env, { log: add, error: add }), 0);
  // The variables that only the operator can decide.
  assertEquals(output.slice(1, -1).map((line) => line.trim().split(":")[0]), [
    "REVISION",
    "OPS_REQUIRE_PASSKEY",
    "HEARTBEAT_URL",
    "ALLOW_EMPTY_STORE",
  ]);

  const nginx = await Deno.readTextFile(join(root, "etc/nginx/conf.d/gatehouse.conf"));
  assertStringIncludes(nginx, `server_name ${HOSTS.join(" ")};`);
  assert(!nginx.includes(".example"), nginx);
  await Deno.remove(root, { recursive: true });
});

Deno.test("setup keeps what a shell would expand as it is, and refuses what no quotes keep", async () => {
  const root = await Deno.makeTempDir();
  const literal = '$(id) `id` \\ "$HOME"';
  assertEquals((await setup(root, ANSWERS, `--organisations=${literal}; #2`)).status, 0);
  const env = await readBy(join(root, "etc/gatehouse.env"));
  assertEquals([env.FOUNDATION_NAME, env.COMMERCIAL_NAME], [literal, "#2"]);
  const other = join(root, "other");
  const { status, lines } = await setup(other, ANSWERS, "--organisations=It's $5; Solstice");
  assertEquals(status, 2);
  assertStringIncludes(lines.at(-1)!, "FOUNDATION_NAME: should not contain an apostrophe together");
  await Deno.remove(root, { recursive: true });
});

Deno.test("setup generates other secrets each time", async () => {
  const root = await Deno.makeTempDir();
  const secrets = await Promise.all(["a", "b"].map(async (name) => {
    await setup(join(root, name), ANSWERS);
    const env = await readBy(join(root, name, "etc/gatehouse.env"));
    assertMatch(env.APP_SECRET, /^[\w-]{43}$/);
    return [env.APP_SECRET, env.CHAIN_SIGNING_KEY, env.LOG_SIGNING_KEY, env.METRICS_TOKEN];
  }));
  assertEquals(new Set(secrets.flat()).size, 8);
  await Deno.remove(root, { recursive: true });
});

Deno.test("setup with flags alone asks nothing; Caddy's file has the hosts, an API of mail and of the bank its key", async () => {
  const root = await Deno.makeTempDir();
  const { status, lines } = await setup(
    root,
    [],
    "--domain=records.test",
    "--organisations=Meridian;Solstice",
    "--mail=https://k1@api.mail.test/send",
    "--proxy=caddy",
    "--administrators=a@records.test",
    "--bank=https://t1@api.bank.test/v1",
  );
  assertEquals(status, 0, lines.join("\n"));
  const env = await readBy(join(root, "etc/gatehouse.env"));
  assertEquals([env.MAIL_TRANSPORT, env.MAIL_API_URL, env.MAIL_API_KEY], [
    "http",
    "https://api.mail.test/send",
    "k1",
  ]);
  assertEquals([env.BANK_API_BASE, env.BANK_API_TOKEN], ["https://api.bank.test/v1", "t1"]);
  const caddy = await Deno.readTextFile(join(root, "etc/caddy/Caddyfile"));
  assertStringIncludes(caddy, `\n${HOSTS.join(", ")} {\n`);
  assert(!caddy.includes(".example"), caddy);
  await Deno.remove(root, { recursive: true });
});

Deno.test("setup overwrites no file: it names the one that exists, writes nothing and ends with 2", async () => {
  for (const name of ["etc/gatehouse.env", "etc/nginx/gatehouse_proxy.conf"]) {
    const root = await Deno.makeTempDir();
    const path = join(root, name);
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeTextFile(path, "mine");
    const before = await filesBelow(root);
    const { status, lines } = await setup(root, ANSWERS);
    assertEquals(status, 2);
    assertStringIncludes(lines.at(-1)!, `${path} exists already`);
    assertEquals(await Deno.readTextFile(path), "mine");
    assertEquals(await filesBelow(root), before);
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("setup asks again after a line that is not an answer, and writes nothing without an answer or with a wrong flag", async () => {
  const root = await Deno.makeTempDir();
  const written = () => filesBelow(root);
  const missing = await setup(root, ["records.test", "one name", "Meridian; Solstice"]);
  assertEquals(missing.status, 2);
  assertStringIncludes(missing.lines.join("\n"), "should be two names, separated by ;");
  assertStringIncludes(missing.lines.at(-1)!, "no answer to the question for the mail");
  assertEquals(await written(), []);

  const wrong = {
    domain: ["", "https://records.test", "records", "a;b.test"],
    organisations: ["", "Meridian", "a;b;c"],
    mail: ["", "mail.test", "https://api.mail.test/send"],
    proxy: ["apache"],
    administrators: ["", ",", "somebody"],
    bank: ["https://api.bank.test", "soon"],
  };
  for (const [name, answers] of Object.entries(wrong)) {
    for (const answer of answers) {
      const { status, lines } = await setup(root, ANSWERS, `--${name}=${answer}`);
      assertEquals(
        [status, lines.at(-1)!.includes(`for the ${name} should be`)],
        [2, true],
        answer,
      );
    }
  }
  const reserved = await setup(root, ANSWERS, "--domain=records.example");
  assertEquals(reserved.status, 2);
  assertStringIncludes(reserved.lines.join("\n"), "FOUNDATION_CONTACT_EMAIL: should be");
  assertEquals((await setup(root, ANSWERS, "--unknown")).status, 2);
  assertEquals(await written(), []);

  const file = join(root, "file");
  await Deno.writeTextFile(file, "");
  const unwritable = await setup(file, ANSWERS);
  assertEquals(unwritable.status, 2);
  assertStringIncludes(unwritable.lines.at(-1)!, "Run setup as root");
  await Deno.remove(file);

  const corrected = await setup(root, ["no domain", ...ANSWERS]);
  assertEquals(corrected.status, 0, corrected.lines.join("\n"));
  await Deno.remove(root, { recursive: true });
});

Deno.test("setup for a container writes gatehouse.env and no folders, with the paths of the image", async () => {
  const root = await Deno.makeTempDir();
  const { status } = await setup(root, ANSWERS, "--container", "--proxy=other");
  assertEquals(status, 0);
  assertEquals(await filesBelow(root), [join(root, "gatehouse.env")]);
  const env = await readBy(join(root, "gatehouse.env"));
  assertEquals([env.HOST, env.KV_PATH], ["0.0.0.0", "/var/lib/gatehouse/gatehouse.kv"]);
  await Deno.remove(root, { recursive: true });
});
