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
      const response = await fetch(request.clone()).catch((error) => {
        if (attempt === ATTEMPTS) throw error;
        return null; // no connection, or it was lost
      });
      const wait = response === null ? 1 : Number(response.headers.get("retry-after"));
      if (response !== null && (wait === 0 || attempt === ATTEMPTS)) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  },
});

const ATTEMPTS = 4;

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

/** Returns the data of a response, or throws its error. */
export function dataOf<Data>({ data, error }: { data?: Data; error?: Problem }): Data {
  if (error !== undefined) throw new GatehouseError(error);
  return data!;
}
