import { CONFIG } from "../../lib/contact/config.ts";
import type { Registration } from "../../lib/contact/contract.ts";
import { readReceipt, readRefusal, type Receipt } from "./answers.ts";
import { type Issues, issuesOf } from "./draft.ts";

/** Why an enquiry was not registered, in words for the person who sent it. */
export interface Failure {
  title: string;
  /** Empty where the fields say it. */
  text: string;
  issues: Issues;
  /** The enquiry may have arrived all the same: a retry needs the same idempotency key. */
  inDoubt: boolean;
  /** It arrived in another form: only a new key sends this one. */
  conflict: boolean;
}

export type Outcome = { receipt: Receipt } | { failure: Failure };

const { COPY } = CONFIG;

/**
 * Sends a registration (spec 4.6). It never rejects: whatever goes wrong is an outcome.
 *
 * @param endpoint `POST /api/ir/register`, in full
 * @param key one for each opening of the form: with it, a retry is the same record
 */
export async function register(
  endpoint: string,
  body: Registration,
  key: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<Outcome> {
  const { FAILURES } = COPY;
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
      credentials: "omit",
      signal: AbortSignal.any([signal, AbortSignal.timeout(CONFIG.REQUEST_TIMEOUT)]),
    });
    answer = await response.text().then(parse);
  } catch {
    return failure(FAILURES.network, { inDoubt: true });
  }
  if (response.ok) {
    const receipt = readReceipt(answer);
    if (receipt !== null) return { receipt };
    return failure(FAILURES.unreadable, { inDoubt: true });
  }
  const { code, issues } = readRefusal(answer);
  switch (response.status) {
    case 403:
      return failure(FAILURES.forbidden);
    case 409:
      return failure(FAILURES.conflict, {
        title: COPY.CONFLICT_TITLE,
        inDoubt: true,
        conflict: true,
      });
    case 413:
      return failure(FAILURES.too_large, { issues: { message: COPY.PROBLEMS.too_long } });
    case 429:
      return failure(FAILURES.rate_limited.replace("{when}", whenOf(response)));
  }
  if (response.status >= 500) return failure(FAILURES.unavailable, { inDoubt: true });
  if (code === "too_fast") return failure(FAILURES.too_fast);
  if (code === "challenge_failed") {
    return failure(body.challenge ? FAILURES.challenge_failed : FAILURES.challenge_missing);
  }
  const known = issuesOf(issues);
  return Object.keys(known).length > 0
    ? failure("", { title: COPY.PROBLEM_TITLE, issues: known })
    : failure(FAILURES.refused);
}

function failure(text: string, details: Partial<Failure> = {}): Outcome {
  const title = details.inDoubt ? COPY.DOUBT_TITLE : COPY.FAILURE_TITLE;
  const plain = { title, issues: {}, inDoubt: false, conflict: false };
  return { failure: { ...plain, ...details, text } };
}

/** What is wrong with the fields, before anything is sent. */
export function unsent(issues: Issues): Failure {
  return { title: COPY.PROBLEM_TITLE, text: "", issues, inDoubt: false, conflict: false };
}

/** `Retry-After`, which is in seconds, for people. */
function whenOf({ headers }: Response): string {
  const minutes = Math.ceil(Number(headers.get("retry-after") ?? NaN) / 60);
  if (!(minutes > 0)) return COPY.WHEN.later;
  return minutes === 1 ? COPY.WHEN.minute : COPY.WHEN.minutes.replace("{minutes}", `${minutes}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A random key; `randomUUID` is there on secure pages only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
