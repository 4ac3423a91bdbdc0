/** Sends an enquiry to the API, and explains in words why one was not accepted. */
import { anySignal } from "../../lib/base/signals.ts";
import { CONFIG, forbiddenOf } from "../../lib/features/contact/config.ts";
import { formatWait } from "../../lib/base/time.ts";
import { type Issues, issuesOf } from "./draft.ts";
import { readReceipt, readRefusal, type Receipt } from "./responses.ts";

/** The reason why an enquiry was not registered, for the person who sent it. */
export interface Failure {
  title: string;
  /** Empty if the issues explain it. */
  text: string;
  issues: Issues;
  /** The enquiry may have arrived, so a retry needs the same idempotency key. */
  inDoubt: boolean;
  /** Another version of it has arrived, so sending this one needs a new key. */
  conflict: boolean;
}

type Outcome = { receipt: Receipt } | { failure: Failure };

const { COPY } = CONFIG;

/**
 * Sends a registration (spec 4.6). Never rejects: errors are returned as outcomes.
 *
 * @param endpoint the full URL of `POST /api/ir/register`
 * @param key unique for each opening of the form, so that a retry gets the same record
 * @param origin the page's origin, for the site's owner if it may not use the form
 */
export async function register(
  endpoint: string,
  body: Record<string, unknown>,
  key: string,
  { fetch, signal, origin }: {
    fetch: typeof globalThis.fetch;
    signal: AbortSignal;
    origin: string;
  },
): Promise<Outcome> {
  const { FAILURES } = COPY;
  let response: Response;
  let json: unknown;
  try {
    response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
      credentials: "omit",
      signal: anySignal([signal, AbortSignal.timeout(CONFIG.REQUEST_TIMEOUT)]),
    });
    json = await response.text().then(parse);
  } catch {
    return failure(FAILURES.network, { inDoubt: true });
  }
  if (response.ok) {
    const receipt = readReceipt(json);
    if (receipt !== null) return { receipt };
    return failure(FAILURES.unreadable, { inDoubt: true });
  }
  const { code, issues } = readRefusal(json);
  switch (response.status) {
    case 403: {
      const text = forbiddenOf(origin);
      console.error(`ContactForm: ${text}`);
      return failure(text);
    }
    case 409:
      return failure(FAILURES.conflict, {
        title: COPY.CONFLICT_TITLE,
        inDoubt: true,
        conflict: true,
      });
    case 413:
      return failure(FAILURES.too_large, { issues: { message: COPY.TOO_LONG } });
    case 429:
      return failure(FAILURES.rate_limited.replace("{when}", retryTime(response)));
  }
  if (response.status >= 500) return failure(FAILURES.unavailable, { inDoubt: true });
  if (code === "challenge_failed") {
    return failure(body.challenge ? FAILURES.challenge_failed : FAILURES.challenge_missing);
  }
  const known = issuesOf(issues);
  return Object.keys(known).length > 0 ? { failure: invalid(known) } : failure(FAILURES.refused);
}

function failure(text: string, details: Partial<Failure> = {}): Outcome {
  const title = details.inDoubt ? COPY.DOUBT_TITLE : COPY.FAILURE_TITLE;
  return { failure: { title, issues: {}, inDoubt: false, conflict: false, ...details, text } };
}

export function invalid(issues: Issues): Failure {
  return { title: COPY.PROBLEM_TITLE, text: "", issues, inDoubt: false, conflict: false };
}

function retryTime({ headers }: Response): string {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return seconds > 0 ? formatWait(seconds) : COPY.LATER;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns a random key. `randomUUID` is available only on secure pages. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
