/** Starts the real `denokv` program for tests, if it is installed. */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A `denokv` process with a SQLite file of its own. */
export interface DenokvServer extends AsyncDisposable {
  /** For `KV_PATH`. Clients need {@link DenokvServer.token} in `DENO_KV_ACCESS_TOKEN`. */
  url: string;
  token: string;
  /** Its SQLite file. */
  path: string;
  /** The lines that it has printed. */
  readonly log: string[];
  /** Sends a signal, and waits for its end if the signal ends it. */
  kill(signal: Deno.Signal): Promise<void>;
  /** Starts it again, with further arguments or another token. */
  start(args?: readonly string[], token?: string): Promise<void>;
}

const TOKEN = "token-of-denokv";

/** Returns the path of the installed program, which `DENOKV` names or which is on the `PATH`; null if there is none. */
export function findDenokv(): string | null {
  const given = Deno.env.get("DENOKV");
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  const paths = given === undefined ? folders.map((folder) => join(folder, "denokv")) : [given];
  return paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  }) ?? null;
}

/** Starts a process, on a free port by default. It ends, and its file is deleted, when it is disposed of. */
export async function serveDenokv(
  { binary, folder, port = 0 }: { binary: string; folder: string; port?: number },
): Promise<DenokvServer> {
  const path = join(folder, `${crypto.randomUUID()}.sqlite`);
  const log: string[] = [];
  let child: Deno.ChildProcess;

  async function start(args: readonly string[] = [], token = TOKEN): Promise<void> {
    const started = Promise.withResolvers<void>();
    child = new Deno.Command(binary, {
      args: ["--sqlite-path", path, "serve", "--addr", `127.0.0.1:${port}`, ...args],
      env: { DENO_KV_ACCESS_TOKEN: token, RUST_LOG: "info" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    // deno-lint-ignore no-explicit-any -- node's and the web's types of one stream
    const lines = createInterface({ input: Readable.fromWeb(child.stderr as any) });
    lines.on("line", (line) => {
      log.push(line);
      const [, ownPort] = /Listening on http:\/\/[\d.]+:(\d+)/.exec(line) ?? [];
      if (ownPort === undefined) return;
      port = Number(ownPort); // also for the next start
      started.resolve();
    });
    const ended = child.status.then(({ code }) => {
      throw new Error(`denokv exited with ${code}:\n${log.slice(-10).join("\n")}`);
    });
    await Promise.race([started.promise, ended]);
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}/`,
    token: TOKEN,
    path,
    log,
    start,
    async kill(signal) {
      child.kill(signal);
      if (signal !== "SIGSTOP" && signal !== "SIGCONT") await child.status;
    },
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // it has exited
      }
      await child.status;
      for (const end of ["", "-wal", "-shm"]) await Deno.remove(path + end).catch(() => {});
    },
  };
}
