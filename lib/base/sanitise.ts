/**
 * Characters that must not reach people and agents: controls except tab and newlines, bidirectional
 * overrides and isolates, which change how text reads, and zero-width marks and tag characters,
 * which hide text.
 */
const UNSAFE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;
const ALL_UNSAFE = new RegExp(UNSAFE, "g");

/**
 * Matches JSON text that may contain unsafe characters: one of them, or an escape such as
 * `JSON.stringify` uses for the first 32. It is a quick check, so it may match safe text.
 */
const SUSPECT_JSON =
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\udb40]|\\[ubf]/;

/**
 * Returns text without unsafe characters: controls, bidirectional marks and hidden text. Tabs and
 * newlines stay.
 */
export function cleanText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, "") : text;
}

/** Returns a value as JSON without unsafe characters in strings and keys. */
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
