import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A second process on a KV file, which stands ready and waits; see `child.ts`. */
export interface Child extends AsyncDisposable {
  /** Lets it begin. */
  go(): Promise<void>;
  /** What it says next, or undefined once it has ended. */
  next<Value>(): Promise<Value | undefined>;
  /** SIGKILL: no handler, no flush. */
  kill(): void;
}

/** Starts `child.ts` and waits until it has opened the file. */
export async function spawnChild(...args: string[]): Promise<Child> {
  const script = new URL("./child.ts", import.meta.url).href;
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
