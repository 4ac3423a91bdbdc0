import { createHash } from "node:crypto";
import type { z } from "zod";
import { concatBytes } from "../../../base/encoding.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { readBytes } from "../../../platform/http/body.ts";
import { RequestError, unwrap } from "../../../platform/http/errors.ts";
import { fileOf, readFileForm } from "../../../platform/http/file_form.ts";
import type { FeedSource } from "../../../platform/http/feed_streams.ts";
import { readHeader } from "../../../platform/http/header.ts";
import { byKey } from "../../documents/mod.ts";
import type { Caller } from "../api.ts";
import type { Execute, Idempotency } from "../idempotency.ts";
import { readIdempotencyKey } from "../post.ts";
import { checkFields, checkParams } from "../request.ts";
import { newBatchSchema } from "./input.ts";
import type { Batches, BatchResult } from "./mod.ts";
import { type batchListSchema, type BatchObject, batchObject } from "./object.ts";
import { MAX_FILE } from "./records.ts";
import { resultsResponse } from "./results.ts";
import { batches as table, type BatchRow, isFinished } from "./rows.ts";

const FILE_TYPES = ["text/csv", "multipart/form-data"];

/** How long a client may take to send a file. */
const TIMEOUT_MS = 5 * MINUTE_MS;

/** The operations of issuers on batches through the API. Those of other issuers and modes are not found. */
export interface BatchApi {
  /** Handles a file that is sent. */
  create(req: Request, caller: Caller): Promise<Response>;
  read(caller: Caller, id: string): Promise<{ ok: true; batch: BatchObject } | Failure>;
  list(caller: Caller): Promise<z.infer<typeof batchListSchema>>;
  /** Returns what a stream follows, which sends the batch when it changes. */
  source(caller: Caller, id: string): FeedSource<string>;
  send(caller: Caller, id: string): Promise<Execute | Failure>;
  cancel(caller: Caller, id: string): Promise<Execute | Failure>;
  /** Returns the outcome of each row as a CSV file. */
  results(caller: Pick<Caller, "issuer" | "test">, id: string): Promise<Response>;
}

export interface BatchApiOptions {
  kv: Deno.Kv;
  batches: Batches;
  idempotency: Idempotency;
  trustUrl: (path: string) => string;
}

export function createBatchApi(options: BatchApiOptions): BatchApi {
  const { kv, batches, idempotency } = options;

  const describe = async (caller: Caller, batch: BatchRow): Promise<BatchObject> =>
    batchObject(batch, await batches.stopReason(caller, batch));

  const find = async (
    caller: Pick<Caller, "issuer" | "test">,
    id: string,
  ): Promise<{ ok: true; row: BatchRow } | Failure> => {
    const row = await batches.read(caller, id);
    return row === null ? fail("not_found", { message: NOT_FOUND }) : { ok: true, row };
  };

  const responseTo = async (caller: Caller, result: BatchResult) =>
    result.ok ? { status: 200, body: await describe(caller, result.batch) } : result;

  return {
    async create(req, caller) {
      const key = readIdempotencyKey(req);
      const { bytes, name, fields } = await readFile(req);
      const { dry_run, file_name, ...defaults } = fields === null
        ? checkParams(newBatchSchema, new URL(req.url))
        : checkFields(newBatchSchema, fields);
      const { issuer, test } = caller;
      const { rows } = unwrap(
        await batches.check(issuer, new Blob([bytes]).stream(), defaults),
      );
      if (dry_run === "true") return Response.json({ object: "batch_check", rows: rows.length });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const content = [new URL(req.url).pathname, defaults, sha256];
      return await idempotency.run({ issuer, test, key, content }, async (save) => {
        const file = { name: name ?? file_name ?? null, by: byKey(caller.key.id), rows };
        const added = await batches.add(
          caller,
          file,
          (commit, batch) => save(commit, { status: 201, body: batchObject(batch, null) }),
        );
        return added.ok ? { status: 201, body: batchObject(added.batch, null) } : added;
      });
    },
    async read(caller, id) {
      const found = await find(caller, id);
      return found.ok ? { ok: true, batch: await describe(caller, found.row) } : found;
    },
    list: async (caller) => ({
      object: "list",
      data: await Promise.all(
        (await batches.list(caller)).map((batch) => describe(caller, batch)),
      ),
    }),
    source: (caller, id) => ({
      key: table.key(id),
      idOf: (position) => position,
      async read(position) {
        const found = await find(caller, id);
        if (!found.ok) return { events: [], position, more: false, ends: true };
        const { row } = found;
        const next = `${row.state}.${row.at}`;
        if (next === position) return { events: [], position, more: false };
        const data = await describe(caller, row);
        const events = [{ id: next, event: "batch", data }];
        return { events, position: next, more: false, ends: isFinished(row) };
      },
    }),
    async send(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      return async () =>
        await responseTo(caller, await batches.send(caller, id, byKey(caller.key.id)));
    },
    async cancel(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      return async () =>
        await responseTo(caller, await batches.cancel(caller, id, byKey(caller.key.id)));
    },
    async results(caller, id) {
      const { row } = unwrap(await find(caller, id));
      return resultsResponse({ ...options, kv }, row, batches.lines(row));
    },
  };
}

const NOT_FOUND = "There is no such batch.";

/**
 * Reads a file that is the body, with parameters in the URL, or that is in a form with fields.
 *
 * @throws {RequestError} 400, 408, 413, 415
 */
async function readFile(req: Request) {
  const type = (readHeader(req, "content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
  if (type === FILE_TYPES[0]) {
    const bytes = await readBytes(req, MAX_FILE, TIMEOUT_MS);
    if (bytes === undefined) {
      throw new RequestError(413, `Send at most ${MAX_FILE / 1024 / 1024} MiB.`);
    }
    return { bytes, name: null, fields: null };
  }
  if (type !== FILE_TYPES[1]) {
    throw new RequestError(415, "Send a CSV file, or a form with one.", {
      headers: { accept: FILE_TYPES.join(", ") },
    });
  }
  const form = await readFileForm(req, MAX_FILE, TIMEOUT_MS);
  const { name, body } = fileOf(form);
  const bytes = concatBytes(await Array.fromAsync(body));
  return { bytes, name: name.slice(0, 255), fields: form.fields };
}
