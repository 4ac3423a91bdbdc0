import { z } from "zod";

const account = z.object({
  id: z.string(),
  nickname: z.string(),
  /** For example, `checking`, `savings` or `treasury`. */
  kind: z.string(),
  /** Dollars, at most two decimals. */
  balance: z.number().nullable(),
  /** Last four digits of the account number. */
  last4: z.string(),
  /** The provider's status in lower case, such as `active` or `archived`. */
  status: z.string(),
});

/**
 * An account as the site stores and shows it (spec 2.2, 2.4). It has no field for the full account
 * number or the routing number. Fields that the provider did not send in a readable form are empty;
 * the balance is null.
 */
export type Account = z.output<typeof account>;

/** A transaction of an account. Times are ISO 8601 in UTC. */
export interface Transaction {
  id: string;
  posted_at: string | null;
  created_at: string;
  /** Dollars, at most two decimals; negative for outgoing money. */
  amount: number;
  counterparty: string;
  kind: string;
  status: string;
  note: string | null;
  /** As it appears on the account's statement. */
  description: string | null;
  /** The note that the other party sees. */
  memo: string | null;
  expected_at: string | null;
  failed_at: string | null;
  failure_reason: string | null;
  /** The transaction's page in the provider's own dashboard. */
  bank_url: string | null;
}

/** Statuses of transactions that have not moved money, or have moved it back. */
const UNSETTLED = new Set(["pending", "failed", "cancelled", "reversed", "blocked"]);

/** Returns whether a transaction has moved money. Statuses that the provider may add count. */
export const movedMoney = ({ status }: Pick<Transaction, "status">): boolean =>
  !UNSETTLED.has(status);

export interface TransactionPage {
  /** Number of transactions that match the filters, on all pages. */
  total: number;
  transactions: Transaction[];
}

/** Schemas of cached records. They may have been written by an older version of this code. */
export const storedAccounts = z.array(account);
export const storedOrganization = z.object({
  name: z.string(),
  tax_id: z.string().nullable(),
  trade_names: z.array(z.string()),
});

export type Organization = z.output<typeof storedOrganization>;

/**
 * Largest accepted amount in dollars, more than any account holds. Up to this value, numbers with
 * two decimals convert to cents exactly.
 */
export const MAX_AMOUNT = 20_000_000_000_000;

const amount = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT);
const optionalText = z.string().nullish();
const detail = z.unknown().optional();
/** Any ISO 8601 time, converted to UTC with milliseconds. */
const time = z.string().transform((text, ctx) => {
  const utc = utcTime(text);
  if (utc === null) ctx.addIssue({ code: "custom", message: "a time" });
  return utc ?? z.NEVER;
});

/**
 * Schemas of the provider's responses, which drop unused fields and map the rest to records. `kind`
 * and `status` accept any text, because the provider keeps adding values.
 */
const accountFields = z.object({
  id: z.string().min(1),
  name: optionalText,
  nickname: optionalText,
  accountNumber: optionalText,
  routingNumber: optionalText,
  last4: optionalText,
  currentBalance: amount.nullish(),
  balance: amount.nullish(),
  kind: optionalText,
  status: z.string(),
});

export interface ReadAccount {
  account: Account;
  /** Names of the fields that are missing or have an unexpected value. */
  unreadable: string[];
}

/** Accepts any object, so that one unexpected field does not make the whole list unreadable. */
export const providerAccount = z.record(z.string(), z.unknown()).transform((sent): ReadAccount => {
  const { error } = accountFields.safeParse(sent);
  const invalid = new Set(error?.issues.map(({ path }) => String(path[0])));
  const valid = Object.entries(sent).filter(([name]) => !invalid.has(name));
  const fields = accountFields.partial().parse(Object.fromEntries(valid));

  const { id = "", kind, balance, currentBalance } = fields;
  const dollars = balance ?? currentBalance ?? null;
  const digits = (fields.last4 || fields.accountNumber || "").replace(/\D/g, "");
  const name = fields.nickname?.trim() || fields.name?.trim() || "";
  // The provider may send them as JSON numbers.
  const numbers = [sent.accountNumber, sent.routingNumber].map((number) => String(number ?? ""));
  const account = {
    id,
    nickname: maskNumbers(name, ...numbers),
    kind: kind ?? "",
    balance: dollars === null ? null : roundAmount(dollars),
    last4: digits.slice(-4),
    status: fields.status?.toLowerCase() ?? "",
  };
  const missing = Object.entries(account).filter(([, value]) => value === "" || value === null);
  return { account, unreadable: [...new Set([...invalid, ...missing.map(([name]) => name)])] };
});

