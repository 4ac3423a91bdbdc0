/**
 * Checks responses before they are used. Written by hand, because a schema library would make the
 * bundle too large.
 *
 * @module
 */
import { parseUrl } from "../../lib/base/urls.ts";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { MASKED_FIELDS } from "../../lib/features/contact/fields.ts";
import type { Registered } from "../../lib/features/contact/receipt.ts";

type Fields = Record<string, unknown>;

export type Receipt =
  & Pick<Registered, "hash" | "events" | "masked" | "chain_url" | "verify_url">
  & { organisation?: Registered["organisation"] };

const HASH = /^[0-9a-f]{64}$/;
const KIND = /^[a-z0-9_]{1,40}$/;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 2_000;

/** Returns whether it is an HTTP URL. A `javascript:` URL would run in the host page. */
export const isWebAddress = (value: unknown): value is string =>
  isText(value) && /^https?:$/.test(parseUrl(value)?.protocol ?? "");

export function readReceipt(value: unknown): Receipt | null {
  if (!isFields(value)) return null;
  const { hash, chain_url, verify_url } = value;
  const masked = readMasked(value.masked);
  const events = readEvents(value.events);
  if (typeof hash !== "string" || !HASH.test(hash)) return null;
  if (masked === null || events === null || events.length === 0) return null;
  if (!isWebAddress(chain_url) || !isWebAddress(verify_url)) return null;
  const organisation = isText(value.organisation) ? value.organisation : undefined;
  return { hash, organisation, events, masked, chain_url, verify_url };
}

function readMasked(value: unknown): Receipt["masked"] | null {
  if (!isFields(value)) return null;
  const isValid = MASKED_FIELDS.every((field) => {
    const text = value[field.name];
    return isText(text) || (text === null && !("missing" in field));
  });
  return isValid ? value as Receipt["masked"] : null;
}

/** Reads events in ascending order without gaps; null if they are invalid. */
export function readEvents(value: unknown): LinkedEvent[] | null {
  if (!Array.isArray(value)) return null;
  return value.every((event, i) => isEvent(event) && event.seq === value[0].seq + i) ? value : null;
}

function isEvent(value: unknown): value is LinkedEvent {
  return isFields(value) && Number.isSafeInteger(value.seq) && Number(value.seq) >= 0 &&
    typeof value.kind === "string" && KIND.test(value.kind) &&
    typeof value.at === "string" && !Number.isNaN(Date.parse(value.at));
}

export function readRefusal(value: unknown): { code: string; issues: Record<string, string> } {
  const { error, issues } = isFields(value) ? value : {} as Fields;
  const texts = Object.entries(isFields(issues) ? issues : {}).filter(([, text]) => isText(text));
  return {
    code: typeof error === "string" ? error : "",
    issues: Object.fromEntries(texts) as Record<string, string>,
  };
}
