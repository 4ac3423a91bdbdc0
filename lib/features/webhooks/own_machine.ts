import type { EndpointRow, Mode } from "./rows.ts";

/**
 * Returns whether a URL leads to the developer's own machine: `http://localhost:3000/events`. In development, the
 * site is on that machine too and sends events there. Elsewhere, only tests may have such a URL: their events are
 * held, and `deno task webhooks:forward` fetches them.
 */
export function isOwnMachine({ protocol, hostname, port, username, password, hash }: URL): boolean {
  return protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1") &&
    port !== "" && username === "" && password === "" && hash === "";
}

/** Returns whether the site sends nothing to an endpoint, because it cannot reach the machine. */
export const isForwarded = (
  { url }: Pick<EndpointRow, "url">,
  { inDevelopment }: { inDevelopment: boolean },
): boolean => !inDevelopment && isOwnMachine(new URL(url));

/** Returns whether an endpoint may have a URL on the developer's own machine. */
export const mayBeOwnMachine = (
  mode: Mode,
  { inDevelopment }: { inDevelopment: boolean },
): boolean => inDevelopment || mode === "test";
