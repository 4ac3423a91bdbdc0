import type { LinkedEvent } from "../../lib/chain/mod.ts";
import type { Registered } from "../../lib/contact/contract.ts";

/** What comes over the network is looked at before it is used: by hand, for the bundle stays small. */

type Fields = Record<string, unknown>;

/** What the sequence needs of a registration. */
export type Receipt = Pick<Registered, "hash" | "events" | "masked" | "chain_url" | "verify_url">;

const HASH = /^[0-9a-f]{64}$/;
const KIND = /^[a-z0-9_]{1,40}$/;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 2_000;

/** Only web addresses: one with `javascript:` would run in the host page. */
export const isWebAddress = (value: unknown): value is string =>
  isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** The answer of the register endpoint, or null where it is not one. */
export function readReceipt(value: unknown): Receipt | null {
  if (!isFields(value) || !isFields(value.masked)) return null;
  const { hash, masked: { email, mobile }, chain_url, verify_url } = value;
  const events = readEvents(value.events);
  if (typeof hash !== "string" || !HASH.test(hash)) return null;
  if (!isText(email) || !(mobile === null || isText(mobile))) return null;
  if (!isWebAddress(chain_url) || !isWebAddress(verify_url)) return null;
  if (events === null || events.length === 0) return null;
  return { hash, events, masked: { email, mobile }, chain_url, verify_url };
}

/** Some events, ascending without a gap, or null where they are not that. */
export function readEvents(value: unknown): LinkedEvent[] | null {
  if (!Array.isArray(value)) return null;
  return value.every((event, i) => isEvent(event) && event.seq === value[0].seq + i) ? value : null;
}

function isEvent(value: unknown): value is LinkedEvent {
  return isFields(value) && Number.isSafeInteger(value.seq) && Number(value.seq) >= 0 &&
    typeof value.kind === "string" && KIND.test(value.kind) &&
    typeof value.at === "string" && !Number.isNaN(Date.parse(value.at));
}

/** A refusal: its code, and what is wrong with each field. */
export function readRefusal(value: unknown): { code: string; issues: Record<string, string> } {
  const { error, issues } = isFields(value) ? value : {} as Fields;
  const texts = Object.entries(isFields(issues) ? issues : {}).filter(([, text]) => isText(text));
  return {
    code: typeof error === "string" ? error : "",
    issues: Object.fromEntries(texts) as Record<string, string>,
  };
}
