/** A recovery when its record is corrected, and when the secret of its address changes. */
import { type TokenRow, transact } from "../../../platform/kv/mod.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { type Migration, resealStep } from "../../../platform/store/mod.ts";
import { addAccess } from "../access_log/access_log.ts";
import type { WithNotices } from "../notices/notices.ts";
import {
  addCancellation,
  endOf,
  recoveries,
  type RecoveriesOptions,
  type RecoveryLink,
  recoveryLinks,
  type RecoveryRow,
  SERVER,
} from "./table.ts";

/** Moves a recovery, or ends it if it was started since a correction that is undone. */
export async function moveOrEnd(
  options: RecoveriesOptions,
  from: string,
  to: string,
  undoneSince: string | undefined,
): Promise<void> {
  const { kv, clock } = options;
  const { value } = await recoveries.get(kv, from);
  if (undoneSince === undefined || value === null || value.requested_at < undoneSince) {
    return await moveRecovery(options, from, to);
  }
  await transact(async () => {
    const commit = kv.atomic();
    if (!await addCancellation(kv, commit, from)) return { result: undefined };
    addAccess(commit, to, { what: "recovery_cancelled", reader: SERVER }, clock());
    return { result: undefined, commit };
  });
}

/** Moves the recovery of a record to another one, with its link. */
function moveRecovery(
  { kv, secrets, clock }: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
  from: string,
  to: string,
): Promise<void> {
  return transact(async () => {
    const now = clock();
    const [entry, target] = await Promise.all([recoveries.get(kv, from), recoveries.get(kv, to)]);
    if (entry.versionstamp === null) return { result: undefined };
    const commit = kv.atomic().check(entry, target).delete(entry.key);
    const { address, link } = entry.value;
    const opened = await secrets.open("recovery", address, from);
    const found = link === null
      ? null
      : await kv.get<RecoveryLink & TokenRow>(recoveryLinks.key(link));
    if (opened !== null && target.versionstamp === null) {
      const row = { ...entry.value, address: await secrets.seal("recovery", opened, to) };
      commit.set(target.key, row, { expireIn: Math.max(1, endOf(row) - now) });
    }
    if (found?.value && target.versionstamp === null) {
      recoveryLinks.change(commit, found, { hash: to }, now);
    } else if (found?.value) commit.delete(found.key);
    return { result: undefined, commit };
  });
}

/** Encrypts the new addresses with the current secret. */
export const resealRecoveries = (
  options: Pick<WithNotices, "kv" | "secrets" | "clock">,
): Migration => ({
  name: "recoveries",
  label: "addresses of recoveries",
  rotates: true,
  beside: "the addresses can be read with both secrets",
  step: resealStep<RecoveryRow>({
    ...options,
    purpose: "recovery",
    tables: [recoveries],
    sealedIn: ({ address }, key) => ({ sealed: address, context: String(key[1]) }),
    with: (row, address) => ({ ...row, address }),
    expiresAt: endOf,
  }),
});
