/** Schemas that turn Mercury's responses into the site's own accounts, transactions and organisations. */
import { z } from "zod";
import { MAX_AMOUNT, roundAmount } from "../money.ts";
import type { Organization, SentTransaction, Transaction, TransactionState } from "../provider.ts";
import type { ReadAccount } from "./adapter.ts";
import { maskNumbers } from "../masks.ts";
import { maskedText, safeUrl, utcTime } from "./fields.ts";

const amount = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT);
const optionalText = z.string().nullish();
/** Statuses of accounts that are ignored entirely (spec 2.4.2). */
const CLOSED = new Set(["archived", "deleted"]);

const STATES = new Map<string, TransactionState>([
  ["sent", "settled"],
  ["pending", "pending"],
  ["failed", "failed"],
  ["blocked", "failed"],
  ["cancelled", "undone"],
  ["reversed", "undone"],
]);

const OWN_TRANSFERS = new Set(["internalTransfer", "treasuryTransfer"]);

/**
 * Schemas of Mercury's responses, which drop unused fields and map the rest to our own records.
 * `kind` and `status` accept any text, because Mercury keeps adding values.
 */
const accountFields = z.object({
  id: z.string().min(1).refine((id) => id.isWellFormed()),
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

/** Accepts any object, so that one unexpected field does not make the whole list unreadable. */
export const mercuryAccount = z.record(z.string(), z.unknown()).transform((sent): ReadAccount => {
  const { error } = accountFields.safeParse(sent);
  const invalid = new Set(error?.issues.map(({ path }) => String(path[0])));
  const valid = Object.entries(sent).filter(([name]) => !invalid.has(name));
  const fields = accountFields.partial().parse(Object.fromEntries(valid));

  const { id = "", kind, balance, currentBalance } = fields;
  const dollars = balance ?? currentBalance ?? null;
  const digits = (fields.last4 || fields.accountNumber || "").replace(/\D/g, "");
  const name = fields.nickname?.trim() || fields.name?.trim() || "";
  // They may be sent as JSON numbers.
  const numbers = [sent.accountNumber, sent.routingNumber].map((number) => String(number ?? ""));
  const status = fields.status?.toLowerCase() ?? "";
  const mapped = {
    id,
    nickname: maskNumbers(name, ...numbers),
    kind: kind ?? "",
    balance: dollars === null ? null : roundAmount(dollars),
    last4: digits.slice(-4),
    status,
  };
  const missing = Object.entries(mapped).filter(([, value]) => value === "" || value === null);
  return {
    account: {
      ...mapped,
      status: status === "active" ? "active" : status === "" ? "unknown" : "restricted",
    },
    isClosed: CLOSED.has(status),
    unreadable: [...new Set([...invalid, ...missing.map(([name]) => name)])],
  };
});

export const mercuryAccounts = z.object({
  accounts: z.array(mercuryAccount),
  page: z.object({ nextPage: optionalText }).nullish(),
});

/** A transaction as Mercury sends it. */
type Sent = Record<string, unknown>;

/** Accepts any list. {@link readTransaction} checks what is in it, because schemas take several times as long. */
export const mercuryTransactions = z.object({
  total: z.number().int().min(0).nullish(),
  transactions: z.custom<unknown[]>(Array.isArray),
});

const isMissing = (field: unknown) => field === undefined || field === null;

/**
 * Reads at once only what sums need, because most pages sum hundreds of transactions and show a few.
 *
 * @returns null if a field that sums need is missing or unexpected
 */
export function readTransaction(one: unknown): SentTransaction | null {
  if (typeof one !== "object" || one === null) return null;
  const sent = one as Sent;
  const { id, amount, kind, status } = sent;
  const created_at = utcTime(sent.createdAt);
  const posted_at = utcTime(sent.postedAt);
  // Links to a transaction contain its id, and only well-formed text can be in a URL.
  if (typeof id !== "string" || id === "" || !id.isWellFormed()) return null;
  if (typeof status !== "string" || created_at === null) return null;
  if (typeof amount !== "number" || !(Math.abs(amount) <= MAX_AMOUNT)) return null;
  if (typeof kind !== "string" && !isMissing(kind)) return null;
  if (posted_at === null && !isMissing(sent.postedAt)) return null;
  return new MercuryTransaction(
    sent,
    id,
    posted_at,
    created_at,
    roundAmount(amount),
    kind || "other",
    status,
  );
}

/**
 * A transaction of Mercury. It is a class, because a page makes hundreds, and an object literal with getters takes
 * several times as long.
 */
class MercuryTransaction implements SentTransaction {
  readonly #sent: Sent;
  readonly state: TransactionState;
  readonly own_transfer: boolean;

  constructor(
    sent: Sent,
    readonly id: string,
    readonly posted_at: string | null,
    readonly created_at: string,
    readonly amount: number,
    readonly kind: string,
    readonly status: string,
  ) {
    this.#sent = sent;
    this.state = STATES.get(status) ?? "unknown";
    this.own_transfer = OWN_TRANSFERS.has(kind);
  }

  get counterparty(): string {
    const { counterpartyNickname, counterpartyName } = this.#sent;
    return maskedText(counterpartyNickname) ?? maskedText(counterpartyName) ?? "";
  }

  get note(): string | null {
    return maskedText(this.#sent.note);
  }

  read(): Transaction {
    const { counterparty, note } = this;
    return { ...this, counterparty, note, ...detailsOf(this.#sent) };
  }
}

/** A detail that cannot be read is left out, and the transaction is still shown. */
const detailsOf = (sent: Sent) => ({
  description: maskedText(sent.bankDescription),
  memo: maskedText(sent.externalMemo),
  expected_at: utcTime(sent.estimatedDeliveryDate),
  failed_at: utcTime(sent.failedAt),
  failure_reason: maskedText(sent.reasonForFailure),
  bank_url: safeUrl(sent.dashboardLink),
});

const tradeName = z.union([
  z.string(),
  z.object({ dbaName: z.string() }).transform((dba) => dba.dbaName),
]);

/** Accepts the current format and the older one, which has `legalName`, and trade names as texts. */
export const mercuryOrganization = z.object({
  organization: z.object({
    legalBusinessName: optionalText,
    legalName: optionalText,
    ein: optionalText.catch(null),
    dbas: z.array(tradeName).nullish().catch(null),
  }),
}).transform(({ organization }, ctx): Organization => {
  const name = organization.legalBusinessName || organization.legalName;
  if (!name) ctx.addIssue("no name");
  return {
    name: name || "",
    tax_identifier: organization.ein?.trim() || null,
    trade_names: organization.dbas ?? [],
  };
});
