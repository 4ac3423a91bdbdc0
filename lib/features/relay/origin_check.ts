import type { RelayConfig } from "./config.ts";
import { requestHeaders } from "./headers.ts";

/** Why an origin cannot be relayed. */
export type OriginProblem = "unreachable" | "refused" | "led_out" | "server_error";

/**
 * Requests the headers of an origin's first page, with the service token.
 *
 * @returns null if the origin responds and accepts the token, whatever it has at that path
 */
export async function checkOrigin(
  relay: Pick<RelayConfig, "name" | "slug" | "clientId" | "clientSecret" | "origin">,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<OriginProblem | null> {
  const headers = requestHeaders(new Headers(), { ...relay, rewriteLinks: false });
  let response: Response;
  try {
    response = await fetch(`${relay.origin}/`, {
      method: "HEAD",
      headers,
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
  } catch {
    return "unreachable";
  }
  const { status } = response;
  if (status === 401 || status === 403) return "refused";
  const location = response.headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    // Access control sends requests without a valid token to its sign-in page.
    return URL.parse(location, relay.origin)?.origin === relay.origin ? null : "led_out";
  }
  // 501 is the response of servers without HEAD.
  return status < 500 || status === 501 ? null : "server_error";
}
