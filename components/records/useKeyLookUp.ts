import type { KeyReport, Visit } from "../../lib/features/records/keys/key_service.ts";
import { findKey } from "../../lib/features/records/keys/key_code.ts";
import { askPublisher, type LookUp, postJson, useFragmentLookUp } from "../useFragmentLookUp.ts";

/** The server's response to a page. */
export interface Answer {
  report: KeyReport;
  nonce: string | null;
  own: boolean;
}

/** Looks up the key in the page's fragment, see {@linkcode useFragmentLookUp}. */
export const useKeyLookUp = (initial: Answer | null) => useFragmentLookUp(initial, askFor);

const answerOf = (report: KeyReport): Answer => ({ report, nonce: null, own: false });

async function askFor(text: string): Promise<LookUp<Answer>> {
  const key = findKey(text);
  if (key === null) return { phase: "answered", answer: answerOf({ state: "malformed" }) };
  const read = (json: unknown) => {
    const { nonce = null, own = false, ...report } = json as KeyReport & Partial<Answer>;
    return { report: report as KeyReport, nonce, own };
  };
  return await askPublisher("/k", { key }, read, answerOf({ state: "unknown" }));
}

/** Tells the publisher that this browser verified the chain. Returns null if that failed. */
export async function reportVerified(nonce: string): Promise<Visit | null> {
  try {
    const response = await postJson("/k/verified", { nonce });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
