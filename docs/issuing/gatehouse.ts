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

/** An error of the API. Its code is stable; the message is for people. */
export class GatehouseError extends Error {
  constructor(readonly code: string, message: string, readonly issues?: Record<string, string>) {
    super(`${code}: ${message} ${issues ? JSON.stringify(issues) : ""}`);
  }
}

/** Returns the data of a response, or throws its error. */
export function dataOf<Data>(
  result: { data?: Data; error?: components["schemas"]["Problem"] },
): Data {
  const { data, error } = result;
  if (error !== undefined) throw new GatehouseError(error.error, error.message, error.issues);
  return data!;
}
