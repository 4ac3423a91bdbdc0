/** Reads an issuer's row and changes it together with an entry in the audit log. */
import { addAudit, type AuditAction } from "../audit/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type IssuerRow, issuerRows, ownIssuer } from "./rows.ts";

export type IssuerResult = { ok: true; issuer: IssuerRow } | Failure;

/** The issuer to change, and the email address of the administrator. */
export interface IssuerChange {
  organisation: OrganisationKey;
  id: string;
  by: string;
}

export interface IssuersOptions {
  kv: Deno.Kv;
  clock: () => number;
  organisations: Record<OrganisationKey, { name: string }>;
  /** Deletes what else belongs to an issuer that was removed. */
  onRemoved?: (id: string) => Promise<void>;
}

/** Reads an issuer as an entry that a commit can check. The value of an own one is never null. */
export async function readIssuer(
  { kv, organisations }: Pick<IssuersOptions, "kv" | "organisations">,
  organisation: OrganisationKey,
  id: string,
): Promise<Deno.KvEntryMaybe<IssuerRow> & { value: IssuerRow | null }> {
  const entry = await issuerRows.get(kv, organisation, id);
  if (id !== organisation) return entry;
  const { name } = organisations[organisation];
  const value = entry.value ?? ownIssuer({ key: organisation, name });
  return { ...entry, value: { ...value, name } } as typeof entry;
}

/** A change of an issuer's row, and how the audit log names it. */
interface Changed {
  ok: true;
  issuer: IssuerRow;
  action: AuditAction;
  detail?: string;
}

/**
 * Changes the row of an issuer, with an entry in the audit log.
 *
 * @param apply returns the changed row, or why it cannot be changed; null if nothing changes. It may add to
 * the commit, and runs again if the commit fails.
 */
export const changeIssuer = (
  options: IssuersOptions,
  { organisation, id, by }: IssuerChange,
  apply: (
    issuer: IssuerRow,
    commit: Deno.AtomicOperation,
    now: number,
  ) => Changed | Failure | null | Promise<Changed | Failure | null>,
): Promise<IssuerResult> =>
  transact<IssuerResult>(async () => {
    const [entry, stored] = await Promise.all([
      readIssuer(options, organisation, id),
      issuerRows.get(options.kv, organisation, id),
    ]);
    if (entry.value === null) return { result: fail("not_found") };
    const now = options.clock();
    const commit = options.kv.atomic().check(stored);
    const changed = await apply(entry.value, commit, now);
    if (changed === null) return { result: { ok: true, issuer: entry.value } };
    if (!changed.ok) return { result: changed };
    const { issuer, action, detail } = changed;
    if (stored.value !== null) issuerRows.delete(commit, stored.value);
    issuerRows.set(commit, issuer);
    addAudit(commit, { organisation, by, action, object: { issuer: id }, detail }, now);
    return { result: { ok: true, issuer }, commit };
  });
