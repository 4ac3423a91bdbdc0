/**
 * A client of the API for servers: `npm install openapi-fetch`. It repeats requests that have failed for
 * a passing reason, with the same `Idempotency-Key`, so that nothing is done twice.
 *
 * @module
 */
import process from "node:process";
import createClient from "openapi-fetch";
import type { components, paths } from "./gatehouse_api.ts";

const { GATEHOUSE_API = "https://api.example", GATEHOUSE_API_KEY } = process.env;

export const gatehouse = createClient<paths>({
  baseUrl: GATEHOUSE_API,
  headers: { authorization: `Bearer ${GATEHOUSE_API_KEY}` },
  bodySerializer: (body) => typeof body === "string" ? body : JSON.stringify(body),
  async fetch(request) {
    if (request.method === "POST" && !request.headers.has("idempotency-key")) {
      request.headers.set("idempotency-key", crypto.randomUUID());
    }
    for (let attempt = 1;; attempt++) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(request.clone(), { signal }).catch((error) => {
        if (attempt === ATTEMPTS) throw error;
        return null; // no connection, it was lost, or the response took too long
      });
      const after = response?.headers.get("retry-after") ?? "0";
      const wait = response === null || !/^\d+$/.test(after) ? 1 : Number(after);
      if (response !== null && (wait === 0 || attempt === ATTEMPTS)) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  },
});

const ATTEMPTS = 4;
const TIMEOUT_MS = 120_000;

type Problem = components["schemas"]["Problem"];

/** An error of the API. Its code is stable; the message is for people. */
export class GatehouseError extends Error {
  readonly code: string;
  /** The body of the response. */
  readonly problem: Problem & { rows?: unknown };

  constructor(problem: Problem & { rows?: unknown }) {
    const { error, message, issues, rows } = problem;
    super([error, message, JSON.stringify(issues ?? rows)].join(": "));
    this.code = error;
    this.problem = problem;
  }
}

/** What a call returns: data, or an error, which is text if a proxy on the way responded. */
interface Result<Data> {
  data?: Data;
  error?: Problem | string;
  response: Response;
}

/** Returns the data of a response, or throws its error. */
export function dataOf<Data>({ data, error, response: { status, headers } }: Result<Data>): Data {
  if (status < 400) return data!;
  if (typeof error === "object") throw new GatehouseError(error);
  const message = `Status ${status}: ${error ?? ""}`.slice(0, 200);
  const request = headers.get("request-id") ?? "unknown";
  throw new GatehouseError({ error: `http_${status}`, message: `${message} (request ${request})` });
}
