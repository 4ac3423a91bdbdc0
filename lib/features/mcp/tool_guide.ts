/** A property of a JSON Schema, as `tools/list` describes it. */
interface Property {
  type?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: (string | number)[];
  const?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** A JSON Schema of the arguments, as `tools/list` describes it. */
interface InputSchema {
  properties?: Record<string, Property>;
  required?: string[];
  examples?: Record<string, unknown>[];
}

/** An argument of a tool, as pages describe it. Plain JSON, because it is part of the page. */
export interface ToolField {
  name: string;
  type: string;
  required: boolean;
  /** The limits of a value, such as `1 to 200 characters` or `default 5`. */
  limits: string[];
  description: string;
  /** The values to choose from; null for any text. */
  choices: string[] | null;
  /** How the text of a form becomes an argument. */
  parse: "text" | "number" | "json";
  /** The text in a new form; empty if the example omits the argument. */
  example: string;
}

/**
 * Returns the arguments of a tool from the schema that `tools/list` sends, with the values of the
 * schema's first example.
 *
 * @example
 * ```ts
 * const [field] = toolFields({
 *   properties: { limit: { type: "integer", minimum: 1, maximum: 20, default: 5 } },
 * });
 * field.limits; // ["1 to 20", "default 5"]
 * ```
 */
export function toolFields(schema: object): ToolField[] {
  const { properties = {}, required = [], examples } = schema as InputSchema;
  return Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name);
    const example = examples !== undefined
      ? examples[0][name]
      : isRequired
      ? property.examples?.[0]
      : undefined;
    return {
      name,
      type: typeOf(property),
      required: isRequired,
      limits: limitsOf(property),
      description: property.description ?? "",
      choices: choicesOf(property),
      parse: parseOf(property),
      example: textOf(example),
    };
  });
}

/** Returns the arguments of a form's texts. An empty text omits the argument. */
export function argumentsOf(
  fields: readonly Pick<ToolField, "name" | "parse">[],
  texts: Readonly<Record<string, string>>,
): { ok: true; args: Record<string, unknown> } | { ok: false; field: string } {
  const args: Record<string, unknown> = {};
  for (const { name, parse } of fields) {
    const text = texts[name] ?? "";
    if (text.trim() === "") continue;
    try {
      args[name] = parse === "json" ? JSON.parse(text) : parse === "number" ? numberOf(text) : text;
    } catch {
      return { ok: false, field: name };
    }
  }
  return { ok: true, args };
}

/** Returns the JSON-RPC message that calls a tool. */
export const callMessage = (name: string, args: Record<string, unknown>) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

/** The headers that the transport requires of a call. */
export const CALL_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

/** Returns the command that calls a tool from a terminal. */
export function curlOfCall(endpoint: string, name: string, args: Record<string, unknown>): string {
  const body = JSON.stringify(callMessage(name, args)).replaceAll("'", "'\\''");
  const headers = Object.entries(CALL_HEADERS).map(([name, value]) => `  -H '${name}: ${value}'`);
  return [`curl ${endpoint}`, ...headers, `  -d '${body}'`].join(" \\\n");
}

/** Leaves other texts as they are, so that the server's own error explains what is wrong. */
const numberOf = (text: string) => Number.isFinite(Number(text)) ? Number(text) : text;

const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2);

function typeOf({ type = "any", enum: values, const: only }: Property): string {
  if (only !== undefined) return JSON.stringify(only);
  return values === undefined ? type : values.map((value) => JSON.stringify(value)).join(" | ");
}

function choicesOf({ enum: values, const: only }: Property): string[] | null {
  return values?.map(String) ?? (only === undefined ? null : [only]);
}

function parseOf({ type }: Property): ToolField["parse"] {
  if (type === "integer" || type === "number") return "number";
  return type === "string" ? "text" : "json";
}

function limitsOf(property: Property): string[] {
  const { minLength, maxLength, minimum, maximum, pattern } = property;
  const limits = [range(minimum, maximum), range(minLength, maxLength, " characters")];
  if (pattern !== undefined) limits.push(`matches ${pattern}`);
  if (property.default !== undefined && property.default !== "") {
    limits.push(`default ${JSON.stringify(property.default)}`);
  }
  return limits.filter((limit) => limit !== null);
}

function range(from: number | undefined, to: number | undefined, unit = ""): string | null {
  if (to === undefined) return from === undefined ? null : `at least ${from}${unit}`;
  return from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
}
