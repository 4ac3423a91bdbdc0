import type { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { invalidInput } from "../../platform/http/body.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { drain } from "../../platform/http/file_form.ts";
import type { Documents, StagedFile } from "../documents/mod.ts";
import { type Execute, type Idempotency, REPLAYED } from "./idempotency.ts";
import { type ApiInput, checkFields, fileProblem, readApiInput } from "./request.ts";

/** Who sends a request. */
interface Caller {
  issuer: { id: string };
  test: boolean;
}

/**
 * Decides whether a valid request can run, and returns what runs it. A failure is not saved for requests
 * that are repeated, because nothing has run.
 *
 * @param file the file of the request, as it was received; null if there is none
 */
export type Prepare<Input> = (
  input: Input,
  file: StagedFile | null,
) => Promise<Execute | Failure>;

/**
 * Handles a POST of the API: reads and validates the body, receives the file, and runs the request once for
 * its `Idempotency-Key`.
 *
 * @example
 * ```ts
 * POST: withKey("documents:write", ({ req, params, state: { services } }, caller) =>
 *   services.issuerApi.post(req, caller, withdrawSchema, (input) =>
 *     services.issuerApi.withdraw(caller, params.id, input))),
 * ```
 */
export type Post = <Schema extends z.ZodType>(
  req: Request,
  caller: Caller,
  schema: Schema,
  prepare: Prepare<z.output<Schema>>,
) => Promise<Response>;

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the `Idempotency-Key` of a request; null if there is none.
 *
 * @throws {RequestError} 400 if it is malformed
 */
export function readIdempotencyKey(req: Request): string | null {
  const key = req.headers.get("idempotency-key");
  if (key === null || KEY.test(key)) return key;
  throw invalidInput({ "Idempotency-Key": "Use 1 to 255 visible ASCII characters." });
}

export function createPost(
  { documents, idempotency }: {
    documents: Pick<Documents, "receive" | "discard">;
    idempotency: Idempotency;
  },
): Post {
  return async (req, caller, schema, prepare) => {
    const key = readIdempotencyKey(req);
    let input: ApiInput = { fields: {}, file: null };
    let file: StagedFile | null = null;
    try {
      input = await readApiInput(req);
      const fields = checkFields(schema, input.fields);
      if (input.file !== null) {
        const received = await documents.receive(input.file.body, input.file.name);
        file = unwrap(received.ok ? received : fileProblem(received)).file;
      }
      const prepared = await prepare(fields, file);
      if (typeof prepared !== "function") throw unwrap(prepared);
      const { pathname } = new URL(req.url);
      const content = [pathname, input.fields, file && [file.name, file.file.sha256]];
      const { issuer, test } = caller;
      const response = await idempotency.run({ issuer, test, key, content }, prepared);
      if (response.ok && !response.headers.has(REPLAYED)) file = null; // the document has it
      return response;
    } finally {
      // A client that still sends would see a closed connection instead of the response.
      await drain(input);
      if (file !== null) await documents.discard(file);
    }
  };
}
