import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { problemOf, problemText, unwrap } from "../../platform/http/errors.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { asSite, isLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import { modeOf } from "../documents/mod.ts";
import { canonical } from "./canonical.ts";
import {
  BY_RECIPIENT,
  idempotencyKeys,
  type KeyRow as Row,
  open,
  REPLAY_MS,
  type Saved,
  seal,
} from "./idempotency_rows.ts";

/** How long a request may run until another one with its key runs instead: its process may have died. */
export const LEASE_MS = MINUTE_MS;

/** When to repeat a request whose first attempt still runs. */
const RETRY_MS = 2 * SECOND_MS;

/** The header of a response that was sent before. */
export const REPLAYED = "idempotent-replayed";

/** The response to a request, as JSON. */
interface ApiResponse {
  status: number;
  body: unknown;
}

/**
 * Adds the response to the commit of what the request does, so that both happen or neither. Returns a
 * failure if another request runs instead. The commit must check the recipient whom the response names.
 */
export type SaveResponse = (
  commit: Deno.AtomicOperation,
  response: ApiResponse,
  recipient?: string | null,
) => Promise<Failure | void>;

/** Does what a request asks for. If it does not save its response, that is saved afterwards. */
export type Execute = (save: SaveResponse) => Promise<ApiResponse | Failure>;

/** A request with its sender. */
interface ApiRequest {
  issuer: { id: string };
  test: boolean;
  /** The `Idempotency-Key`; null if there is none. */
  key: string | null;
  /** Everything that must be the same in a repeated request. */
  content: unknown;
}

/**
 * Runs requests with an `Idempotency-Key` once, as Stripe does: a repeated request gets the same response for
 * 24 hours, and nothing is saved if the request was refused before it ran. Errors that a later attempt may not
 * get (429, 5xx) are not saved.
 */
export interface Idempotency {
  run(request: ApiRequest, execute: Execute): Promise<Response>;
  /** Erases the responses that name a recipient. Their requests still do not run again. */
  forget(recipient: string): Promise<void>;
}

