/** Checks in tests that requests and responses are as the OpenAPI document says. */
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Json, JsonObject } from "../mod.ts";

/** Validates values with the schemas in an OpenAPI document. */
interface DocumentValidator {
  /**
   * Returns what is wrong with a value, or null.
   *
   * @param pointer the way to the schema in the document
   */
  problemOf(value: unknown, ...pointer: string[]): string | null;
}

interface Validate {
  (value: unknown): boolean;
  errors: unknown;
}
interface Validator {
  addSchema(schema: object, key: string): void;
  getSchema(key: string): Validate | undefined;
}

/**
 * Creates a validator of a document that is stricter than the document: members and values that it
 * does not list are errors, although clients must accept them.
 */
export function createDocumentValidator(document: JsonObject): DocumentValidator {
  const Constructor = Ajv2020 as unknown as new (options: object) => Validator;
  const ajv = new Constructor({ strict: false });
  (addFormats as unknown as (ajv: Validator) => void)(ajv);
  ajv.addSchema(closed(document) as JsonObject, "document");
  return {
    problemOf(value, ...pointer) {
      const path = pointer.map((part) =>
        encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))
      );
      const validate = ajv.getSchema(`document#/${path.join("/")}`);
      if (validate === undefined) return `The document has no schema at ${pointer.join(" → ")}.`;
      return validate(value) ? null : JSON.stringify(validate.errors);
    },
  };
}

function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== "object") return value;
  const { "x-extensible-enum": values, ...rest } = value;
  const json: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, closed(each)]),
  );
  if (values !== undefined) {
    const isNullable = [json.type].flat().includes("null");
    json.enum = isNullable ? [...values as Json[], null] : values;
  }
  if (json.type === "object" && "properties" in json) json.additionalProperties ??= false;
  return json;
}
