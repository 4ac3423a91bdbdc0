/** Helpers for tests that export and import a database as text. */
import { TABLES } from "../../../app/features.ts";
import { exportStore } from "../export.ts";
import { importStore, linesOf } from "../import.ts";

/** Returns the text of an export. `path` is the store's file, if it is one. */
export async function exportText(
  { kv, path = null }: { kv: Deno.Kv; path?: string | null },
  now = Date.now(),
): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const options = {
    kv,
    path,
    clock: () => now,
    trustHost: "trust.example",
    revision: null,
    tables: TABLES,
  };
  await exportStore(options, (bytes) => {
    text += decoder.decode(bytes, { stream: true });
    return Promise.resolve();
  });
  return text;
}

export const importText = (
  kv: Deno.Kv,
  text: string,
  now = Date.now(),
): ReturnType<typeof importStore> =>
  importStore(
    { kv, kvPath: "site.kv", clock: () => now, tables: TABLES },
    linesOf(chunks(new TextEncoder().encode(text))),
  );

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

/** Returns the lines of the rows of an export. */
export const rowsOf = (text: string): string[] => text.split("\n").slice(1, -2);
