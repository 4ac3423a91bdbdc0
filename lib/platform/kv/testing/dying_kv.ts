/** Simulates in a test that a process dies between two calls of the store. */
import { holdKv, type KvCall } from "./slow_kv.ts";

/** Thrown by the calls of a store whose process has died. */
export class DeathError extends Error {}

/** A store as a process uses it that can die, in a test's own process. */
export interface MortalKv {
  kv: Deno.Kv;
  readonly isDead: boolean;
  /** From now on, no call reaches the store, as after SIGKILL. Calls that have reached it run to their end. */
  die(): void;
}

/**
 * Returns a store whose process can die.
 *
 * @param kv closed together with the returned store
 * @param before called before each call, which it can prevent
 * @param after called after each call that has run
 */
export function mortalKv(
  kv: Deno.Kv,
  before: (call: KvCall) => void = () => {},
  after: (call: KvCall) => void = () => {},
): MortalKv {
  let isDead = false;
  const hold = (call: KvCall) => {
    if (!isDead) before(call);
    return isDead ? Promise.reject(new DeathError()) : Promise.resolve();
  };
  return {
    kv: holdKv(kv, hold, after),
    get isDead() {
      return isDead;
    },
    die: () => void (isDead = true),
  };
}

/** Returns a store as a process uses it that dies before its write with this index, from 0. */
export function dyingKv(kv: Deno.Kv, write: number): Deno.Kv {
  let count = 0;
  const mortal = mortalKv(kv, ({ name }) => {
    const isWrite = name === "set" || name === "delete" || name === "commit";
    if (isWrite && count++ >= write) mortal.die();
  });
  return mortal.kv;
}
