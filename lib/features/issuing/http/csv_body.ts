/**
 * The receiving of a CSV file, as a body or in a form.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { MINUTE_MS } from "../../../base/time.ts";
import { invalidInput } from "../../../platform/http/body.ts";
import { kept } from "../../../platform/http/body_budget.ts";
import { RequestError } from "../../../platform/http/errors.ts";
import { fileOf, readBody, readFileForm } from "../../../platform/http/file_form.ts";
import { readHeader } from "../../../platform/http/header.ts";
import type { CsvFile, Receive } from "./post.ts";
import { paramsOf } from "./request.ts";
import { MAX_FILE } from "../batches/records.ts";

const FILE_TYPES = ["text/csv", "multipart/form-data"];

const IN_FORM = "Send this text as a column of the file, or as a field of a form.";

/** How long a client may take to send a file. */
const TIMEOUT_MS = 5 * MINUTE_MS;

/** Receives a CSV file that is the body, with fields in the URL, or that is in a form with fields. */
export const receiveCsv: Receive<CsvFile> = async (req, use) => {
  const { fields, name, body } = await readFile(req);
  const chunks = await keepCsv(req, body);
  const hash = createHash("sha256");
  for (const bytes of chunks) hash.update(bytes);
  const file = { chunks, name };
  return (await use({ fields, file, fileContent: [name, hash.digest("hex")] })).response;
};

/**
 * Keeps a CSV file in the chunks in which it arrives, until it is complete. Only then are its rows read, because few
 * files are checked at a time, so a slow upload would keep everybody waiting; because the rows take several times
 * the memory of the file; and because only the whole file says whether a request is a repeated one.
 *
 * @throws {RequestError} 413 if it is too large, 429 or 503 if it exceeds the budget of bodies
 */
export async function keepCsv(
  req: Request,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of kept(req, body)) {
    size += bytes.length;
    if (size > MAX_FILE) throw new RequestError(413, `Send at most ${MAX_FILE / 1024 / 1024} MiB.`);
    chunks.push(bytes);
  }
  return chunks;
}

/** @throws {RequestError} 400, 408, 413, 415. The file throws them, too. */
async function readFile(req: Request): Promise<
  { fields: Record<string, unknown>; name: string | null; body: AsyncIterable<Uint8Array> }
> {
  const type = (readHeader(req, "content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
  if (type === FILE_TYPES[0]) {
    const fields = paramsOf(new URL(req.url));
    // Clients that are generated give this name to the body of the request.
    if (fields.body !== undefined) throw invalidInput({ body: IN_FORM });
    return { fields, name: null, body: readBody(req, MAX_FILE, TIMEOUT_MS) };
  }
  if (type !== FILE_TYPES[1]) {
    throw new RequestError(415, "Send a CSV file, or a form with one.", {
      headers: { accept: FILE_TYPES.join(", ") },
    });
  }
  const form = await readFileForm(req, MAX_FILE, TIMEOUT_MS);
  const { name, body } = fileOf(form);
  return { fields: form.fields, name: name.slice(0, 255), body };
}
