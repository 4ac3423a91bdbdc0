import type { BankClientOptions, BankErrorCode } from "./provider.ts";

/**
 * Checks whether the provider accepts a token, with one request for the smallest resource and no
 * retry. The response's body is not read.
 *
 * @returns null if it does
 */
export async function checkBank(
  { baseUrl, token, fetch }: Pick<BankClientOptions, "baseUrl" | "token" | "fetch">,
  signal: AbortSignal,
): Promise<BankErrorCode | null> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/api/v1/organization`, {
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    if (response.ok) return null;
    if (response.status === 401 || response.status === 403) return "auth_failed";
    return response.status === 429 ? "rate_limited" : "upstream_error";
  } catch {
    return "network_error";
  }
}
