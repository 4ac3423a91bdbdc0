/**
 * The handling of a POST of the API: its body is received, it runs once, and its response is saved.
 *
 * @module
 */
import type { z } from "zod";
import type { Failure } from "../../../base/result.ts";
import { unwrap } from "../../../platform/http/errors.ts";
import { readIdempotencyKey } from "../../../platform/http/idempotency_key.ts";
import { inUnit } from "../../../platform/kv/mod.ts";
import type { StagedFile } from "../../documents/mod.ts";
import type { ApiResponse, Call, Caller } from "../../issuers/mod.ts";
import { type Idempotency, REPLAYED, type SaveResponse } from "./idempotency.ts";
import { checkFields } from "./request.ts";

/** A CSV file that was sent. */
export interface CsvFile {
  /** In the chunks in which it has arrived. */
  chunks: readonly Uint8Array[];
  /** The name that it has in a form; null if it is the body. */
  name: string | null;
}

/** The body of a request, whose fields are not validated yet. */
export interface Body<File> {
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
  handle: (call: Call<z.output<Schema>, File>) => Promise<ApiResponse | Failure>,
) => Promise<Response>;

/** The handlers of POSTs, by the file that their body may have. */
export interface Posts {
  document: Post<StagedFile>;
  csv: Post<CsvFile>;
}

export const createPost = <File>(
  { idempotency, receive, ...store }: Store & { idempotency: Idempotency; receive: Receive<File> },
): Post<File> =>
async (req, caller, schema, handle) => {
  const key = readIdempotencyKey(req);
  return await receive(req, async ({ fields, file, fileContent }) => {
    const content = [new URL(req.url).pathname, fields, fileContent];
    const { issuer, test } = caller;
    const response = await idempotency.run(
      { issuer, test, key, content },
      (save) => handle(callOf(store, { caller, schema, fields, file, save })),
    );
    return { response, kept: response.ok && !response.headers.has(REPLAYED) };
  });
};

/** Returns a request as its handler takes it. */
export const callOf = <Schema extends z.ZodType, File>(
  store: Store,
  { schema, fields, save, ...call }: {
    caller: Caller;
    schema: Schema;
    fields: Record<string, unknown>;
    file: File | null;
    save: SaveResponse;
  },
): Call<z.output<Schema>, File> => ({
  ...call,
  input: () => checkFields(schema, fields),
  require: unwrap as Call["require"],
  commit: (write) =>
    inUnit(store, async (unit) => {
      const response = await write(unit);
      return "ok" in response ? response : await save(unit.commit, response) ?? response;
    }),
});

interface Store {
  kv: Deno.Kv;
  clock: () => number;
}
