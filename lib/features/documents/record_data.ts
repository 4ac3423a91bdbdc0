import { transact } from "../../platform/kv/mod.ts";
import type { LinkedData } from "../records/mod.ts";
import { deleteDownloads } from "./files/downloads.ts";
import type { AfterCommit, createEmit } from "./events.ts";
import { filesIn } from "./waiting.ts";
import { type Registrants, removeDocument, type Unsettled } from "./registrants.ts";
import { documents, listIds, type StoredFile } from "./store.ts";
import type { Uploads } from "./files/uploads.ts";

/** Documents take part in the deletion and the correction of their record. */
export const createRecordData = (
  { kv, clock, uploads, registrants, emit }: {
    kv: Deno.Kv;
    clock: () => number;
    uploads: Uploads;
    registrants: Registrants;
    emit: ReturnType<typeof createEmit>;
  },
): LinkedData => ({
  name: "documents",
  async deleteOf(hash) {
    for (const id of await listIds(kv, hash)) {
      let after: AfterCommit | undefined;
      let unsettled: Unsettled | null = null;
      const files = await transact<StoredFile[]>(async () => {
        const entry = await documents.get(kv, id);
        if (entry.value?.record !== hash) return { result: [] };
        const files = filesIn(entry.value);
        const commit = kv.atomic().check(entry);
        const now = clock();
        unsettled = removeDocument(commit, entry.value, now);
        uploads.release(commit, files);
        after = await emit(commit, "document.erased", entry.value, now);
        return { result: files, commit };
      });
      after?.();
      await registrants.settle(unsettled);
      await uploads.remove(files);
      for (const { blob } of files) await deleteDownloads(kv, blob);
    }
  },
  move: (from, to) => documents.move(kv, from, to, 0),
});
