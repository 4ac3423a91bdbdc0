/** Starts a second process for tests of several processes on one file. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A second process that uses a KV file and waits for `go`. */
export interface Child extends AsyncDisposable {
  /** Starts its work. */
  go(): Promise<void>;
  /** Resolves to its next line, or to undefined once it has exited. */
  next<Value>(): Promise<Value | undefined>;
  /** Sends SIGKILL, so that no handler runs and nothing is flushed. */
  kill(): void;
}

/**
 * Starts a script and waits until it prints `"ready"`. The script prints one JSON value per line, and
 * begins its work when it can read a line.
 *
 * @param script its URL: `import.meta.resolve("./testing/child.ts")`
 */
export async function spawnChild(script: string, ...args: string[]): Promise<Child> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--frozen", "--lock=dev.lock", script, ...args],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  // deno-lint-ignore no-explicit-any -- node's and the web's types of one stream
  const lines = createInterface({ input: Readable.fromWeb(process.stdout as any) })[
    Symbol.asyncIterator
  ]();
  const next = async () => {
    const { value, done } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  if (await next() !== "ready") throw new Error("The child did not start.");
  return {
    next,
    go: () => writer.write(new Uint8Array([10])),
    kill: () => process.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      await process.status;
    },
  };
}
