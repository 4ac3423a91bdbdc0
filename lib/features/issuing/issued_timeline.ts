/** The history of an issued document, as its console page shows it. */
import { batchOf, isKey, latestVersion } from "../documents/mod.ts";
import type { Listed } from "./listed.ts";

/** Something that happened to an issued document. */
export interface TimelineEntry {
  /** ISO 8601 in UTC. */
  at: string;
  what: string;
  detail?: string;
}

const RECIPIENT_STATES = {
  accepted: "Accepted by the recipient",
  refused: "Refused: the owner of the address said that it is not for them",
  lapsed: "Not accepted in time",
} as const;

/** Returns what is known of the history of an issued document, the oldest first. Old mails are forgotten. */
export function timelineOf({ document, recipient }: Listed, now: number): TimelineEntry[] {
  const { versions, created_at, record, erased_at, expires_at } = document;
  const entries: TimelineEntry[] = versions.map(({ number, at, by }) => ({
    at,
    what: number === 1 ? "Issued" : `Replaced by version ${number}`,
    detail: howOf(by),
  }));
  const { state, state_at, mailed_at } = recipient ??
    { state: "waiting" as const, state_at: created_at, mailed_at: [] };
  const mailed = mailed_at.filter((at) => at >= created_at);
  if (state === "accepted" && state_at < created_at) {
    // It went to the record without another acceptance, with the first mail since. Later mails are about others.
    const [first] = mailed;
    if (record !== null) entries.push({ at: first ?? created_at, what: "Added to their record" });
    if (first !== undefined) entries.push({ at: first, what: "Emailed to the recipient" });
  } else {
    // A mail leads to everything that waits. Once the recipient has decided, mails are about other documents.
    for (const at of mailed) {
      if (state === "waiting" || at <= state_at) {
        entries.push({ at, what: "Emailed to the recipient" });
      }
    }
    if (state !== "waiting" && (state !== "accepted" || record !== null || document.test)) {
      entries.push({ at: state_at, what: RECIPIENT_STATES[state] });
    }
  }
  if (erased_at !== undefined) entries.push({ at: erased_at, what: "Its file and names erased" });
  const { withdrawn_at, withdrawn_by, withdrawn_reason } = latestVersion(document);
  if (withdrawn_at !== undefined) {
    const by = withdrawn_by === "registrar" ? "an administrator" : "the issuer";
    entries.push({ at: withdrawn_at, what: `Withdrawn by ${by}`, detail: withdrawn_reason });
  }
  if (expires_at !== null && Date.parse(expires_at) <= now) {
    entries.push({ at: expires_at, what: "Expired" });
  }
  return entries.sort((a, b) => a.at < b.at ? -1 : 1);
}

const howOf = (by: string): string =>
  isKey(by) ? "through the API" : batchOf(by) === null ? `by ${by}` : "with a batch";
