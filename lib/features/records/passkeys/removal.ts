/** Renaming and removing passkeys of a record, even when a correction is undone. */
import { transact } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { addRemoval, changePasskey, HOLDERS } from "../../passkeys/mod.ts";
import { addAccess, SITE } from "../access_log/access_log.ts";
import type { RecordData } from "../record/record_data.ts";
import type { HolderRequest, PasskeyOptions } from "./options.ts";
import { changeRecord, readRecord } from "../record/store.ts";

type Request = Pick<HolderRequest, "record" | "reader">;

/** Renames a passkey of a record, and logs it in the same commit. */
export const renamePasskey = (
  options: PasskeyOptions,
  { record: hash, reader }: Request,
  id: string,
  name: string,
): Promise<{ ok: true } | Failure> =>
  changePasskey(options, {
    owner: { contact_hash: hash },
    ...{ id, name },
    ask: (now) =>
      Promise.resolve((commit) => {
        addAccess(commit, hash, { what: "passkey_renamed", detail: name, reader }, now);
        return Promise.resolve({ ok: true });
      }),
  });

/**
 * Removes a passkey of a record in one commit with the record's level, the access log and the
 * security notice.
 */
export const removePasskey = (
  options: PasskeyOptions,
  { record: hash, reader }: Request,
  id: string,
): Promise<{ ok: true } | Failure> =>
  changePasskey(options, {
    owner: { contact_hash: hash },
    ...{ id, name: null },
    async ask(now) {
      const record = await readRecord(options.kv, hash);
      if (record === null) return fail("not_found");
      return async (commit, { name: detail }) => {
        changeRecord(commit, record, { change: "passkey_removed" }, now);
        addAccess(commit, hash, { what: "passkey_removed", detail, reader }, now);
        const undo = { act: "sign_out" } as const;
        const notice = { record, kind: "passkey_removed", undo, reader } as const;
        return { ok: true, mails: await options.notices.add(commit, notice, now) };
      };
    },
  });

type Store = Pick<PasskeyOptions, "kv" | "clock">;

/** Deletes the passkeys that were added since a time, which already count as those of `counted`. */
async function removeSince(
  { kv, clock }: Store,
  hash: string,
  counted: string,
  since: string,
): Promise<void> {
  const owner = { contact_hash: hash };
  for (const { id, created_at } of await HOLDERS.list(kv, owner)) {
    if (created_at < Date.parse(since)) continue;
    await transact(async () => {
      const now = clock();
      const commit = kv.atomic();
      const [removed, record] = await Promise.all([
        addRemoval({ kind: HOLDERS, kv }, commit, owner, id),
        readRecord(kv, counted),
      ]);
      if (removed === null || record === null) return { result: undefined };
      changeRecord(commit, record, { change: "passkey_removed" }, now);
      const { name: detail } = removed;
      addAccess(commit, counted, { what: "passkey_removed", detail, reader: SITE }, now);
      return { result: undefined, commit };
    });
  }
}

/** Makes passkeys take part in the correction of records and in undoing. */
export const passkeyData = ({ kv, clock }: Store): RecordData => ({
  name: "passkeys",
  async move(from, to, undoneSince) {
    if (undoneSince !== undefined) await removeSince({ kv, clock }, from, to, undoneSince);
  },
  undo: {
    async remove_passkey(commit, { record, undo, now }) {
      const owner = { contact_hash: record.hash };
      const removed = await addRemoval({ kind: HOLDERS, kv }, commit, owner, undo.credential);
      if (removed === null) return false;
      changeRecord(commit, record, { change: "passkey_removed" }, now);
      return true;
    },
  },
});
