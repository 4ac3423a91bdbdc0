import { OPERATIONS } from "./operations/mod.ts";

/** Whether a program should send the same request again. */
const RETRIES = {
  no: "No",
  after: "Yes, after `Retry-After`",
  once: "Yes, with the same `Idempotency-Key`",
} as const;

interface ErrorCode {
  meaning: string;
  /** What to do about it. */
  action: string;
  retry: keyof typeof RETRIES;
}

/** A stable code of the API for issuers, as the page about errors shows it. */
export interface ErrorCodeText {
  code: string;
  statuses: readonly number[];
  meaning: string;
  action: string;
  retry: string;
}

/** The errors that any operation can return, by code. */
const GENERAL: Readonly<Record<string, number>> = {
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  internal: 500,
  unavailable: 503,
  store_unavailable: 503,
  read_only: 503,
};

/** The codes of the API for issuers. Tests check that they are all, and that all occur. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  invalid_request: {
    meaning: "A field or parameter is missing, unknown or invalid.",
    action: "`issues` names each one, with what to send instead. Correct the request.",
    retry: "no",
  },
  unauthenticated: {
    meaning: "There is no API key, or it is mistyped, unknown, expired or revoked.",
    action:
      "Send `Authorization: Bearer <key>` with a current key. Never put a key into a URL: replace one that was.",
    retry: "no",
  },
  insufficient_scope: {
    meaning: "The key lacks the scope that the operation needs.",
    action: "Ask us for a key with the scope that `WWW-Authenticate` names.",
    retry: "no",
  },
  issuer_suspended: {
    meaning: "Your organisation is suspended: it can read, but not change anything.",
    action: "Contact us. Keep what you wanted to send.",
    retry: "no",
  },
  issuer_ended: {
    meaning: "Your organisation is no longer an issuer.",
    action: "Stop. Your documents stay verifiable.",
    retry: "no",
  },
  not_found: {
    meaning: "There is nothing with this id for your organisation in the mode of the key.",
    action: "Check the id, and whether the key is a test or live key.",
    retry: "no",
  },
  conflict: {
    meaning: "The state of the object does not allow it, or a limit is reached.",
    action: "The message says why. Read the object before you try again.",
    retry: "no",
  },
  method_not_allowed: {
    meaning: "The path has no such method.",
    action: "`Allow` lists the methods.",
    retry: "no",
  },
  too_large: {
    meaning: "The body or the file exceeds its limit.",
    action: "Send less. The message names the limit.",
    retry: "no",
  },
  unsupported_media_type: {
    meaning: "The operation does not read bodies of this `Content-Type`.",
    action: "Send one that the operation describes.",
    retry: "no",
  },
  rate_limited: {
    meaning: "The limit of the key is used up, or the address has sent too many invalid keys.",
    action: "Wait. `RateLimit` says in advance what is left.",
    retry: "after",
  },
  internal: {
    meaning: "Something went wrong on our side. We have been told.",
    action: "Repeat a change with its `Idempotency-Key`, so that it happens at most once.",
    retry: "once",
  },
  unavailable: {
    meaning: "The service is busy.",
    action: "Wait. Nothing was changed.",
    retry: "after",
  },
  store_unavailable: {
    meaning:
      "The store does not respond. If `outcome` is `unknown`, the change may have been saved.",
    action: "Repeat a change with its `Idempotency-Key`, so that it happens at most once.",
    retry: "after",
  },
  read_only: {
    meaning: "The service is read-only for maintenance. Nothing was changed.",
    action: "Wait, and keep what you wanted to send.",
    retry: "after",
  },
};

/** Returns the statuses of each code of the API for issuers. */
export function issuingErrors(): Map<string, Set<number>> {
  const statuses = new Map(
    Object.entries(GENERAL).map(([code, status]) => [code, new Set([status])]),
  );
  for (const { errors } of OPERATIONS.filter(({ keyScope }) => keyScope !== undefined)) {
    for (const [status, { codes }] of Object.entries(errors)) {
      for (const code of codes) {
        statuses.set(code, (statuses.get(code) ?? new Set()).add(Number(status)));
      }
    }
  }
  return statuses;
}

/** Returns the codes of the API for issuers by status. */
export function listErrorCodes(): ErrorCodeText[] {
  const statuses = issuingErrors();
  return Object.entries(CODES)
    .map(([code, { retry, ...text }]) => ({
      code,
      statuses: [...statuses.get(code) ?? []].sort(),
      ...text,
      retry: RETRIES[retry],
    }))
    .toSorted((a, b) => a.statuses[0] - b.statuses[0]);
}

/** Returns what a code means and what to do; undefined for codes of other parts of the API. */
export const errorCodeOf = (code: string): ErrorCode | undefined => CODES[code];
