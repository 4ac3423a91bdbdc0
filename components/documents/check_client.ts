/** The requests of the page `/check`: looking up a file's hash, and proving that the browser has the file. */
import type { CheckAnswer } from "../../lib/features/documents/checks/check.ts";
import type { Visit } from "../../lib/features/records/keys/key_service.ts";
import { hashFile, type HashOptions } from "./hash_file.ts";

type LookUp = CheckAnswer | { ok: false; message: string };

const UNREACHABLE =
  "The publisher could not be reached. Check your connection, and then try again.";
const BROKEN = "The publisher's response was not understood. Try again in a minute.";

/**
 * Asks the publisher about the hash of a file.
 *
 * @param document the number of the document that the file prints
 */
export async function lookUp(
  sha256: string,
  signal: AbortSignal,
  document?: string,
): Promise<LookUp> {
  let response: Response;
  try {
    response = await post("/check", { sha256, document }, signal);
  } catch {
    return { ok: false, message: UNREACHABLE };
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return { ok: true, ...body };
  return { ok: false, message: response.status === 429 ? body?.message ?? BROKEN : BROKEN };
}

/** Proves to the publisher that this browser has a file. Returns null if that failed. */
export async function prove(
  file: Blob,
  sha256: string,
  nonce: string,
  options: Pick<HashOptions, "workerUrl" | "signal">,
): Promise<Visit | null> {
  try {
    const proof = await hashFile(file, { ...options, prefix: nonce });
    const response = await post("/check/verified", { nonce, sha256, proof }, options.signal);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const post = (path: string, body: unknown, signal: AbortSignal): Promise<Response> =>
  fetch(path, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
