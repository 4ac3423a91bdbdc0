/** The API endpoints of batches: creating, checking, reading, listing, sending and cancelling them. */
import type { z } from "zod";
import { fail, type Failure } from "../../../base/result.ts";
import type { FeedSource } from "../../../platform/http/feed_streams.ts";
import { byKey } from "../../documents/mod.ts";
import type { ApiResponse, Call, Caller } from "../../issuers/mod.ts";
import type { CsvFile } from "../http/post.ts";
import type { CheckedFile } from "./check.ts";
import type { BatchInput, NewBatch } from "./input.ts";
import type { Batches, BatchResult } from "./mod.ts";
import {
  type batchCheckSchema,
  type batchListSchema,
  type BatchObject,
  batchObject,
} from "./object.ts";
import { resultsResponse } from "../http/batch_results.ts";
import { batches as table, type BatchRow, isFinished } from "./rows.ts";

/** The operations of issuers on batches through the API. Those of other issuers and modes are not found. */
export interface BatchApi {
  /** @param isRepeatable true if the request has an `Idempotency-Key`, so that it may equal an earlier one */
  create(call: Call<NewBatch, CsvFile>, isRepeatable: boolean): Promise<ApiResponse | Failure>;
  /** Checks a file, and issues nothing. */
  check(call: Call<BatchInput, CsvFile>): Promise<ApiResponse | Failure>;
  read(caller: Caller, id: string): Promise<{ ok: true; batch: BatchObject } | Failure>;
  list(caller: Caller): Promise<z.infer<typeof batchListSchema>>;
  /** Returns what a stream follows, which sends the batch when it changes. */
  source(caller: Caller, id: string): FeedSource<string>;
  send(call: Call, id: string): Promise<ApiResponse | Failure>;
  cancel(call: Call, id: string): Promise<ApiResponse | Failure>;
  /** Returns the outcome of each row as a CSV file. */
  results(
    caller: Pick<Caller, "issuer" | "test">,
    id: string,
  ): Promise<{ ok: true; csv: Response } | Failure>;
}

interface BatchApiOptions {
  kv: Deno.Kv;
  batches: Batches;
  trustUrl: (path: string) => string;
}

export function createBatchApi(options: BatchApiOptions): BatchApi {
  const { batches } = options;

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
    async check({ caller, file, input, require }) {
      const { file_name: _, unprintable, ...defaults } = input();
      const leaveOut = unprintable === "leave_out";
      const checking = batches.check(caller.issuer, file!.chunks, defaults, { leaveOut });
      return { status: 200, body: checkOf(require(await checking)) };
    },
    async create(call, isRepeatable) {
      const { issuer, key } = call.caller;
      const { allow_duplicate, file_name, unprintable, ...defaults } = call.input();
      const { chunks, name } = call.file!;
      const leaveOut = unprintable === "leave_out";
      const { rows } = call.require(await batches.check(issuer, chunks, defaults, { leaveOut }));
      const added = await batches.store(call.caller, {
        name: name ?? file_name ?? null,
        by: byKey(key.id),
        rows,
        allowDuplicate: isRepeatable || allow_duplicate === "true",
      });
      if (!added.ok) return added;
      return await call.commit(async (unit) => {
        const begun = await batches.write.begin(unit, added.stored);
        return begun.ok ? { status: 201, body: batchObject(begun.batch, null) } : begun;
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
        const events = [{ id: next, data }];
        return { events, position: next, more: false, ends: isFinished(row) };
      },
    }),
    async send({ caller, input, require }, id) {
      require(await find(caller, id));
      input(); // only to refuse a body with fields
      return await responseTo(caller, await batches.send(caller, id, byKey(caller.key.id)));
    },
    async cancel({ caller, input, require }, id) {
      require(await find(caller, id));
      input(); // only to refuse a body with fields
      return await responseTo(caller, await batches.cancel(caller, id, byKey(caller.key.id)));
    },
    async results(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { row } = found;
      return { ok: true, csv: resultsResponse(options, row, batches.lines(row)) };
    },
  };
}

const checkOf = (
  { rows, leftOut }: Extract<CheckedFile, { ok: true }>,
): z.infer<typeof batchCheckSchema> => ({
  object: "batch_check",
  rows: rows.length,
  left_out: leftOut,
});

const NOT_FOUND = "There is no such batch.";
