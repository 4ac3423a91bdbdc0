import type { z } from "zod";
import { type Failure, rateLimited } from "../../base/result.ts";
import { SECOND_MS } from "../../base/time.ts";
import { BODY_LIMIT, invalidInput, isJsonPost } from "../../platform/http/body.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { drain } from "../../platform/http/file_form.ts";
import type { Documents, StagedFile } from "../documents/mod.ts";
import { type Execute, type Idempotency, REPLAYED } from "./idempotency.ts";
import { type ApiInput, checkFields, fileProblem, readApiInput } from "./request.ts";

/** The sender of a request. */
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

/** How many files in base64 of one issuer are in memory at a time. Forms with a file are never. */
const MOST_IN_MEMORY = 4;

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
  /** The number of large JSON bodies that are being received, by issuer. */
  const inMemory = new Map<string, number>();

  /** Runs something while a request may hold a large body in memory. */
  async function holding<Result>(
    req: Request,
    issuer: string,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const length = Number(req.headers.get("content-length") ?? Infinity);
    if (!isJsonPost(req) || length <= BODY_LIMIT) return await run();
    const count = inMemory.get(issuer) ?? 0;
    if (count >= MOST_IN_MEMORY) throw unwrap({ ...rateLimited(SECOND_MS), message: IN_MEMORY });
    inMemory.set(issuer, count + 1);
    try {
      return await run();
    } finally {
      const left = inMemory.get(issuer)! - 1;
      if (left === 0) inMemory.delete(issuer);
      else inMemory.set(issuer, left);
    }
  }

  return async (req, caller, schema, prepare) => {
    const key = readIdempotencyKey(req);
    let input: ApiInput = { fields: {}, file: null };
    const staged: { file: StagedFile | null } = { file: null };
    try {
      const fields = await holding(req, caller.issuer.id, async () => {
        input = await readApiInput(req);
        // Only schemas with the field accept a file.
        const given = input.file === null ? input.fields : { ...input.fields, file: "" };
        const fields = checkFields(schema, given);
        if (input.file !== null) {
          const received = await documents.receive(input.file.body, input.file.name);
          staged.file = unwrap(received.ok ? received : fileProblem(received)).file;
          input.file = null; // which may have been in memory
        }
        return fields;
      });
      const { file } = staged;
      const prepared = await prepare(fields, file);
      if (typeof prepared !== "function") throw unwrap(prepared);
      const { pathname } = new URL(req.url);
      const content = [pathname, input.fields, file && [file.name, file.file.sha256]];
      const { issuer, test } = caller;
      const response = await idempotency.run({ issuer, test, key, content }, prepared);
      if (response.ok && !response.headers.has(REPLAYED)) staged.file = null; // a document has it
      return response;
    } finally {
      // A client that still sends would see a closed connection instead of the response.
      await drain(input);
      if (staged.file !== null) await documents.discard(staged.file);
    }
  };
}

const IN_MEMORY =
  `At most ${MOST_IN_MEMORY} large JSON bodies are received at a time. Send files one after another, or ` +
  "as forms, which have no such limit.";
