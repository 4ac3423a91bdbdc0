import type { z } from "zod";
import { fail, type Failure } from "../../../base/result.ts";
import { unwrap } from "../../../platform/http/errors.ts";
import type { FeedSource } from "../../../platform/http/feed_streams.ts";
import { byKey } from "../../documents/mod.ts";
import type { Caller } from "../api.ts";
import type { CsvFile, Take } from "../post.ts";
import type { CheckedFile } from "./check.ts";
import type { BatchInput, NewBatch } from "./input.ts";
import type { Batches, BatchResult } from "./mod.ts";
import {
  type batchCheckSchema,
  type batchListSchema,
  type BatchObject,
  batchObject,
} from "./object.ts";
import { resultsResponse } from "./results.ts";
import { batches as table, type BatchRow, isFinished } from "./rows.ts";

/** The operations of issuers on batches through the API. Those of other issuers and modes are not found. */
export interface BatchApi {
  /** @param isRepeatable true if the request has an `Idempotency-Key`, so that it may equal an earlier one */
  create(caller: Caller, isRepeatable: boolean): Take<NewBatch, CsvFile>;
  /** Checks a file, and issues nothing. */
  check(caller: Caller): Take<BatchInput, CsvFile>;
  read(caller: Caller, id: string): Promise<{ ok: true; batch: BatchObject } | Failure>;
  list(caller: Caller): Promise<z.infer<typeof batchListSchema>>;
  /** Returns what a stream follows, which sends the batch when it changes. */
  source(caller: Caller, id: string): FeedSource<string>;
  send(caller: Caller, id: string): Promise<Take | Failure>;
  cancel(caller: Caller, id: string): Promise<Take | Failure>;
  /** Returns the outcome of each row as a CSV file. */
  results(caller: Pick<Caller, "issuer" | "test">, id: string): Promise<Response>;
}

interface BatchApiOptions {
  kv: Deno.Kv;
  batches: Batches;
  trustUrl: (path: string) => string;
}

export function createBatchApi(options: BatchApiOptions): BatchApi {
  const { kv, batches } = options;

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
    check: (caller) => async ({ file_name: _, unprintable, ...defaults }, sent) => {
      const leaveOut = unprintable === "leave_out";
      const checked = await batches.check(caller.issuer, sent!.chunks, defaults, { leaveOut });
      if (!checked.ok) return checked;
      const body = checkOf(checked);
      return () => Promise.resolve({ status: 200, body });
    },
    create: (caller, isRepeatable) => async (input, sent) => {
      const { allow_duplicate, file_name, unprintable, ...defaults } = input;
      const { chunks, name: nameInForm } = sent!;
      const leaveOut = unprintable === "leave_out";
      const checked = await batches.check(caller.issuer, chunks, defaults, { leaveOut });
      if (!checked.ok) return checked;
      const name = nameInForm ?? file_name ?? null;
      return async (save) => {
        const file = {
          name,
          by: byKey(caller.key.id),
          rows: checked.rows,
          allowDuplicate: isRepeatable || allow_duplicate === "true",
        };
        const added = await batches.add(
          caller,
          file,
          (commit, batch) => save(commit, { status: 201, body: batchObject(batch, null) }),
        );
        return added.ok ? { status: 201, body: batchObject(added.batch, null) } : added;
      };
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
    async send(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      return () => async () =>
        await responseTo(caller, await batches.send(caller, id, byKey(caller.key.id)));
    },
    async cancel(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      return () => async () =>
        await responseTo(caller, await batches.cancel(caller, id, byKey(caller.key.id)));
    },
    async results(caller, id) {
      const { row } = unwrap(await find(caller, id));
      return resultsResponse({ ...options, kv }, row, batches.lines(row));
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
