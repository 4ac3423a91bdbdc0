/**
 * A folder that the rehearsal treats as a machine: absolute paths of the documents are below it, and stand-ins
 * replace systemd's programs. Started as root, the site's processes and files have a user of their own.
 *
 * @module
 */
import { join } from "node:path";
import {
  startSmtpServer,
  type TestSmtpServer,
} from "../../lib/platform/mail/testing/smtp_server.ts";
import { createLocalFetch } from "../../lib/platform/http/local_fetch.ts";
import { freePort } from "../site.ts";
import { createServices, type Service } from "./services.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Below which all hosts of the site are. They are this machine. */
export const DOMAIN = "rehearsal.localhost";
/** The uid and gid of the site, if the rehearsal is started as root. */
const SITE_USER = 64_321;
/** The tag of the version that is installed first. */
const FIRST = "first";
/** How long the rehearsal waits for what the documents promise without a time. */
const PATIENCE_MS = 180_000;

/** The paths of the documents that are below the folder. */
const MOVED =
  /(?<![\w./-])\/(?:var\/lib|srv|backup|root|tmp\/restore|etc\/(?:gatehouse|systemd|nginx|caddy|log-policy))(?![a-z])/g;

/** The files of the repository that name such paths. */
const WITH_PATHS = [
  "deno.json",
  "deploy/gatehouse.sh",
  "docs/ops/gatehouse.service",
  "docs/ops/gatehouse-backup.service",
  "lib/platform/config/secret_files.ts",
];

/** The status and the output of a command, the errors included. */
export interface Ran {
  status: number;
  output: string;
}

/** Returns the values that steps pass on to later ones. */
const newKnown = () => ({
  storeId: "",
  /** The hashes of a record in the backup, and of one that began after it. */
  hash: "",
  later: "",
  /** The number of a document, the SHA-256 of its file, and the API key of its issuer. */
  document: "",
  sha256: "",
  key: "",
  /** The line of the witness for `LOG_WITNESSES`. */
  witness: "",
  logSize: 0,
  /** The commit and the version that ran before the bad deployment. */
  revision: "",
  version: "",
  newSecret: "",
  /** The fingerprint of the `APP_SECRET` that was replaced. */
  fingerprint: "",
  /** The ids of the keys of chains before one was added. */
  kids: [] as string[],
  newLogKey: "",
});

/** The place on which the site is installed, with its processes. */
export interface Machine extends AsyncDisposable {
  folder: string;
  port: number;
  /** The origin of each surface. */
  origins: Record<string, string>;
  smtp: TestSmtpServer;
  known: ReturnType<typeof newKnown>;
  /** The last command that has ended. */
  last: Ran;
  /** The process of the witness that was started last. */
  witness: Service | null;
  /** Returns a text with the paths and ports of this machine. */
  moved(text: string): string;
  /** Runs a command in a shell, in the clone of the repository. */
  shell(command: string, input?: string): Promise<Ran>;
  /** Starts a command that runs until it is stopped. */
  start(name: string, command: string, env?: Record<string, string>): Service;
  /** Sends a request, also to hosts of the site. */
  fetch: typeof fetch;
  /** Sends a request to a surface. Redirects are not followed. */
  request(surface: string, path: string, init?: RequestInit): Promise<Response>;
  originOf(surface: string): string;
  /** Returns what `/readyz` responds; null if nothing responds. */
  readyz(): Promise<Record<string, unknown> | null>;
  /** Changes variables of /etc/gatehouse.env; null removes one. */
  configure(variables: Record<string, string | null>): Promise<void>;
  /** Commits a version to the repository from which the site is deployed: the first one, with these edits. */
  publish(change: string, edits: Record<string, (text: string) => string>): Promise<void>;
  /** Waits until something is true. */
  until(what: string, isTrue: () => Promise<boolean>, withinMs?: number): Promise<void>;
}

