/** Agrees among processes which one mails an urgent cause, so that nobody gets the mail twice. */
import { z } from "zod";
import {
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  ReadOnlyError,
  transact,
} from "../../platform/kv/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { Cause } from "./causes.ts";
import { ALERT_LIFETIME_MS, ALERT_LIFETIME_TEXT } from "./store.ts";

/** The least time between two mails about one cause that has ended in between. */
export const AGAIN_MS = HOUR_MS;
/** How long a process has for sending; another one takes over afterwards. */
const CLAIM_MS = 2 * MINUTE_MS;

const mailed = z.strictObject({
  /** The process that sends, or has sent. */
  by: z.string(),
  /** When it began. */
  at: z.iso.datetime(),
  /** True once a mail server has accepted a mail about the cause. */
  sent: z.boolean(),
  /** The ids of the alerts that were open then. */
  alerts: z.array(z.string()),
  ...EXPIRING,
});

/** The causes about which administrators were mailed, so that one process sends, and once. */
export const mailedCauses = defineTable({
  prefix: "alert_mails",
  value: mailed,
  key: ["scope", "kind", "problem"],
  owner: "nobody",
  lifetime: expires(ALERT_LIFETIME_TEXT),
  per: "urgent cause",
});

/**
 * The decision of a process about a cause: send now, wait for another process that is sending, or nothing,
 * because it was mailed at `mailed`.
 */
type Claim = "send" | "wait" | { mailed: number };

interface Deps {
  kv: Deno.Kv;
  clock: () => number;
  /** Identifies this process. */
  instance: string;
}

/** Returns whether a mail about some alerts was about this cause as it is now. */
export const isAbout = (alerts: readonly string[], cause: Cause): boolean =>
  cause.alerts.length === 0 || alerts.some((id) => cause.alerts.includes(id));

/**
 * Claims a cause for this process. If the store accepts no writes or does not respond, every process sends,
 * because nobody may learn of the cause otherwise.
 */
export async function claimCause({ kv, clock, instance }: Deps, cause: Cause): Promise<Claim> {
  try {
    return await transact<Claim>(async () => {
      const now = clock();
      const entry = await mailedCauses.get(kv, cause.scope, ...cause.id);
      const { value } = entry;
      if (value !== null && isLive(value, now)) {
        const at = Date.parse(value.at);
        const age = now - at;
        const isSame = cause.alerts.length > 0 && isAbout(value.alerts, cause);
        if (value.sent && (isSame || age < AGAIN_MS)) return { result: { mailed: at } };
        if (!value.sent && value.by !== instance && age < CLAIM_MS) return { result: "wait" };
      }
      const commit = kv.atomic();
      mailedCauses.replace(commit, entry, {
        by: instance,
        at: new Date(now).toISOString(),
        sent: false,
        alerts: [...cause.alerts],
        expires_at: isoAfter(now, ALERT_LIFETIME_MS),
      }, now);
      return { result: "send", commit };
    });
  } catch {
    return "send";
  }
}

/** Notes that a mail about a cause was accepted, if the store accepts writes. */
export async function noteMailed({ kv, clock, instance }: Deps, cause: Cause): Promise<void> {
  await transact(async () => {
    const entry = await mailedCauses.get(kv, cause.scope, ...cause.id);
    if (entry.value?.by !== instance) return { result: undefined };
    const commit = kv.atomic();
    mailedCauses.replace(commit, entry, { ...entry.value, sent: true }, clock());
    return { result: undefined, commit };
  }).catch((error) => {
    // Without the note, another process may send a second mail.
    if (!(error instanceof ReadOnlyError)) throw error;
  });
}
