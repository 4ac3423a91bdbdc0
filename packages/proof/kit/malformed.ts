/**
 * Values that a verifier must reject because of their form, each slightly wrong, for events, heads and
 * keys.
 *
 * @module
 */

/** Texts close to `text` that have another form, unless any text is allowed at its ends. */
export const surrounded = (text: string): [how: string, text: string][] => [
  ["is empty", ""],
  ["begins with a space", ` ${text}`],
  ["ends with a space", `${text} `],
  ["ends with a line break", `${text}\n`],
];

/** The same for text of a fixed length. */
export const resized = (text: string): [how: string, text: string][] => [
  ["lacks its first character", text.slice(1)],
  ["repeats its first character", text[0] + text],
];

/** A value of another JSON type that looks similar. */
export const retyped = (value: unknown): unknown =>
  typeof value === "string" ? [value] : String(value);

export const NOT_OBJECTS: readonly unknown[] = [null, [], "{}", 3, true];

export const NOT_INSTANTS: readonly string[] = [
  "2026-02-29T23:59:59.999Z",
  "2026-02-30T23:59:59.999Z",
  "2026-13-01T00:00:00.000Z",
  "2026-00-01T00:00:00.000Z",
  "2026-01-00T00:00:00.000Z",
  "2026-01-01T24:00:00.000Z",
  "2026-01-01T23:60:00.000Z",
  "2026-01-01T23:59:60.000Z",
  "2026-01-01T23:59:59Z",
  "2026-01-01T23:59:59.9Z",
  "2026-01-01T23:59:59.9999Z",
  "2026-01-01T23:59:59.999",
  "2026-01-01T23:59:59.999+00:00",
  "2026-01-01T23:59:59.999z",
  "2026-01-01t23:59:59.999Z",
  "2026-01-01 23:59:59.999Z",
  "2026-1-1T23:59:59.999Z",
  "+002026-01-01T23:59:59.999Z",
  "20260101T235959.999Z",
];

/** Instants at the ends of what is allowed. */
export const INSTANTS: readonly string[] = [
  "0000-02-29T00:00:00.000Z",
  "2000-02-29T23:59:59.999Z",
  "9999-12-31T23:59:59.999Z",
];

/** Members of a public key that make it unusable. */
export const UNUSABLE_KEYS: readonly (readonly [how: string, members: Record<string, unknown>])[] =
  [
    ["another `kty`", { kty: "EC" }],
    ["another `crv`", { crv: "X25519" }],
    ["`x` with an unused bit set", { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp" }],
    ["`x` with padding", { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=" }],
    ["`x` with a line break", { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\n" }],
    ["`x` in ordinary base64", { x: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo" }],
    ["`x` of 31 bytes", { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ" }],
    ["`x` of 44 characters", { x: "111qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }],
  ];

/** Values in a key set that are not Ed25519 keys. */
export const NOT_KEYS: readonly unknown[] = [
  null,
  7,
  "key",
  [],
  {},
  { kty: "OKP", crv: "Ed25519" },
  { kty: "OKP", crv: "Ed25519", x: 7 },
  { kty: "RSA", n: "AQAB", e: "AQAB" },
];
