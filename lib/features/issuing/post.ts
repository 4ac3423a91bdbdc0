import type { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { readIdempotencyKey } from "../../platform/http/idempotency_key.ts";
import type { StagedFile } from "../documents/mod.ts";
import { type Execute, type Idempotency, REPLAYED } from "./idempotency.ts";
import { checkFields } from "./request.ts";

/** The sender of a request. */
interface Caller {
  issuer: { id: string };
  test: boolean;
}

/**
 * Takes the valid input of a change, and returns what runs it. A failure is not saved for requests that are
 * repeated, because nothing has run.
 *
 * @param file the file of the request, as it was received; null if there is none
 */
export type Take<Input = unknown, File = StagedFile> = (
  input: Input,
  file: File | null,
) => Execute | Failure | Promise<Execute | Failure>;

/**
 * Begins a change: finds what it changes, before its input is validated. A failure, such as `not_found`, is not
 * saved either.
 */
export type Begin<Input, File> = () =>
  | Take<Input, File>
  | Failure
  | Promise<Take<Input, File> | Failure>;

/** A CSV file that was sent. */
export interface CsvFile {
  /** In the chunks in which it has arrived. */
  chunks: readonly Uint8Array[];
  /** The name that it has in a form; null if it is the body. */
  name: string | null;
}

/** The body of a request, whose fields are not validated yet. */
interface Body<File> {
  fields: Record<string, unknown>;
  file: File | null;
  /** The properties that equal files share. */
  fileContent: unknown;
}

/**
 * Reads the body of a request while `use` responds to it, and then removes what was received.
 *
 * @param use returns the response, and whether the file belongs to something now
 */
export type Receive<File> = (
  req: Request,
  use: (body: Body<File>) => Promise<{ response: Response; kept: boolean }>,
) => Promise<Response>;

/**
 * Handles a POST of the API. A request that is repeated with its `Idempotency-Key` gets its response before
 * anything is found or validated, because that may depend on the time and on what has changed.
 */
export type Post<File> = <Schema extends z.ZodType>(
  req: Request,
  caller: Caller,
  schema: Schema,
  begin: Begin<z.output<Schema>, File>,
) => Promise<Response>;

/** The handlers of POSTs, by the file that their body may have. */
export interface Posts {
  document: Post<StagedFile>;
  csv: Post<CsvFile>;
}

export const createPost = <File>(
  { idempotency, receive }: { idempotency: Idempotency; receive: Receive<File> },
): Post<File> =>
async (req, { issuer, test }, schema, begin) => {
  const key = readIdempotencyKey(req);
  return await receive(req, async ({ fields, file, fileContent }) => {
    const content = [new URL(req.url).pathname, fields, fileContent];
    const response = await idempotency.run({ issuer, test, key, content }, async (save) => {
      const take = begun(await begin());
      return await begun(await take(checkFields(schema, fields), file))(save);
    });
    return { response, kept: response.ok && !response.headers.has(REPLAYED) };
  });
};

/**
 * Returns the next step of a change.
 *
 * @throws {RequestError} if there is none, so that nothing is saved
 */
function begun<Step extends (...args: never[]) => unknown>(step: Step | Failure): Step {
  return typeof step === "function" ? step : unwrap(step);
}
