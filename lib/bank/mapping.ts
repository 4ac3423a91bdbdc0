import { roundAmount } from "./money.ts";
import type { Account, Organization, Transaction } from "./records.ts";
import type { ProviderAccount, ProviderOrganization, ProviderTransaction } from "./schemas.ts";

/** The provider's account without its numbers; here they end. */
export function toAccount(account: ProviderAccount): Account {
  const { id, kind, status, accountNumber, routingNumber } = account;
  const digits = (account.last4 || accountNumber || "").replace(/\D/g, "");
  const name = account.nickname?.trim() || account.name?.trim() || "";
  return {
    id,
    nickname: maskNumbers(name, accountNumber, routingNumber),
    kind: kind || "other",
    balance: roundAmount(account.balance ?? account.currentBalance ?? 0),
    last4: digits.slice(-4),
    status: status.toLowerCase(),
  };
}

export function toTransaction(transaction: ProviderTransaction): Transaction {
  const { id, amount, kind, status, note } = transaction;
  const counterparty = transaction.counterpartyNickname?.trim() ||
    transaction.counterpartyName?.trim() || "";
  return {
    id,
    posted_at: transaction.postedAt ?? null,
    created_at: transaction.createdAt,
    amount: roundAmount(amount),
    counterparty: maskNumbers(counterparty),
    kind: kind || "other",
    status,
    note: note ? maskNumbers(note) : null,
  };
}

export function toOrganization(organization: ProviderOrganization): Organization {
  const { legalBusinessName, legalName, ein, dbas } = organization;
  return {
    name: legalBusinessName || legalName || "",
    tax_id: ein || null,
    trade_names: (dbas ?? []).map((dba) => typeof dba === "string" ? dba : dba.dbaName),
  };
}

/**
 * Hides account and routing numbers that people wrote into names and notes: the known ones, and
 * whatever has the nine digits or more that such numbers have. The last four digits stay.
 */
export function maskNumbers(text: string, ...known: (string | null | undefined)[]): string {
  const mask = (digits: string) => `••${digits.slice(-4)}`;
  const masked = known.reduce<string>(
    (rest, number) => number && number.length > 4 ? rest.replaceAll(number, mask(number)) : rest,
    text,
  );
  return masked.replace(/\d{9,}/g, mask);
}
