/** Runs a standalone relay as a separate process for tests. */
import { RELAY_VARIABLES } from "../config.ts";
import { CLIENT_ID, CLIENT_SECRET, SLUG } from "./served_relay.ts";

interface RelayProcess extends AsyncDisposable {
  port: number;
  pid: number;
  /** Sends SIGTERM, waits for the process to exit and resolves to its stderr. */
  stop(): Promise<string>;
}

/**
 * Starts `lib/features/relay/main.ts` with the permissions that `relay:new` prints, on a free port or on
 * `PORT`, and waits until it listens.
 *
 * @param env its environment. The slug and the service token have defaults.
 */
export async function startRelayProcess(
  env: Record<string, string> & { RELAY_ORIGIN: string },
  { netOrigin = new URL(env.RELAY_ORIGIN).host, on = (command) => command }: {
    /** The host that it may connect to. Default: the origin's. */
    netOrigin?: string;
    /** Wraps the command. */
    on?: (command: string[]) => string[];
  } = {},
): Promise<RelayProcess> {
  const [program, ...args] = on([
    Deno.execPath(),
    "run",
    "--quiet",
    "--frozen",
    "--lock=dev.lock",
    "--no-prompt",
    `--allow-net=${netOrigin},127.0.0.1:${env.PORT ?? 0}`,
    `--allow-env=${RELAY_VARIABLES.join(",")}`,
    new URL("../main.ts", import.meta.url).pathname,
  ]);
  const process = new Deno.Command(program, {
    args,
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      RELAY_SLUG: SLUG,
      RELAY_CLIENT_ID: CLIENT_ID,
      RELAY_CLIENT_SECRET: CLIENT_SECRET,
      ...env,
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(process.stderr).text();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await output.read();
  const listening = /:(\d+)\s*$/.exec(value);
  if (listening === null) throw new Error(`The relay did not start: ${await errors}`);
  const end = async (signal: Deno.Signal) => {
    // It may have exited already.
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