/**
 * Creates the machine.
 *
 * @param given the folder, which is kept. If it has built versions of an earlier rehearsal, they are used again.
 */
export async function createMachine(given?: string): Promise<Machine> {
  const folder = given ?? await Deno.makeTempDir({ prefix: "gatehouse-rehearsal-" });
  const port = await keptPort(folder);
  const witnessPort = freePort();
  const isRoot = Deno.uid() === 0;
  const smtp = await startSmtpServer();
  const journal = join(folder, "journal");
  const bin = join(folder, "bin");
  for (
    const path of [
      journal,
      bin,
      ...["root", "etc/systemd/system", "var/lib", "tmp"].map((path) => join(folder, path)),
    ]
  ) {
    await Deno.mkdir(path, { recursive: true });
  }
  const moved = (text: string) =>
    text.replaceAll(MOVED, (path) => folder + path)
      .replaceAll(/\b8000\b/g, String(port)).replaceAll(/\b8040\b/g, String(witnessPort));
  const env = {
    PATH: `${bin}:${Deno.env.get("PATH")}`,
    HOME: join(folder, "root"),
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    // Commits of the same contents have the same name, so that a folder's versions can be used again.
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "rehearsal"],
        [`GIT_${who}_EMAIL`, "rehearsal@localhost"],
        [`GIT_${who}_DATE`, "2026-01-01T00:00:00Z"],
      ]),
    ),
  };
  const services = createServices({
    journal,
    units: moved("/etc/systemd/system"),
    env,
    runAs: isRoot ? SITE_USER : null,
  });
  await writeStandIns(bin, services.port, isRoot ? SITE_USER : null);
  const clone = moved("/root/gatehouse");
  const repository = join(folder, "repository");
  await copyRepository(repository, moved, env);
  const fetch = createLocalFetch();

  const origins: Record<string, string> = {};
  const originOf = (surface: string) => origins[surface];

  async function shell(command: string, input = ""): Promise<Ran> {
    const cwd = await Deno.stat(clone).then(() => clone, () => join(folder, "root"));
    const child = new Deno.Command("bash", {
      args: ["-c", `exec 2>&1\n${command}`],
      cwd,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input)).catch(() => {}); // it reads no input
    await writer.close().catch(() => {});
    const { code, stdout } = await child.output();
    return { status: code, output: new TextDecoder().decode(stdout) };
  }

  async function publish(change: string, edits: Record<string, (text: string) => string>) {
    await git(repository, env, "checkout", "--quiet", FIRST, "--", ".");
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(repository, path);
      const text = await Deno.readTextFile(file);
      if (edit(text) === text) throw new Error(`The edit of ${path} changes nothing.`);
      await Deno.writeTextFile(file, edit(text));
    }
    await git(repository, env, "commit", "--quiet", "--all", "--message", change);
  }

  return {
    folder,
    port,
    origins,
    smtp,
    last: { status: 0, output: "" },
    witness: null,
    known: newKnown(),
    moved,
    shell,
    originOf,
    publish,
    fetch,
    start: (name, command, extra = {}) =>
      services.spawn(name, ["bash", "-c", `exec ${command}`], {
        cwd: clone,
        env: { ...env, ...extra },
      }),
    request: (surface, path, init) => fetch(originOf(surface) + path, init),
    async readyz() {
      try {
        return await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
      } catch {
        return null;
      }
    },
    async configure(variables) {
      const path = moved("/etc/gatehouse.env");
      let text = await Deno.readTextFile(path);
      for (const [name, value] of Object.entries(variables)) {
        text = text.replace(new RegExp(`^${name}=(?:'[^']*'|"[^"]*"|.*)\n`, "m"), "");
        if (value !== null) text += `${name}='${value}'\n`;
      }
      await Deno.writeTextFile(path, text);
    },
    async until(what, isTrue, withinMs = PATIENCE_MS) {
      for (const end = Date.now() + withinMs; !await isTrue();) {
        if (Date.now() > end) {
          throw new Error(`within ${withinMs / 1000} s, it was not so: ${what}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    async [Symbol.asyncDispose]() {
      await services[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
      if (given === undefined) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The entries of a folder that a later rehearsal uses again. The built versions contain the port. */
const KEPT = ["port", "repository", "srv"];

/** Empties a folder but for what is kept, and returns the port of its site. */
async function keptPort(folder: string): Promise<number> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.chmod(folder, 0o711);
  for await (const { name } of Deno.readDir(folder)) {
    if (!KEPT.includes(name)) await Deno.remove(join(folder, name), { recursive: true });
  }
  await Deno.remove(join(folder, "srv/witness"), { recursive: true }).catch(() => {}); // there is none
  const path = join(folder, "port");
  const kept = await Deno.readTextFile(path).catch(() => String(freePort()));
  await Deno.writeTextFile(path, kept);
  return Number(kept);
}

async function git(cwd: string, env: Record<string, string>, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args, cwd, env }).output();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** Makes a repository of this checkout as it is, with the paths of the machine. */
async function copyRepository(
  to: string,
  moved: (text: string) => string,
  env: Record<string, string>,
): Promise<void> {
  if (await Deno.stat(to).then(() => true, () => false)) {
    return await git(to, env, "reset", "--quiet", "--hard", FIRST);
  }
  await Deno.mkdir(to);
  const listed = await new Deno.Command("bash", {
    args: ["-c", `git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$0"`, to],
    cwd: ROOT,
  }).output();
  if (!listed.success) throw new Error(new TextDecoder().decode(listed.stderr));
  for (const path of WITH_PATHS) {
    const text = await Deno.readTextFile(join(to, path));
    await Deno.writeTextFile(
      join(to, path),
      // The script finds the stand-ins first when it looks for programs.
      moved(text).replace("\nPATH=", `\nPATH=${env.PATH.split(":")[0]}:`),
    );
  }
  await git(to, env, "init", "--quiet");
  await git(to, env, "add", "--all");
  await git(to, env, "commit", "--quiet", "--message", "This version");
  await git(to, env, "tag", FIRST);
}

/** Writes programs that take the place of systemd's, and of what only root can do. */
async function writeStandIns(bin: string, port: number, user: number | null): Promise<void> {
  const ask = (name: string) =>
    `printf '%s\\n' "$@" | curl -sS --fail-with-body --data-binary @- http://127.0.0.1:${port}/${name}`;
  const owned = user === null
    ? 'case "$1" in -o|-g) shift 2; continue;; esac'
    : `case "$1" in -o|-g) args+=("$1" ${user}); shift 2; continue;; esac`;
  const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const standIns: Record<string, string> = {
    systemctl: ask("systemctl"),
    journalctl: ask("journalctl"),
    useradd: "true",
    id: `[ "$1" = -u ] && echo 0 || true`,
    install: `args=(); while [ $# -gt 0 ]; do ${owned}; args+=("$1"); shift; done
exec /usr/bin/install "\${args[@]}"`,
    setpriv: user === null
      ? 'while [[ "$1" == --* ]]; do shift; done; exec "$@"'
      : `exec /usr/bin/setpriv "\${@//=gatehouse/=${user}}"`,
    // A version has a cache of packages of its own. It begins with links to those of this machine.
    deno: `export DENO_DIR=\${DENO_DIR:-${denoDir}}
if [ ! -e "$DENO_DIR" ]; then
  mkdir -p "$DENO_DIR"
  for part in npm dl; do cp -al "${denoDir}/$part" "$DENO_DIR/" 2>/dev/null || cp -r "${denoDir}/$part" "$DENO_DIR/" || true; done
fi
exec ${Deno.execPath()} "$@"`,
  };
  for (const [name, script] of Object.entries(standIns)) {
    await Deno.writeTextFile(join(bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    await Deno.chmod(join(bin, name), 0o755);
  }
}
