const SIGNALS: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

/**
 * Runs `close` on a stop signal, then exits. A second signal exits at once.
 *
 * @example
 * ```ts
 * onStop(services.close);
 * ```
 */
export function onStop(close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) Deno.exit(1);
    stopping = true;
    await close();
    Deno.exit();
  };
  for (const signal of SIGNALS) {
    try {
      Deno.addSignalListener(signal, stop);
    } catch {
      // The platform does not support this signal.
    }
  }
}
