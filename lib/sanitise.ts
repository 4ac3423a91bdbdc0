/**
 * Characters that have no place in text for people and agents: controls (but tab and newlines),
 * the bidirectional overrides and isolates that make text read other than it is, the zero-width
 * marks and tag characters that hide text.
 */
const UNSAFE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;
const ALL_UNSAFE = new RegExp(UNSAFE, "g");

/**
 * What JSON text with any of them holds: one of the class, or an escape, as which `JSON.stringify`
 * writes the first 32. A guard for the hot path, so it may be wrong on the safe side.
 */
const SUSPECT_JSON =
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\udb40]|\\[ubf]/;

/** Text without unsafe characters. */
export function cleanText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, "") : text;
}

/** JSON text whose strings and keys hold no unsafe characters. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  return SUSPECT_JSON.test(json) ? JSON.stringify(cleaned(value)) : json;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value) return cleaned(JSON.parse(JSON.stringify(value)));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), cleaned(item)]),
  );
}