export const providerAccounts = z.object({
  accounts: z.array(providerAccount),
  page: z.object({ nextPage: optionalText }).nullish(),
});

export const providerTransaction = z.object({
  id: z.string().min(1),
  amount,
  status: z.string(),
  kind: optionalText,
  createdAt: time,
  postedAt: time.nullish(),
  counterpartyName: optionalText,
  counterpartyNickname: optionalText,
  note: optionalText,
  // A detail that cannot be read is left out, and the transaction is still shown.
  bankDescription: detail,
  externalMemo: detail,
  estimatedDeliveryDate: detail,
  failedAt: detail,
  reasonForFailure: detail,
  dashboardLink: detail,
}).transform((transaction): Transaction => {
  const { id, amount, kind, status } = transaction;
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
    note: maskedText(transaction.note),
    description: maskedText(transaction.bankDescription),
    memo: maskedText(transaction.externalMemo),
    expected_at: utcTime(transaction.estimatedDeliveryDate),
    failed_at: utcTime(transaction.failedAt),
    failure_reason: maskedText(transaction.reasonForFailure),
    bank_url: safeUrl(transaction.dashboardLink),
  };
});

const maskedText = (text: unknown): string | null =>
  typeof text === "string" && text.trim() !== "" ? maskNumbers(text) : null;

function utcTime(text: unknown): string | null {
  const time = typeof text === "string" ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Returns an HTTPS URL without numbers to mask, or null. */
function safeUrl(text: unknown): string | null {
  const url = typeof text === "string" ? URL.parse(text) : null;
  return url?.protocol === "https:" && maskNumbers(url.href) === url.href ? url.href : null;
}

export const providerTransactions = z.object({
  total: z.number().int().min(0).nullish(),
  transactions: z.array(providerTransaction),
});

/**
 * Accepts the current format and the older one, which has `legalName` and plain names in `dbas`.
 */
export const providerOrganization = z.object({
  organization: z.object({
    legalBusinessName: optionalText,
    legalName: optionalText,
    ein: optionalText,
    dbas: z.array(z.union([z.string(), z.object({ dbaName: z.string() })])).nullish(),
  }).refine(({ legalBusinessName, legalName }) => legalBusinessName || legalName, "no name"),
}).transform(({ organization }): Organization => {
  const { legalBusinessName, legalName, ein, dbas } = organization;
  return {
    name: legalBusinessName || legalName || "",
    tax_id: ein || null,
    trade_names: (dbas ?? []).map((dba) => typeof dba === "string" ? dba : dba.dbaName),
  };
});

/**
 * Masks account and routing numbers that people typed into names and notes: the known numbers, and
 * any run of nine or more digits. The last four digits are kept.
 */
export function maskNumbers(text: string, ...known: string[]): string {
  const mask = (digits: string) => `••${digits.slice(-4)}`;
  const masked = known.reduce<string>(
    (rest, number) => number.length > 4 ? rest.replaceAll(number, mask(number)) : rest,
    text,
  );
  return masked.replace(/\d{9,}/g, mask);
}

/** Converts dollars to whole cents, rounding half a cent away from zero. */
export function toCents(amount: number): bigint {
  const cents = BigInt(Math.round(Math.abs(amount) * 100));
  return amount < 0 ? -cents : cents;
}

/** Converts whole cents to dollars. The result prints with at most two decimals. */
export const toAmount = (cents: bigint): number => Number(cents) / 100;

/** Rounds dollars to whole cents; never returns negative zero. */
export const roundAmount = (amount: number): number => toAmount(toCents(amount));

/**
 * Adds amounts exactly: `sumAmounts([0.1, 0.2])` is `0.3`.
 *
 * @param amounts dollars, each at most {@link MAX_AMOUNT}
 */
export function sumAmounts(amounts: Iterable<number>): number {
  let total = 0n;
  for (const amount of amounts) total += toCents(amount);
  return toAmount(total);
}
