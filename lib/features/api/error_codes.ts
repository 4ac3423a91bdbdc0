/** The error codes of the API for issuers, with their meanings and advice for developers. */
import { GENERAL_ERRORS } from "./operation.ts";
import { OPERATIONS } from "./operations/mod.ts";

/** True if a program should send the same request again. */
const RETRIES = {
  no: "Do not send it again.",
  after: "Send it again after `Retry-After`.",
  once: "Send it again with the same `Idempotency-Key`.",
} as const;

interface ErrorCode {
  meaning: string;
  /** Advice for the developer. */
  action: string;
  retry: keyof typeof RETRIES;
}

/** A stable code of the API for issuers, as the page about errors shows it. */
interface ErrorCodeText {
  code: string;
  statuses: readonly number[];
  meaning: string;
  action: string;
  retry: string;
  /** True if the same request may succeed later. */
  retries: boolean;
}

/** The codes of the API for issuers. Tests check that they are all, and that all occur. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  invalid_request: {
    meaning: "A field or parameter is missing, unknown or invalid.",
    action: "`issues` names each one, with what to send instead. Correct the request.",
    retry: "no",
  },
  invalid_rows: {
    meaning: "Rows of the file have problems. Nothing was issued.",
    action:
      "`rows` names each problem with its line and column. Correct the file, and send it again.",
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
  forbidden: {
    meaning: "The operation is for tests, and the key is a live key.",
    action: "Use a test key.",
    retry: "no",
  },
  not_found: {
    meaning: "Your organisation has nothing with this id in the mode of the key.",
    action: "Check the id, and whether the key is a test or live key.",
    retry: "no",
  },
  conflict: {
    meaning: "The state of the object does not allow it, or a limit is reached.",
    action: "The message says why. Read the object before you try again.",
    retry: "no",
  },
  duplicate_batch: {
    meaning:
      "The same key has already sent the same rows within ten minutes, and the request has " +
      "no `Idempotency-Key`. Nothing was issued.",
    action:
      "Read the batch that `batch` names. To issue the file once more, add `allow_duplicate=true`.",
    retry: "no",
  },
  idempotency_mismatch: {
    meaning: "Another request was sent with this `Idempotency-Key` in the last 24 hours.",
    action: "Use a new key for a new request. To repeat a request, send exactly the same.",
    retry: "no",
  },
  idempotency_in_progress: {
    meaning: "The first request with this `Idempotency-Key` is still in progress.",
    action: "Wait. You then get the response to the first request.",
    retry: "after",
  },
  recipient_refused: {
    meaning:
      "The owner of the address has said that they are not the recipient. The address stays blocked " +
      "for your organisation for 90 days.",
    action: "Ask the recipient for another address.",
    retry: "no",
  },
  recipient_unavailable: {
    meaning: "The recipient is deleting their record, which takes a week.",
    action: "Issue the document after that, or ask the recipient for another address.",
    retry: "no",
  },
  recipient_forgotten: {
    meaning: "The recipient’s name and address are erased, so nobody can be emailed, and the " +
      "document cannot be replaced.",
    action: "Issue the document again, to an address that the recipient reads.",
    retry: "no",
  },
  too_many_documents: {
    meaning: "The recipient has 100 documents of yours, which is the limit.",
    action: "Replace documents with new versions instead of issuing more.",
    retry: "no",
  },
  too_many_versions: {
    meaning: "The document has 100 versions, which is the limit.",
    action: "Withdraw it, and issue another document.",
    retry: "no",
  },
  erased: {
    meaning:
      "The file, or the response to the first request with this `Idempotency-Key`, is erased with the " +
      "recipient's data.",
    action: "Do not repeat the request: it has succeeded. The hashes can still be checked.",
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
  uri_too_long: {
    meaning: "The URL has more than 8,192 characters.",
    action: "Send long texts in the body.",
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
    meaning: "Something went wrong on our side. We have been notified.",
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
    Object.entries(GENERAL_ERRORS).map(([code, status]) => [code, new Set([status])]),
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
      retries: retry !== "no",
    }))
    .toSorted((a, b) => a.statuses[0] - b.statuses[0]);
}

/** Returns what a code means and what to do; undefined for codes of other parts of the API. */
export const errorCodeOf = (code: string): ErrorCode | undefined => CODES[code];
