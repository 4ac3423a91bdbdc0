/** A file that gets its name when it is complete. */
export interface PrivateFile {
  /** The name until then. */
  path: string;
  /** @throws {Error} if `file` exists in the meantime */
  finish(): Promise<void>;
  /** Deletes it. */
  abandon(): Promise<void>;
}

/**
 * Creates an empty file that only its owner can read, and that `finish` gives its name. It never
 * overwrites a file, and an interrupted command leaves no incomplete file under that name.
 *
 * @throws {Deno.errors.AlreadyExists} if the file exists
 */
export async function createPrivateFile(file: string): Promise<PrivateFile> {
  const path = `${file}.incomplete`;
  (await Deno.open(path, { createNew: true, write: true, mode: 0o600 })).close();
  const abandon = () => Deno.remove(path);
  try {
    await mustNotExist(file);
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    path,
    async finish() {
      using written = await Deno.open(path);
      await written.sync();
      await mustNotExist(file);
      await Deno.rename(path, file);
    },
    abandon,
  };
}

async function mustNotExist(file: string): Promise<void> {
  const exists = await Deno.lstat(file).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
  if (exists) throw new Deno.errors.AlreadyExists(`${file} already exists`);
}
