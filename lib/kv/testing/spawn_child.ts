import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A second process on a KV file, which stands ready and waits. */
export interface Child extends AsyncDisposable {
  /** Lets it begin. */
  go(): Promise<void>;
  /** What it says next, or undefined once it has ended. */
  next<Value>(): Promise<Value | undefined>;
  /** SIGKILL: no handler, no flush. */
  kill(): void;
}

/**
 * Starts a script and waits until it says `ready`. From then on it prints what it has to say as
 * JSON, a line each, and begins when it can read a line.
 *
 * @param script its whole address: `import.meta.resolve("./testing/child.ts")`
 */
export async function spawnChild(script: string, ...args: string[]): Promise<Child> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--frozen", script, ...args],
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
