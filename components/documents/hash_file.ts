/** Why a file has no hash. `no_worker`: the browser cannot run the worker. */
export type HashFault = "unreadable" | "no_worker";

export class HashError extends Error {
  constructor(readonly code: HashFault) {
    super(code);
  }
}

export interface HashOptions {
  /** The URL of `static/workers/hash_file.js`. */
  workerUrl: string;
  /** Text that is hashed before the file. */
  prefix?: string;
  onProgress?: (done: number) => void;
  signal: AbortSignal;
}

/**
 * Returns the SHA-256 hash of a file as hexadecimal text. It is computed in a worker.
 *
 * @throws {HashError} (rejects) if the file cannot be read
 * @throws the signal's reason (rejects) once it is aborted
 */
export async function hashFile(
  file: Blob,
  { workerUrl, prefix = "", onProgress, signal }: HashOptions,
): Promise<string> {
  signal.throwIfAborted();
  let worker: Worker;
  try {
    worker = new Worker(workerUrl);
  } catch {
    throw new HashError("no_worker");
  }
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new HashError("no_worker"));
      });
      worker.addEventListener("message", ({ data }) => {
        if (data.sha256 !== undefined) resolve(data.sha256);
        else if (data.error !== undefined) reject(new HashError("unreadable"));
        else onProgress?.(data.done);
      });
      worker.postMessage({ file, prefix });
    });
  } finally {
    worker.terminate();
  }
}
