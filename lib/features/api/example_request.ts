/** Example requests of operations, also as `curl` commands. */
import type { Operation } from "./operation.ts";

interface ExampleRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** A placeholder for the value of the session's cookie. */
export const SESSION = "<session>";
/** A placeholder for an API key. */
export const API_KEY = "<key>";

/**
 * Returns the request of an operation's example. It has no `Idempotency-Key`: a reader who copied a
 * fixed one and changed the body would get a conflict with somebody else's enquiry.
 *
 * @param base the start of the server's URLs
 * @param values replace those of the example
 */
export function exampleRequest(
  { method, path, holder, keyScope, body: bodySchema, bodyType, example }: Operation,
  base: string,
  values: Partial<Operation["example"]> = {},
): ExampleRequest {
  const { params = {}, query = {}, body } = { ...example, ...values };
  const url = new URL(base + path.replace(/:(\w+)/g, (_, name) => params[name]));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return {
    method: method.toUpperCase(),
    url: url.href,
    headers: {
      ...bodySchema && { "content-type": bodyType ?? "application/json" },
      ...keyScope !== undefined && { "authorization": `Bearer ${API_KEY}` },
      ...holder && { "cookie": `record_session=${SESSION}` },
    },
    body: bodySchema ? typeof body === "string" ? body : JSON.stringify(body) : null,
  };
}

/**
 * Returns a request as a line for the shell.
 *
 * @example
 * ```ts
 * curlOf(exampleRequest(operation, "https://api.example"));
 * // curl -s 'https://api.example/api/chain/2c26…?limit=2'
 * ```
 */
export function curlOf({ method, url, headers, body }: ExampleRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [
    `curl -s ${quote(url)}`,
    ...method === "GET" || method === "POST" && body !== null ? [] : [`-X ${method}`],
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...body === null ? [] : [`-d ${quote(body)}`],
  ];
  return parts.join(" \\\n  ");
}
