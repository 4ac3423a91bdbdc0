/**
 * The memory of logs that commands keep in a folder of the user.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { z } from "zod";
import type { LogMemory } from "../../../../packages/proof/mod.ts";

/** Returns the folder in which commands keep a reader's policy and what they remember. */
export const configFolder = (env: (name: string) => string | undefined): string =>
  join(
    env("XDG_CONFIG_HOME") || join(env("HOME") || env("USERPROFILE") || ".", ".config"),
    "gatehouse",
  );

const rememberedSchema = z.object({
  checkpoint: z.string().nullable(),
  keys: z.array(z.string()),
});

/** The file of a folder is damaged, so that nothing may be concluded from it. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}

/**
 * Remembers logs in a folder: one file for each of them.
 *
 * @throws {MemoryError} (its functions reject) if a file is damaged: a reader must not forget because of that
 */
export function folderMemory(folder: string): LogMemory {
  const fileOf = (origin: string) => join(folder, "logs", `${encodeURIComponent(origin)}.json`);
  return {
    async read(origin) {
      const file = fileOf(origin);
      let text: string;
      try {
        text = await Deno.readTextFile(file);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      }
      try {
        return rememberedSchema.parse(JSON.parse(text));
      } catch {
        throw new MemoryError(`${file} is damaged. Restore it, or delete it to begin again.`);
      }
    },
    async write(origin, remembered) {
      const file = fileOf(origin);
      await Deno.mkdir(dirname(file), { recursive: true });
      const temporary = `${file}.${crypto.randomUUID()}`;
      await Deno.writeTextFile(temporary, `${JSON.stringify(remembered, null, 2)}\n`);
      await Deno.rename(temporary, file);
    },
  };
}
