import { RELAY_VARIABLES } from "../config.ts";

/** A relay that runs alone, with no more permissions than it needs. */
export interface RelayProcess extends AsyncDisposable {
  port: number;
  pid: number;
  /** Tells it to stop, and waits until what is under way has ended: what it wrote to stderr. */
  stop(): Promise<string>;
}

/**
 * Starts `lib/relay/main.ts` as `relay:new` says, on a free port or on `PORT`, and waits until it listens.
 *
 * @param env what it finds in its environment, `RELAY_ORIGIN` among it
 */
export async function startRelayProcess(
  env: Record<string, string> & { RELAY_ORIGIN: string },
  { netOrigin = new URL(env.RELAY_ORIGIN).host, on = (command) => command }: {
    /** The host that it may ask; the origin's, with its port. */
    netOrigin?: string;
    /** Puts something in front of the command. */
    on?: (command: string[]) => string[];
  } = {},
): Promise<RelayProcess> {
  const [program, ...args] = on([
    Deno.execPath(),
    "run",
    "--quiet",
    "--frozen",
    "--no-prompt",
    `--allow-net=${netOrigin},127.0.0.1:${env.PORT ?? 0}`,
    `--allow-env=${RELAY_VARIABLES.join(",")}`,
    new URL("../main.ts", import.meta.url).pathname,
  ]);
  const process = new Deno.Command(program, {
    args,
    env: { HOST: "127.0.0.1", PORT: "0", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(process.stderr).text();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await output.read();
  const listening = /:(\d+)\s*$/.exec(value);
  if (listening === null) throw new Error(`The relay did not start: ${await errors}`);
  const end = async (signal: Deno.Signal) => {
    // It may have ended already.
    try {
      process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await process.status;
    await output.cancel();
    return await errors;
  };
  return {
    port: Number(listening[1]),
    pid: process.pid,
    stop: () => end("SIGTERM"),
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
    },
  };
}
