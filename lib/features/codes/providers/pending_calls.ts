import { encodeBase64Url, utf8 } from "../../../base/encoding.ts";
import { type Expiring, expiring, getLive, isoAfter } from "../../../platform/kv/mod.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { MINUTE_MS } from "../../../base/time.ts";

/** The texts that calls say once a key is pressed. */
export interface PendingCalls {
  /** Stores the TwiML of a call until its code has expired, and returns the call's random id. */
  add(twiml: string): Promise<string>;
  /** Returns the TwiML of a call, or null if the id is unknown or the code has expired. */
  find(call: string): Promise<string | null>;
}

interface PendingCallRow extends Expiring {
  /** The encrypted TwiML, which contains the code. */
  sealed: Uint8Array<ArrayBuffer>;
}

/** The lifetime of a code. */
export const PENDING_CALL_LIFETIME_MS = 10 * MINUTE_MS;
const ID = /^[\w-]{22}$/;

const key = (call: string): Deno.KvKey => ["code_calls", call];

export function createPendingCalls(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): PendingCalls {
  return {
    async add(twiml) {
      const call = encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      const now = clock();
      const row: PendingCallRow = {
        sealed: await secrets.seal("call", utf8(twiml), call),
        expires_at: isoAfter(now, PENDING_CALL_LIFETIME_MS),
      };
      await kv.set(key(call), row, expiring(row, now));
      return call;
    },
    async find(call) {
      if (!ID.test(call)) return null;
      const entry = await getLive<PendingCallRow>(kv, key(call), clock());
      if (entry === null) return null;
      const opened = await secrets.open("call", entry.value.sealed, call);
      return opened === null ? null : new TextDecoder().decode(opened);
    },
  };
}
