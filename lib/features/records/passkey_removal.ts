import { z } from "zod";
import { textField } from "../contact/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Platform } from "../../platform/feature.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import {
  addAccess,
  changeRecord,
  type LinkedData,
  type Notices,
  type Reader,
  readRecord,
  type RecordEntry,
  SITE,
} from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { listPasskeys, type Passkey, passkeys } from "./store.ts";

const id = z.string("Choose a passkey.").regex(/^[\da-f]{64}$/, "Choose a passkey.");
const name = textField(60).pipe(z.string("Enter a name."));

/** The body of `POST /my-record/passkeys`. */
export const formSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("rename"), id, name }),
  z.object({ act: z.literal("remove"), id }),
], "Choose what to do.");

export interface ManageDeps extends Pick<Platform, "kv" | "clock" | "mailer"> {
  notices: Notices;
}

const UNKNOWN = fail("not_found", {
  message: "Your record does not have this passkey. It may have been removed.",
});

type Managed = { ok: true } | Failure<"not_found">;

/** Renames a passkey of a record, and logs it in the same commit. */
export function renamePasskey(
  { kv, clock }: Pick<ManageDeps, "kv" | "clock">,
  { record: hash, reader }: { record: string; reader: Reader },
  id: string,
  name: string,
): Promise<Managed> {
  return transact<Managed>(async () => {
    const entry = await passkeys.get(kv, id);
    if (entry.value?.contact_hash !== hash) return { result: UNKNOWN };
    const commit = kv.atomic().check(entry).set(entry.key, { ...entry.value, name });
    addAccess(commit, hash, { what: "passkey_renamed", detail: name, reader }, clock());
    return { result: { ok: true }, commit };
  });
}

/**
 * Removes a passkey of a record in one commit with the record's level, the access log and the
 * security notice.
 */
export async function removePasskey(
  { kv, clock, notices, mailer }: ManageDeps,
  { record: hash, reader }: { record: string; reader: Reader },
  id: string,
): Promise<Managed> {
  return await transactAndMail<Managed>(mailer, async () => {
    const now = clock();
    const record = await readRecord(kv, hash);
    if (record === null) return { result: fail("not_found") };
    const commit = kv.atomic();
    const removed = await addRemoval(kv, commit, record, id, now);
    if (removed === null) return { result: UNKNOWN };
    addAccess(commit, hash, { what: "passkey_removed", detail: removed.name, reader }, now);
    const undo = { act: "sign_out" } as const;
    const notice = { record, kind: "passkey_removed", undo, reader } as const;
    return { result: { ok: true }, commit, mails: await notices.add(commit, notice, now) };
  });
}

/** Adds the removal of a record's passkey to a commit. Returns null if the record has no such one. */
async function addRemoval(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  record: RecordEntry,
  id: string,
  now: number,
): Promise<Passkey | null> {
  const entry = await passkeys.get(kv, id);
  if (entry.value?.contact_hash !== record.hash) return null;
  commit.check(entry);
  passkeys.delete(commit, entry.value);
  changeRecord(commit, record, { change: "passkey_removed" }, now);
  return entry.value;
}

/** Deletes the passkeys that were added since a time, which already count as those of `counted`. */
async function removeSince(
  { kv, clock }: Pick<ManageDeps, "kv" | "clock">,
  hash: string,
  counted: string,
  since: string,
): Promise<void> {
  for (const { id, created_at } of await listPasskeys(kv, hash)) {
    if (created_at < Date.parse(since)) continue;
    await transact(async () => {
      const now = clock();
      const [entry, record] = await Promise.all([passkeys.get(kv, id), readRecord(kv, counted)]);
      if (entry.value?.contact_hash !== hash || record === null) return { result: undefined };
      const commit = kv.atomic().check(entry);
      passkeys.delete(commit, entry.value);
      changeRecord(commit, record, { change: "passkey_removed" }, now);
      const detail = entry.value.name;
      addAccess(commit, counted, { what: "passkey_removed", detail, reader: SITE }, now);
      return { result: undefined, commit };
    });
  }
}

/** Makes passkeys take part in the deletion and correction of records and in undoing. */
export const passkeyData = ({ kv, clock }: Pick<ManageDeps, "kv" | "clock">): LinkedData => ({
  name: "passkeys",
  async move(from, to, undoneSince) {
    if (undoneSince !== undefined) await removeSince({ kv, clock }, from, to, undoneSince);
  },
  undo: {
    remove_passkey: async (commit, { record, undo, now }) =>
      await addRemoval(kv, commit, record, undo.credential, now) !== null,
  },
});
