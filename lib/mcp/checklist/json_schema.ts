import { Ajv, AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

type Schema = Record<string, unknown>;

/**
 * What is wrong with a tool's input schema: against the meta-schema, whether it compiles in its
 * own dialect, and that it describes an object. Empty where all is well.
 */
export function schemaFaults(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return ["is not an object"];
  }
  const faults = (schema as Schema).type === "object" ? [] : ['has not "type": "object"'];
  // Later drafts keep draft-07's keywords, so its meta-schema serves them too.
  const ajv = new Ajv({ strict: false });
  const { $schema: _, ...plain } = schema as Schema;
  if (!ajv.validateSchema(plain)) faults.push(ajv.errorsText(ajv.errors, { dataVar: "schema" }));
  else {
    try {
      new AjvJsonSchemaValidator().getValidator(schema as Schema);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  return faults;
}

/** Why a value does not fit a valid schema; undefined where it does. */
export function misfit(schema: Schema, value: unknown): string | undefined {
  return new AjvJsonSchemaValidator().getValidator(schema)(value).errorMessage;
}
