/** The link of a recovery: sending it when it is due, and finding it when it is opened. */
import { aboutContact, ownerOf } from "../../contact/mod.ts";
import { isoAfter, transact } from "../../../platform/kv/mod.ts";
import { type QueuedMail, senderOf } from "../../../platform/mail/mod.ts";
import { fail } from "../../../base/result.ts";
import { DAY_MS, plural } from "../../../base/time.ts";
import { addAccess } from "../access_log/access_log.ts";
import { readRecord } from "../record/store.ts";
import { linkOn } from "../sign_in/link_mails.ts";
import type { FindLink } from "../sign_in/mailed_link.ts";
import { recoveryLinkMail } from "./mail.ts";
import {
  recoveries,
  type RecoveriesOptions,
  RECOVERY_LINK_LIFETIME_MS,
  recoveryLinks,
  type RecoveryRow,
  SERVER,
} from "./table.ts";

/** Sends the link of a recovery that is due. Returns no mail if it was cancelled. */
export function sendLink(
  { kv, clock, secrets, surfaces, organisations, mailer }: RecoveriesOptions,
  hash: string,
): Promise<QueuedMail[]> {
  return transact<QueuedMail[]>(async () => {
    const now = clock();
    const [entry, record] = await Promise.all([recoveries.get(kv, hash), readRecord(kv, hash)]);
    if (entry.versionstamp === null || !isDue(entry.value, now)) return { result: [] };
    const commit = kv.atomic().check(entry);
    const opened = await secrets.open("recovery", entry.value.address, hash);
    const trust = surfaces.get("trust");
    // Without the record or the secret, the link can never be sent.
    if (record === null || opened === null || trust === undefined) {
      return { result: [], commit: commit.delete(entry.key) };
    }
    if (record.row.replaced_by !== null) return { result: [] }; // the recovery moves to the new record first
    commit.check(record.contact, record.entry);
    const { token, row } = recoveryLinks.create(commit, { hash, surface: trust.name }, now);
    const sent: RecoveryRow = { ...entry.value, sent_at: isoAfter(now, 0), link: row.token };
    commit.set(entry.key, sent, { expireIn: RECOVERY_LINK_LIFETIME_MS });
    addAccess(commit, hash, { what: "recovery_sent", reader: SERVER }, now);
    const key = ownerOf(record.contact.value);
    const mail = recoveryLinkMail({
      sender: senderOf(organisations, key),
      to: new TextDecoder().decode(opened),
      link: linkOn(trust.baseUrl, token),
      lasts: plural(RECOVERY_LINK_LIFETIME_MS / DAY_MS, "day"),
      hash,
    });
    const expiresAt = now + RECOVERY_LINK_LIFETIME_MS;
    const about = aboutContact(hash);
    const queued = await mailer.add(commit, mail, { expiresAt, about, kind: "recovery" });
    return { result: [queued], commit };
  });
}

/** Finds the link of a recovery that can still be used. Its use ends the recovery. */
export const findRecoveryLink = (kv: Deno.Kv): FindLink => async (token, surface, now) => {
  const found = await recoveryLinks.find(kv, token, now);
  if (found.state === "unknown" || found.entry.value.surface !== surface) {
    return fail("not_found");
  }
  const { state, entry } = found;
  if (state !== "open") return fail(state);
  const { hash } = entry.value;
  const use = (commit: Deno.AtomicOperation) => {
    recoveryLinks.use(commit, entry, now);
    commit.delete(recoveries.key(hash));
  };
  return { ok: true, link: { choices: [hash], browser: null, recovery: true, request: null, use } };
};

export const isDue = ({ due_at, sent_at }: RecoveryRow, now: number) =>
  sent_at === null && now >= Date.parse(due_at);
