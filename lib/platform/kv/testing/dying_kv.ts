import { holdKv } from "./slow_kv.ts";

/** Thrown by the writes of a store whose process has died. */
export class DeathError extends Error {}

/** Returns a store as a process uses it that dies before its write with this index, from 0. */
export function dyingKv(kv: Deno.Kv, write: number): Deno.Kv {
  let count = 0;
  return holdKv(kv, ({ name }) => {
    const isWrite = name === "set" || name === "delete" || name === "commit";
    return isWrite && count++ >= write ? Promise.reject(new DeathError()) : Promise.resolve();
  });
}
