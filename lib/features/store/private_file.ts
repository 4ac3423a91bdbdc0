/** A file that gets its name when it is complete. */
interface PrivateFile {
  /** The name until `finish`. */
  path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** @throws {Deno.errors.AlreadyExists} if another file has the name by now */
  finish(): Promise<void>;
  /** Deletes the file. */
  abandon(): Promise<void>;
}

/**
 * Creates an empty file that only its owner can read, and that `finish` gives its name. It never
 * overwrites a file, and an interrupted command leaves no incomplete file under that name.
 *
 * @throws {Deno.errors.AlreadyExists} if the file exists
 */
export async function createPrivateFile(name: string): Promise<PrivateFile> {
  const path = `${name}.incomplete`;
  await mustNotExist(path);
  const file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  const abandon = () => {
    file.close();
    return Deno.remove(path);
  };
  try {
    await mustNotExist(name);
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    path,
    // The file's stream could end before its last write.
    async write(bytes) {
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    },
    async finish() {
      await file.sync();
      await mustNotExist(name);
      await Deno.rename(path, name);
      file.close();
    },
    abandon,
  };
}

async function mustNotExist(name: string): Promise<void> {
  const exists = await Deno.lstat(name).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
  if (exists) throw new Deno.errors.AlreadyExists(`${name} already exists`);
}
