/** The names and links that the consoles' audit log shows for documents, issuers, bank accounts and operators. */
import type { Treasury } from "../../lib/features/bank/mod.ts";
import {
  type DocumentRow,
  type Documents,
  formatDocumentId,
} from "../../lib/features/documents/mod.ts";
import type { Issuers } from "../../lib/features/issuers/mod.ts";
import type { Operators } from "../../lib/features/operators/mod.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import type { AuditEntry, AuditLog } from "../../lib/features/audit/mod.ts";
import { accountPath } from "../../lib/features/bank/console/account_path.ts";
import { nameOf } from "../../lib/features/bank/console/labels.ts";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";

/** An object that entries name, as it is called now. */
export interface NamedObject {
  name: string;
  /** Its page in the console; null if it has none. */
  href: string | null;
}

/** The documents, issuers and bank accounts that entries name, by their ids. Deleted ones are absent. */
export interface AuditNames {
  documents: ReadonlyMap<string, NamedObject>;
  issuers: ReadonlyMap<string, NamedObject>;
  accounts: ReadonlyMap<string, NamedObject>;
}

/** Reads what the entries of a page name. Accounts have the names that the bank last sent. */
export async function auditNames(
  { config, documents, issuers, treasuries }: {
    config: { organisations: Record<OrganisationKey, { name: string }> };
    documents: Documents;
    issuers: Pick<Issuers, "readMany">;
    treasuries: Record<OrganisationKey, Pick<Treasury, "accounts">>;
  },
  organisation: OrganisationKey,
  entries: readonly AuditEntry[],
): Promise<AuditNames> {
  const ids = (kind: "document" | "issuer" | "account") => [
    ...new Set(entries.flatMap(({ object }) => object[kind] ?? [])),
  ];
  const listed = ids("account");
  const [rows, named, { accounts }] = await Promise.all([
    documents.readMany(ids("document")),
    issuers.readMany(ids("issuer").map((id) => ({ organisation, issuer: { id } }))),
    listed.length === 0 ? { accounts: [] } : treasuries[organisation].accounts(AbortSignal.abort()), // does not wait for the bank
  ]);
  return {
    documents: new Map(
      rows.filter((row) => row.organisation === organisation)
        .map((
          row,
        ) => [row.id, { name: `${row.title}, ${formatDocumentId(row.id)}`, href: pathOf(row) }]),
    ),
    issuers: new Map(
      // The organisation itself may have no row, and is called as it is configured.
      [...named.values(), { id: organisation, ...config.organisations[organisation] }]
        .map(({ id, name }) => [id, { name, href: issuerPath(id) }]),
    ),
    accounts: new Map(
      accounts.filter(({ id }) => listed.includes(id)).map((account) => [account.id, {
        name: `${nameOf(account)} ••${account.last4}`,
        href: organisation === "commercial" ? accountPath(account.id) : null,
      }]),
    ),
  };
}

const pathOf = ({ id, record, issuer }: DocumentRow): string =>
  `/console/${record === null ? `issuers/${issuer.id}` : `records/${record}`}/documents/${id}`;

/** An operator who can be chosen in the filters. */
export interface AuditPerson {
  /** Replaces the address in URLs. */
  key: string;
  email: string;
}

/** Returns the current operators, and those whose entries are shown, by address. */
export async function auditPeople(
  { audit, operators }: { audit: AuditLog; operators: Operators },
  organisation: OrganisationKey,
  entries: readonly AuditEntry[],
): Promise<AuditPerson[]> {
  const current = await operators.emails(organisation);
  const emails = new Set([...current, ...entries.map(({ by }) => by)]);
  return await Promise.all(
    [...emails].sort().map(async (email) => ({ key: await audit.personKey(email), email })),
  );
}
