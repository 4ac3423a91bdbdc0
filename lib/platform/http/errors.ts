/** Errors of requests: their stable codes, statuses, messages and JSON responses. */
import { HttpError } from "fresh";
import { KvBusyError, ReadOnlyError, StoreRefusedError, StoreUnavailableError } from "../kv/mod.ts";
import { type Failure, FailureError } from "../../base/result.ts";

type Status = ConstructorParameters<typeof HttpError>[0];

const CODES: Record<number, string> = {
  400: "invalid_request",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  409: "conflict",
  413: "too_large",
  414: "uri_too_long",
  415: "unsupported_media_type",
  421: "misdirected_request",
  422: "unprocessable",
  429: "rate_limited",
  502: "bad_gateway",
  503: "unavailable",
  504: "gateway_timeout",
};

const MESSAGES: Record<number, string> = {
  403: "You do not have access to this.",
  404: "There is nothing at this address.",
  405: "This address does not support that method.",
};

/** The status of each code that domain functions return; any other code is a 400. */
const STATUSES: Record<string, Status> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  already_registered: 409,
  chain_rewritten: 409,
  log_rewritten: 409,
  idempotency_mismatch: 409,
  idempotency_in_progress: 409,
  passkey_refused: 401,
  passkey_required: 403,
  sign_in_again: 403,
  too_many_passkeys: 409,
  too_many_devices: 409,
  too_large: 413,
  rate_limited: 429,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
  // API keys of issuers
  insufficient_scope: 403,
  issuer_suspended: 403,
  issuer_ended: 403,
  // Documents of issuers
  recipient_refused: 409,
  recipient_unavailable: 409,
  recipient_forgotten: 409,
  duplicate_batch: 409,
  too_many_documents: 409,
  too_many_versions: 409,
  erased: 410,
  // The public log of our own records
  chain_behind_log: 503,
  log_halted: 503,
  // Witnesses (C2SP tlog-witness)
  unknown_log: 404,
  bad_log_signature: 403,
  inconsistent: 422,
  // Links in mails
  expired: 410,
  used: 410,
  already_used: 410,
};

export interface Problem {
  status: number;
  /** Stable code that programs may rely on. */
  code: string;
  message: string;
  issues?: Record<string, string>;
  headers?: Record<string, string>;
  /** Further members of the JSON error. */
  details?: Record<string, unknown>;
}

/** An error response with a stable code. Handlers throw it; the `errors` middleware renders it. */
export class RequestError extends HttpError {
  readonly code: string;
  readonly issues?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly details?: Record<string, unknown>;

  constructor(
    status: Status,
    message?: string,
    options: Partial<Pick<Problem, "code" | "issues" | "headers" | "details">> = {},
  ) {
    super(status, message);
    this.code = options.code ?? CODES[status] ?? "invalid_request";
    this.issues = options.issues;
    this.headers = options.headers;
    this.details = options.details;
  }
}

/** Returns the status of a response that shows a result instead of throwing its failure. */
export const statusOf = (result: { ok: true } | Failure): number =>
  result.ok ? 200 : STATUSES[result.error] ?? 400;

/**
 * Returns a successful result, and throws a failed one as the {@link RequestError} of its code.
 *
 * @param status overrides the code's status, for example with 502 for an upstream's failure
 */
export function unwrap<Result extends { ok: true } | Failure>(
  result: Result,
  status?: Status,
): Extract<Result, { ok: true }> {
  if (result.ok) return result as Extract<Result, { ok: true }>;
  throw errorOf(result, status);
}

function errorOf(
  { error, message, issues, retryAfterSeconds, details }: Failure,
  status?: Status,
): RequestError {
  return new RequestError(status ?? STATUSES[error] ?? 400, message, {
    code: error,
    issues,
    details,
    headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
  });
}

/** Returns the error of a request that a thrown value is; null if it is none. */
export const asRequestError = (error: unknown): RequestError | null =>
  error instanceof RequestError
    ? error
    : error instanceof FailureError
    ? errorOf(error.failure)
    : null;

/** Returns the content of the response for any thrown value. Unexpected errors reveal no details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof KvBusyError) {
    return {
      status: 503,
      code: "unavailable",
      message: "The store is busy. Try again in a few seconds.",
      headers: { "retry-after": "5" },
    };
  }
  if (error instanceof ReadOnlyError) {
    return {
      status: 503,
      code: "read_only",
      message: "The site is read-only at the moment, so nothing was changed. Try again later.",
      headers: { "retry-after": "60" },
    };
  }
  if (error instanceof StoreRefusedError) {
    return {
      status: 503,
      code: error.code,
      message: "Our database does not accept this at the moment, so nothing was changed.",
      headers: { "retry-after": "60" },
    };
  }
  if (error instanceof StoreUnavailableError) return storeProblem(error);
  if (error instanceof FailureError) return problemOf(errorOf(error.failure));
  const status = error instanceof HttpError ? error.status : 500;
  if (status === 500 || !(error instanceof HttpError)) {
    return { status: 500, code: "internal", message: "Something went wrong on our side." };
  }
  const { code, issues, headers, details } = error as Partial<RequestError>;
  return {
    status,
    code: code ?? CODES[status] ?? "invalid_request",
    message: error.message || messageOf(status, error as Partial<RequestError>),
    issues,
    details,
    headers: status === 405 ? { allow: allowOf(error), ...headers } : headers,
  };
}

function messageOf(status: number, { issues, headers }: Partial<RequestError>): string {
  const seconds = new Headers(headers).get("retry-after");
  if (status === 429 && seconds !== null) {
    return `There were too many requests. Wait ${seconds} seconds and try again.`;
  }
  if (status === 400 && issues !== undefined) return "Some fields are missing or invalid.";
  return MESSAGES[status] ?? "This request cannot be processed.";
}

const storeProblem = ({ code, outcome }: StoreUnavailableError): Problem => ({
  status: 503,
  code,
  message: outcome === "unchanged"
    ? "Our database does not respond at the moment, so nothing was changed."
    : "Our database did not respond in time, so we do not know whether your change was saved. It may " +
      "still be. Check before you try again.",
  headers: { "retry-after": "5" },
  details: { outcome },
});

function allowOf({ cause }: Error): string {
  return (cause as { allow?: string } | undefined)?.allow ?? "GET, HEAD";
}

export function problemResponse(problem: Problem): Response {
  const { status, headers } = problem;
  return new Response(problemText(problem), {
    status,
    // Caches may keep some error statuses by default.
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** Returns the body of an error's response. */
export const problemText = ({ code, message, issues, details }: Problem): string =>
  JSON.stringify({ ...details, error: code, message, issues });
