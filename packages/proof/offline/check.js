/**
 * Checks files and chains with a folder that a publisher has handed over. Nothing is requested from anybody.
 *
 * @module
 */

const decode = (bytes) => new TextDecoder().decode(bytes);

/**
 * Opens a folder.
 *
 * @param verifier the published module `verifier.js`
 * @param read returns the bytes of a file of the folder; null if there is none
 * @throws {Error} (rejects) if it is not such a folder
 */
export async function openFolder(verifier, read) {
  async function readJson(path) {
    const bytes = await read(path);
    if (bytes === null) throw new Error(`The folder lacks ${path}.`);
    return JSON.parse(decode(bytes));
  }
  const about = await readJson("about.json");
  const { keys } = await readJson("keys.json");
  const policy = await read("log/policy");
  if (policy === null) throw new Error("The folder lacks log/policy.");
  const access = {
    publisher: about.publisher,
    trust: { policy: verifier.parsePolicy(decode(policy)), memory: verifier.createMemory() },
    // The folder knows nothing later, and need not.
    now: Date.parse(about.as_of),
    /** Reads the log from the folder, by the paths of its address. */
    async fetch(url) {
      const bytes = await read(new URL(url).pathname.slice(1));
      return new Response(bytes, { status: bytes === null ? 404 : 200 });
    },
  };

  return {
    about,
    /**
     * Checks a chain: the one of a record in the folder, or a file that somebody has saved.
     *
     * @param given the record's hash, or the text of the file
     * @returns the result of `verifyRecord` with the hash; null if the folder has no such record
     */
    async checkChain(given) {
      const hash = given.trim().toLowerCase();
      const isHash = /^[0-9a-f]{64}$/.test(hash);
      const bytes = isHash ? await read(chainPath(hash)) : null;
      if (isHash && bytes === null) return null;
      const file = isHash ? decode(bytes) : given;
      const parsed = verifier.parseSavedChain(file);
      const record = isHash ? hash : parsed.ok ? parsed.chain.hash : "";
      return {
        hash: record,
        ...await verifier.verifyRecord({ ...access, file, hash: record, keys }),
      };
    },
    /**
     * Checks a file, such as a certificate.
     *
     * @returns its SHA-256, and for each registration what was stated with the result of `verifyDocument`; none if the
     * folder has no statement about these bytes
     */
    async checkFile(file) {
      const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", file)).reduce(
        (hex, byte) => hex + byte.toString(16).padStart(2, "0"),
        "",
      );
      const bytes = await read(documentPath(sha256));
      const matches = bytes === null ? [] : JSON.parse(decode(bytes)).matches;
      const results = [];
      for (const match of matches) {
        results.push({ match, result: await verifier.verifyDocument({ ...access, file, match }) });
      }
      return { sha256, results };
    },
  };
}

/** Returns the path of a record's chain. Folders hold a part of the files each, because there may be millions. */
export const chainPath = (hash) => `chains/${hash.slice(0, 2)}/${hash}.json`;

/** Returns the path of the statements about a file. */
export const documentPath = (sha256) => `documents/${sha256.slice(0, 2)}/${sha256}.json`;
