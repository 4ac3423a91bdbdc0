import type { SandboxBank } from "./bank_data.ts";
import type { BankOperation } from "./bank_faults.ts";
import { transactionsUntil } from "./bank_transactions.ts";

/** A path of the provider's, taken apart. */
export interface Resource {
  operation: BankOperation;
  /** The account's. */
  id: string;
}

const PATTERN = /^\/api\/v1\/(?:(accounts)|(organization)|account\/([^/]+)(?:\/(transactions))?)$/;
const DAY = 86_400_000;

/** Which resource a path names, if any. */
export function resourceOf(pathname: string): Resource | undefined {
  const [match, accounts, organization, id = "", transactions] = PATTERN.exec(pathname) ?? [];
  if (match === undefined) return undefined;
  const operation = accounts ?? organization ?? transactions ?? "account";
  return { operation: operation as BankOperation, id };
}

export const problem = (status: number, message: string) =>
  Response.json({ errors: { message } }, { status });

/**
 * Answers as the provider does when all is well.
 *
 * @param now milliseconds since 1970
 * @param pageSize the most accounts of one page, and transactions of one answer
 */
export function answer(
  bank: SandboxBank,
  { operation, id }: Resource,
  query: URLSearchParams,
  now: number,
  pageSize: number,
): Response {
  if (operation === "organization") return Response.json({ organization: bank.organization });
  if (operation === "accounts") return listAccounts(bank, query, pageSize);
  const account = bank.accounts.find((account) => account.id === id);
  if (account === undefined || bank.restricted.has(id)) return problem(404, "Account not found.");
  if (operation === "account") return Response.json(account);
  return listTransactions(id, account.status === "active", query, now, pageSize);
}

function listAccounts({ accounts }: SandboxBank, query: URLSearchParams, pageSize: number) {
  const limit = wholeNumber(query.get("limit"), pageSize);
  if (limit === undefined || limit < 1) return problem(400, "limit: a number from 1.");
  const after = query.get("start_after");
  const start = after === null ? 0 : accounts.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) return problem(400, "start_after: no such account.");
  const page = accounts.slice(start, start + Math.min(limit, pageSize));
  const more = start + page.length < accounts.length;
  return Response.json({ accounts: page, page: more ? { nextPage: page.at(-1)?.id } : {} });
}

function listTransactions(
  id: string,
  active: boolean,
  query: URLSearchParams,
  now: number,
  pageSize: number,
) {
  const limit = wholeNumber(query.get("limit"), 500);
  const offset = wholeNumber(query.get("offset"), 0);
  const start = moment(query.get("start"), now - 30 * DAY, 0);
  const end = moment(query.get("end"), now, DAY - 1);
  const order = query.get("order") ?? "desc";
  if (limit === undefined || limit < 1 || limit > 1_000) return problem(400, "limit: 1 to 1000.");
  if (offset === undefined) return problem(400, "offset: a number from 0.");
  if (Number.isNaN(start) || Number.isNaN(end)) return problem(400, "start, end: dates.");
  if (order !== "asc" && order !== "desc") return problem(400, "order: asc or desc.");
  const all = (active ? transactionsUntil(id, now) : []).filter(({ createdAt }) => {
    const time = Date.parse(createdAt);
    return start <= time && time <= end;
  });
  if (order === "desc") all.reverse();
  const transactions = all.slice(offset, offset + Math.min(limit, pageSize));
  return Response.json({ total: all.length, transactions });
}

/** Undefined for what is no whole number. */
const wholeNumber = (value: string | null, missing: number) =>
  value === null ? missing : /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/** @param dayPart what is added to a date without a time: an end means the whole day */
const moment = (value: string | null, missing: number, dayPart: number) =>
  value === null ? missing : Date.parse(value) + (/^\d{4}-\d\d-\d\d$/.test(value) ? dayPart : 0);
