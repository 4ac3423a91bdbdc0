/**
 * The undoing of a decision, while its mails still wait.
 *
 * @module
 */
import { restoreAlert } from "../../alerts/mod.ts";
import type { Mailer } from "../../../platform/mail/mod.ts";
import { removeUndos } from "../../records/mod.ts";
import { type AccessRequestRow, canBeUndone } from "./requests.ts";
import { removePersonalLink } from "./personal_links.ts";

interface Services {
  kv: Deno.Kv;
  mailer: Mailer;
}

/**
 * Adds to a commit that the mails about a decision are not sent, and that the link in the notice to
 * the holder is gone.
 *
 * @returns false if one of the mails was sent or is due
 */
export async function recallDecision(
  { kv, mailer }: Services,
  commit: Deno.AtomicOperation,
  { id, record, held }: Pick<AccessRequestRow, "id" | "record" | "held">,
): Promise<boolean> {
  if (held === undefined || !await mailer.recall(commit, held.mails)) return false;
  await removeUndos(kv, commit, record, (undo) => "request" in undo && undo.request === id);
  return true;
}

/**
 * Adds the undoing of an approval or a refusal to a commit: recalls its mails, deletes the link, and
 * opens the alert again.
 *
 * @param by the person who undoes it, as in `decided_by`
 * @returns the request as it was before, which the caller saves; null if it is too late, if somebody
 * else decided, or if there is nothing to undo
 */
export async function undoDecision(
  services: Services,
  commit: Deno.AtomicOperation,
  { held, ...row }: AccessRequestRow,
  { by, now }: { by: string; now: number },
): Promise<AccessRequestRow | null> {
  if (held === undefined || !canBeUndone({ held }, now) || row.decided_by !== by) return null;
  if (!await recallDecision(services, commit, { ...row, held })) return null;
  await removePersonalLink(services.kv, commit, row);
  if (held.alert !== null) {
    await restoreAlert(services.kv, commit, { organisation: row.organisation, ...held.alert }, now);
  }
  return {
    ...row,
    state: "open",
    ends_at: held.ends_at,
    expires_at: held.expires_at,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
    share: null,
  };
}
