import process from "node:process";
import { MINUTE_MS, SECOND_MS } from "../base/time.ts";

/**
 * How long a test waits for what must happen before it fails. Nothing takes that long on any machine, and
 * the runner of the tests ends a group only after it has been silent for longer.
 */
export const HANG_MS = 4 * MINUTE_MS;

/**
 * How much longer than its limit something may take in a test, because the machine may run other work at
 * the same time. The faults that the tests rule out take longer: a minute, or they never end.
 */
export const BUSY_MS = 10 * SECOND_MS;

/**
 * Returns the milliseconds of processor time that this process spends during `run`. Unlike elapsed time, it
 * hardly depends on what else the machine does.
 */
export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
