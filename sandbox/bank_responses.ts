/** The responses of the stand-in for the bank, also those of simulated faults. */
import { DAY_MS } from "../lib/base/time.ts";
import type { SandboxBank } from "./bank_data.ts";

export type BankOperation = "accounts" | "account" | "transactions" | "organization";

/** A fault that the sandbox simulates. */
export interface BankFault {
  /** A status or another kind of failure; `slow` delays the normal response. */
  response: 400 | 401 | 403 | 404 | 429 | 500 | 503 | "slow" | "cut_off" | "garbage" | "redirect";
  /** Defaults to every operation. */
  operation?: BankOperation;
  /** Number of requests that fail; by default all of them. */
  times?: number;
  /** Delay of `slow`. Defaults to a minute. */
  delayMs?: number;
  /** Ends the delay of `slow` when it aborts. */
  until?: AbortSignal;
  retryAfter?: number;
}

interface Resource {
  operation: BankOperation;
  id: string;
}

const PATTERN = /^\/api\/v1\/(?:(accounts)|(organization)|account\/([^/]+)(?:\/(transactions))?)$/;

export function resourceOf(pathname: string): Resource | undefined {
  const [match, accounts, organization, id = "", transactions] = PATTERN.exec(pathname) ?? [];
  if (match === undefined) return undefined;
  const operation = accounts ?? organization ?? transactions ?? "account";
  return { operation: operation as BankOperation, id };
}

export const problem = (status: number, message: string) =>
  Response.json({ errors: { message } }, { status });

/**
 * Returns the provider's normal response.
 *
 * @param now milliseconds since 1970
 * @param pageSize maximum number of accounts or transactions per response
 */
export function normalResponse(
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
  return listTransactions(bank.transactions.get(id) ?? [], query, now, pageSize);
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
  transactions: { createdAt: string }[],
  query: URLSearchParams,
  now: number,
  pageSize: number,
) {
  const limit = wholeNumber(query.get("limit"), 500);
  const offset = wholeNumber(query.get("offset"), 0);
  const start = moment(query.get("start"), now - 30 * DAY_MS, 0);
  const end = moment(query.get("end"), now, DAY_MS - 1);
  const order = query.get("order") ?? "desc";
  if (limit === undefined || limit < 1 || limit > 1_000) return problem(400, "limit: 1 to 1000.");
  if (offset === undefined) return problem(400, "offset: a number from 0.");
  if (Number.isNaN(start) || Number.isNaN(end)) return problem(400, "start, end: dates.");
  if (order !== "asc" && order !== "desc") return problem(400, "order: asc or desc.");
  // They are in order, and most requests ask for the last weeks of two years.
  const countUntil = (fits: (time: number) => boolean) =>
    transactions.findLastIndex(({ createdAt }) => fits(Date.parse(createdAt))) + 1;
  const found = transactions.slice(
    countUntil((time) => time < start),
    countUntil((time) => time <= end),
  );
  if (order === "desc") found.reverse();
  const page = found.slice(offset, offset + Math.min(limit, pageSize));
  return Response.json({ total: found.length, transactions: page });
}

/** Returns undefined if the value is not a whole number. */
const wholeNumber = (value: string | null, missing: number) =>
  value === null ? missing : /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/** @param dayPart added to a date without a time, because an end date includes its whole day */
const moment = (value: string | null, missing: number, dayPart: number) =>
  value === null ? missing : Date.parse(value) + (/^\d{4}-\d\d-\d\d$/.test(value) ? dayPart : 0);

/** Returns the response for a fault. For `slow` it is the normal one, and the caller delays it. */
export function faultResponse(
  { response, retryAfter }: BankFault,
  request: Request,
  normal: () => Response,
): Promise<Response> | Response {
  switch (response) {
    case "slow":
      return normal();
    case "cut_off":
      return cutOff(normal());
    case "garbage":
      return new Response("<html><body>We'll be back soon", {
        headers: { "content-type": "application/json" },
      });
    case "redirect":
      return new Response(null, {
        status: 302,
        headers: { location: new URL("/elsewhere", request.url).href },
      });
    default:
      return Response.json({ errors: { message: `The sandbox returns ${response}.` } }, {
        status: response,
        headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
      });
  }
}

/** Returns half of the body with the full `content-length`; the connection closes after it. */
async function cutOff(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = new Blob([bytes.slice(0, bytes.length / 2)]).stream();
  return new Response(half, {
    headers: { "content-type": "application/json", "content-length": String(bytes.length) },
  });
}
