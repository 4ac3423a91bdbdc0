/** Checks that the provider of codes responds, without sending a message. */
import { z } from "zod";
import type { CodeProviderConfig, TwilioConfig } from "../variables.ts";
import { BODY_LIMIT, readChunks } from "../../../platform/http/body.ts";

/** A reason why codes cannot be sent. */
export type CodeProviderProblem = "unreachable" | "refused" | "suspended" | "server_error";

interface CheckDeps {
  fetch: typeof fetch;
  signal: AbortSignal;
}

/**
 * Checks whether a provider of codes responds, without sending anything: reads the account at
 * Twilio, and requests the headers of another provider's API without the key.
 *
 * @returns null if it responds and, at Twilio, the account is active
 */
export async function checkCodeProvider(
  provider: CodeProviderConfig,
  deps: CheckDeps,
): Promise<CodeProviderProblem | null> {
  try {
    if (provider.name === "http") return await checkApi(provider.url, deps);
    // The stand-in is not running.
    if (provider.account === undefined) return "unreachable";
    return await checkAccount(provider.account, deps);
  } catch {
    return "unreachable";
  }
}

async function checkApi(url: string, { fetch, signal }: CheckDeps) {
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal });
  await response.body?.cancel();
  return response.status < 500 ? null : "server_error";
}

const accountSchema = z.object({ status: z.string() });

async function checkAccount(account: TwilioConfig, { fetch, signal }: CheckDeps) {
  const { apiBase, accountSid, authToken } = account;
  const response = await fetch(`${apiBase}/2010-04-01/Accounts/${accountSid}.json`, {
    headers: { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
    redirect: "manual",
    signal,
  });
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    return status === 401 || status === 403 || status === 404 ? "refused" : "server_error";
  }
  const text = await readChunks(response.body, BODY_LIMIT);
  const { data } = accountSchema.safeParse(JSON.parse(text ?? "null"));
  if (data === undefined) return "server_error";
  return data.status === "active" ? null : "suspended";
}
