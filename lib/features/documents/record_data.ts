import { inUnit } from "../../platform/kv/mod.ts";
import type { RecordData } from "../records/mod.ts";
import { deleteDownloads } from "./files/downloads.ts";
import { type AddDocumentEvent, createEmit } from "./events.ts";
import { filesIn, type WaitingWriters } from "./waiting.ts";
import { documents, listIds, type StoredFile } from "./store.ts";

/** Documents take part in the deletion and the correction of their record. */
export function createRecordData(options: {
  kv: Deno.Kv;
  clock: () => number;
  write: Pick<WaitingWriters, "remove">;
  onEvent?: () => readonly AddDocumentEvent[];
}): RecordData {
  const { kv, write } = options;
  const emit = createEmit(options);
  return {
    name: "documents",
    async deleteOf(hash) {
      for (const id of await listIds(kv, hash)) {
        let files: StoredFile[] = [];
        await inUnit(options, async (unit) => {
          const entry = await documents.get(kv, id);
          files = [];
          if (entry.value === null || entry.value.record !== hash) return {};
          files = filesIn(entry.value);
          write.remove(unit, entry);
          emit(unit, "document.erased", entry.value);
          return {};
        });
        for (const { blob } of files) await deleteDownloads(kv, blob);
      }
    },
    move: (from, to) => documents.move(kv, from, to, 0),
  };
}
