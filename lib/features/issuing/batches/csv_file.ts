import { createHash } from "node:crypto";
import { concatBytes } from "../../../base/encoding.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { readBytes } from "../../../platform/http/body.ts";
import { RequestError } from "../../../platform/http/errors.ts";
import { fileOf, readFileForm } from "../../../platform/http/file_form.ts";
import { readHeader } from "../../../platform/http/header.ts";
import type { CsvFile, Receive } from "../post.ts";
import { paramsOf } from "../request.ts";
import { MAX_FILE } from "./records.ts";

const FILE_TYPES = ["text/csv", "multipart/form-data"];

/** How long a client may take to send a file. */
const TIMEOUT_MS = 5 * MINUTE_MS;

/** Receives a CSV file that is the body, with fields in the URL, or that is in a form with fields. */
export const receiveCsv: Receive<CsvFile> = async (req, _, use) => {
  const { fields, file } = await readFile(req);
  const sha256 = createHash("sha256").update(file.bytes).digest("hex");
  return (await use({ fields, file, fileContent: [file.name, sha256] })).response;
};

/** @throws {RequestError} 400, 408, 413, 415 */
async function readFile(
  req: Request,
): Promise<{ fields: Record<string, unknown>; file: CsvFile }> {
  const type = (readHeader(req, "content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
  if (type === FILE_TYPES[0]) {
    const bytes = await readBytes(req, MAX_FILE, TIMEOUT_MS);
    if (bytes === undefined) {
      throw new RequestError(413, `Send at most ${MAX_FILE / 1024 / 1024} MiB.`);
    }
    return { fields: paramsOf(new URL(req.url)), file: { bytes, name: null } };
  }
  if (type !== FILE_TYPES[1]) {
    throw new RequestError(415, "Send a CSV file, or a form with one.", {
      headers: { accept: FILE_TYPES.join(", ") },
    });
  }
  const form = await readFileForm(req, MAX_FILE, TIMEOUT_MS);
  const { name, body } = fileOf(form);
  const bytes = concatBytes(await Array.fromAsync(body));
  return { fields: form.fields, file: { bytes, name: name.slice(0, 255) } };
}