export function createIdempotency(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): Idempotency {
  type Ref = Pick<Row, "issuer" | "mode" | "key">;
  const read = ({ issuer, mode, key }: Ref) => idempotencyKeys.get(kv, issuer, mode, key);

  /** Takes the key for an attempt, or returns the response to give instead. */
  const claim = (ref: Ref, fingerprint: string, attempt: string) =>
    transact<Response | null>(async () => {
      const now = clock();
      const entry = await read(ref);
      const { value } = entry;
      if (value !== null && isLive(value, now)) {
        const saved = await open(secrets, value);
        if (saved === null) throw refused("erased", { message: ERASED });
        if (saved.fingerprint !== fingerprint) throw refused("idempotency_mismatch", MISMATCH);
        if (value.status !== null) return { result: replay(value.status, saved) };
        if (now < Date.parse(value.lease_until)) throw refused("idempotency_in_progress", RUNS);
      }
      const commit = kv.atomic();
      const row: Row = {
        ...ref,
        attempt,
        lease_until: isoAfter(now, LEASE_MS),
        status: null,
        sealed: await seal(secrets, ref, { fingerprint, body: null }),
        recipient: null,
        expires_at: isoAfter(now, REPLAY_MS),
      };
      idempotencyKeys.replace(commit, entry, row, now);
      return { result: null, commit };
    });

  /** Adds the response of an attempt to a commit, unless another attempt runs instead. */
  async function save(
    commit: Deno.AtomicOperation,
    ref: Ref,
    attempt: string,
    { status, recipient = null, ...saved }: Saved & { status: number; recipient?: string | null },
  ): Promise<boolean> {
    const entry = await read(ref);
    if (entry.value?.attempt !== attempt || entry.value.status !== null) return false;
    const row: Row = { ...entry.value, status, sealed: await seal(secrets, ref, saved), recipient };
    idempotencyKeys.replace(commit, entry, row, clock());
    return true;
  }

  /** Lets the next request with the key run, unless this one has changed anything. */
  const release = (ref: Ref, attempt: string) =>
    transact(async () => {
      const entry = await read(ref);
      if (entry.value?.attempt !== attempt || entry.value.status !== null) {
        return { result: undefined };
      }
      const commit = kv.atomic().check(entry);
      idempotencyKeys.delete(commit, entry.value);
      return { result: undefined, commit };
    });

  return {
    async run({ issuer, test, key: given, content }, execute) {
      if (given === null) return finished(await execute(() => Promise.resolve()));
      const mode = modeOf({ test });
      const ref: Ref = { issuer: issuer.id, mode, key: sha256(given) };
      const attempt = crypto.randomUUID();
      const fingerprint = sha256(canonical(content));
      const earlier = await claim(ref, fingerprint, attempt);
      if (earlier !== null) return earlier;
      let saved = false;
      try {
        const result = await execute(async (commit, response, recipient) => {
          const { status, text: body } = contentOf(response);
          saved = await save(commit, ref, attempt, { fingerprint, status, body, recipient });
          return saved ? undefined : fail("idempotency_in_progress", RUNS);
        });
        const response = contentOf(result);
        if ("ok" in result && isPassing(response.status)) await release(ref, attempt);
        else if ("ok" in result || !saved) {
          await transact(async () => {
            const commit = kv.atomic();
            const { status, text: body } = response;
            const done = await save(commit, ref, attempt, { fingerprint, status, body });
            return done ? { result: undefined, commit } : { result: undefined };
          });
        }
        return respond(response.status, response.text, response.headers);
      } catch (error) {
        await asSite(() => release(ref, attempt)).catch(() => {}); // otherwise, the lease ends
        throw error;
      }
    },
    async forget(recipient) {
      for (const { value } of await idempotencyKeys.find(kv, BY_RECIPIENT, [recipient])) {
        await transact(async () => {
          const entry = await read(value);
          if (entry.value === null) return { result: undefined };
          const saved = await open(secrets, entry.value);
          const sealed = saved === null
            ? entry.value.sealed
            : await seal(secrets, value, { ...saved, body: null });
          const commit = kv.atomic().check(entry);
          idempotencyKeys.delete(commit, entry.value);
          idempotencyKeys.set(commit, { ...entry.value, sealed, recipient: null }, clock());
          return { result: undefined, commit };
        });
      }
    },
  };
}

const finished = (result: ApiResponse | Failure): Response => {
  const { status, text, headers } = contentOf(result);
  return respond(status, text, headers);
};

/** Returns the response to a result as it is stored. */
function contentOf(
  result: ApiResponse | Failure,
): { status: number; text: string; headers: Record<string, string> } {
  if (!("ok" in result)) {
    return { status: result.status, text: JSON.stringify(result.body), headers: {} };
  }
  const problem = problemOf(unwrapped(result));
  return { status: problem.status, text: problemText(problem), headers: problem.headers ?? {} };
}

const respond = (status: number, text: string, headers: Record<string, string>): Response =>
  new Response(text, { status, headers: { "content-type": "application/json", ...headers } });

/** Returns a saved response again. */
function replay(status: number, { body }: Saved): Response {
  if (body === null) throw refused("erased", { message: ERASED });
  return respond(status, body, { [REPLAYED]: "true" });
}

/** Returns the error of a failure. */
function unwrapped(failure: Failure): unknown {
  try {
    return unwrap(failure);
  } catch (error) {
    return error;
  }
}

/** Returns whether a later attempt may succeed. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

const refused = (error: string, details: Omit<Failure, "ok" | "error">) =>
  unwrapped(fail(error, details));

const MISMATCH = {
  message: "Another request was sent with this Idempotency-Key. Use a new key for a new request.",
};
const RUNS = {
  message: "A request with this Idempotency-Key is still running. Repeat it in a few seconds.",
  retryAfterSeconds: RETRY_MS / SECOND_MS,
};
const ERASED = "The request has succeeded, but its response was erased with the recipient’s data.";
