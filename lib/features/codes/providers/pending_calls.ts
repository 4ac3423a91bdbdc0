/** Stores what a call will say, encrypted, until the person presses a key. */
import { z } from "zod";
import { encodeBase64Url, utf8 } from "../../../base/encoding.ts";
import { CODE_LIFETIME_MS } from "../codes.ts";
import { defineTable, expires, EXPIRING, isoAfter } from "../../../platform/kv/mod.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { inMinutes } from "../../../base/time.ts";

const ID = /^[\w-]{22}$/;

export const pendingCalls = defineTable({
  prefix: "code_calls",
  value: z.strictObject({
    /** The encrypted TwiML, which contains the code. */
    sealed: z.instanceof(Uint8Array<ArrayBuffer>),
    ...EXPIRING,
  }),
  key: ["call"],
  owner: "nobody",
  lifetime: expires(inMinutes(CODE_LIFETIME_MS)),
  per: "call",
  privacy: {
    section: "codes",
    label: "Calls",
    text: "What the call says after you press a key, encrypted, for " +
      `${inMinutes(CODE_LIFETIME_MS)}.`,
  },
});

export type PendingCalls = ReturnType<typeof createPendingCalls>;

/** Creates the store of the texts that calls say once a key is pressed. */
export function createPendingCalls(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
) {
  return {
    /** Stores the TwiML of a call until its code has expired, and returns the call's random id. */
    async add(twiml: string): Promise<string> {
      const call = encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      const now = clock();
      const sealed = await secrets.seal("call", utf8(twiml), call);
      const commit = kv.atomic();
      const expires_at = isoAfter(now, CODE_LIFETIME_MS);
      pendingCalls.put(commit, [call], { sealed, expires_at }, now);
      await commit.commit();
      return call;
    },
    /** Returns the TwiML of a call, or null if the id is unknown or the code has expired. */
    async find(call: string): Promise<string | null> {
      if (!ID.test(call)) return null;
      const entry = await pendingCalls.getLive(kv, clock(), call);
      if (entry === null) return null;
      const opened = await secrets.open("call", entry.value.sealed, call);
      return opened === null ? null : new TextDecoder().decode(opened);
    },
  };
}
