/** Ends the process on a signal, within the time that its host allows. */
import type { Server } from "./http/serve.ts";

/**
 * The signals that stop the process. `exitMs` is how long it may take, and `drainMs` how long it still
 * accepts requests, which proxies send until they notice.
 */
const SIGNALS = {
  /** Deno Deploy and terminals. Deno Deploy kills the process after 5 seconds. */
  SIGINT: { exitMs: 4_000, drainMs: 250 },
  /** Container hosts and systemd. Docker kills the process after 10 seconds. */
  SIGTERM: { exitMs: 10_000, drainMs: 2_000 },
} as const;

type StopSignal = keyof typeof SIGNALS;

/** The time that is reserved for the exit itself. */
const EXIT_MS = 250;
/** The additional time that is reserved in case closing takes longer than it was allowed to. */
const GRACE_MS = 500;

/** `deno task` passes on a signal that the process may have got already. */
const REPEAT_MS = 250;

/** Calls `listener` for every stop signal. */
export function onStopSignal(listener: (signal: StopSignal) => void | Promise<void>): void {
  for (const signal of Object.keys(SIGNALS) as StopSignal[]) {
    if (signal === "SIGTERM" && Deno.build.os === "windows") continue;
    try {
      Deno.addSignalListener(signal, () => {
        Promise.resolve(listener(signal)).catch(reportError);
      });
    } catch {
      // The platform does not support this signal.
    }
  }
}

/** A stop that has begun. */
interface Stop {
  signal: StopSignal;
  /** The time that closing may take in milliseconds, after which the process exits anyway. */
  limitMs: number;
  /** Resolves when the server has sent all responses. Never rejects. */
  served: Promise<void>;
}

/** The process's server, which is created after the services that it needs. */
let server: Pick<Server, "endConnections" | "shutdown"> | null = null;

/** Names the server that stops first. */
export function stopServer(given: NonNullable<typeof server>): void {
  server = given;
}

/**
 * On a stop signal, tells the server to end its connections while it still accepts requests, runs `close`
 * while the last responses are sent, then exits, in any case within 4 seconds of SIGINT and 10 seconds
 * of SIGTERM. A second signal exits at once, with the status 1.
 *
 * @param onDrain called first, to tell load balancers
 */
export function onStop(close: (stop: Stop) => Promise<void>, onDrain = () => {}): void {
  let first: { signal: StopSignal; at: number } | null = null;
  onStopSignal(async (signal) => {
    if (first !== null) {
      if (signal === first.signal && performance.now() - first.at < REPEAT_MS) return;
      Deno.exit(1);
    }
    first = { signal, at: performance.now() };
    const exitMs = SIGNALS[signal].exitMs - EXIT_MS;
    setTimeout(() => Deno.exit(), exitMs);
    try {
      onDrain();
      await server?.endConnections(SIGNALS[signal].drainMs);
      const limitMs = exitMs - GRACE_MS - (performance.now() - first.at);
      const served = server?.shutdown() ?? Promise.resolve();
      await close({ signal, limitMs, served });
      await served;
    } catch (error) {
      console.error(error);
      Deno.exit(1);
    }
    Deno.exit();
  });
}
