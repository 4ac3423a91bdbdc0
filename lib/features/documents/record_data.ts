import { transact } from "../../platform/kv/mod.ts";
import type { LinkedData } from "../records/mod.ts";
import { deleteDownloads } from "./downloads.ts";
import { documents, filesOf, listIds, removeDocument, type StoredFile } from "./store.ts";
import type { Uploads } from "./uploads.ts";

/** Documents take part in the deletion and the correction of their record. */
export const createRecordData = (
  { kv, uploads }: { kv: Deno.Kv; uploads: Uploads },
): LinkedData => ({
  name: "documents",
  async deleteOf(hash) {
    for (const id of await listIds(kv, hash)) {
      const files = await transact<StoredFile[]>(async () => {
        const entry = await documents.get(kv, id);
        if (entry.value?.record !== hash) return { result: [] };
        const files = entry.value.versions.flatMap((version) =>
          filesOf(version).map(([, file]) => file)
        );
        const commit = kv.atomic().check(entry);
        removeDocument(commit, entry.value);
        uploads.release(commit, files);
        return { result: files, commit };
      });
      await uploads.remove(files);
      for (const { blob } of files) await deleteDownloads(kv, blob);
    }
  },
  move: (from, to) => documents.move(kv, from, to, 0),
});
