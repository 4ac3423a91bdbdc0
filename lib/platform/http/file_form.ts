/** Reads forms with a file upload as a stream, within limits of size, time and memory. */
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { MINUTE_MS } from "../../base/time.ts";
import { currentActor } from "../kv/mod.ts";
import { chunksOf } from "./body.ts";
import { accountOf } from "./body_budget.ts";
import { asRequestError, RequestError } from "./errors.ts";
import { readHeader } from "./header.ts";

/** A posted form with at most one file, which follows the other fields. */
export interface FileForm {
  fields: Record<string, string>;
  /** The file arrives while it is read. Null if none was chosen. */
  file: { name: string; body: ReadableStream<Uint8Array> } | null;
}

/** The most bytes besides the file's. */
const FIELDS_LIMIT = 64 * 1024;

const MAX_PARTS = 20;

/** The memory that a file takes on its way: the part that is being stored, and the next one. */
const FILE_SHARE = 2 * 1024 * 1024;

/** How long a client may take to send the form. */
const TIMEOUT_MS = 5 * MINUTE_MS;

/** The parts of a form's body, in order of arrival. */
type Part =
  | { kind: "field"; name: string; value: string }
  | { kind: "file"; name: string }
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "end" };

/**
 * Reads a `multipart/form-data` body up to its file, without holding the file in memory. Put the file
 * last in the form. Until the response, a file counts as {@link FILE_SHARE} bytes of the budget of bodies,
 * so that nobody sends any number of files at the same time.
 *
 * @param limit the most bytes of the file; the caller counts them
 * @throws {RequestError} 400 for a malformed body, 408, 413, 415, 429, 503. The file's stream throws them too.
 */
export async function readFileForm(
  req: Request,
  limit: number,
  timeoutMs: number = TIMEOUT_MS,
): Promise<FileForm> {
  const type = readHeader(req, "content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new RequestError(415, "Send a form with a file.", {
      headers: { accept: "multipart/form-data" },
    });
  }
  const parts = readParts(req, type, limit + FIELDS_LIMIT, timeoutMs);
  const fields: FileForm["fields"] = {};
  // `for await` would close the iterator when the file is returned.
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value;
    if (part.kind === "field") {
      accountOf(req).keep(part.name.length + part.value.length);
      fields[part.name] = part.value;
    } else if (part.kind === "file" && part.name !== "") {
      // Browsers send an empty file without a name if none was chosen.
      accountOf(req).keep(FILE_SHARE);
      return { fields, file: { name: part.name, body: ReadableStream.from(bytesOf(parts)) } };
    } else if (part.kind === "bytes") {
      await parts.return();
      throw malformed();
    }
  }
  return { fields, file: null };
}

/**
 * Returns the file of a form.
 *
 * @throws {RequestError} 400 if none was chosen
 */
export function fileOf({ file }: FileForm): NonNullable<FileForm["file"]> {
  if (file !== null) return file;
  const issues = { file: "Choose a file." };
  throw new RequestError(400, "Some fields are missing or invalid.", { issues });
}

/** A form that was refused: what was entered, and why. */
export interface RefusedForm {
  values: Record<string, string>;
  /** The problem of each invalid field. */
  issues: Record<string, string>;
  /** A problem that concerns the whole form. */
  problem?: string;
  /** Further members of the JSON error. */
  details?: Record<string, unknown>;
}

/**
 * Runs the action of a POST with a file. If the form is refused, responds with the form's page, and
 * the headers of the error, such as `Retry-After`.
 */
export async function orShowFileForm(
  read: () => Promise<FileForm>,
  handle: (form: FileForm) => Promise<Response>,
  showForm: (refused: RefusedForm, status: number) => Promise<Response>,
): Promise<Response> {
  let form: FileForm = { fields: {}, file: null };
  try {
    form = await read();
    return await handle(form);
  } catch (error) {
    await drain(form);
    const refusal = asRequestError(error);
    if (refusal === null) throw error;
    await currentActor()?.ask(); // the page may show what only the sender may see
    const { issues = {}, message, status, headers = {}, details } = refusal;
    const problem = refusal.issues === undefined ? message : undefined;
    const response = await showForm({ values: form.fields, issues, problem, details }, status);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}

/**
 * Reads the rest of a file after its form was refused. Otherwise the connection closes while the
 * browser is still sending, and the browser shows its own error.
 */
export async function drain({ file }: { file: FileForm["file"] }): Promise<void> {
  try {
    for await (const _ of file?.body ?? []);
  } catch {
    // The form is refused for another reason, or has been read.
  }
}

async function* readParts(
  req: Request,
  contentType: string,
  limit: number,
  timeoutMs: number,
): AsyncGenerator<Part, void> {
  const parts: Part[] = [];
  let failed = false;
  const fail = () => failed = true;
  const parser = createParser(contentType);
  parser.on("error", fail)
    .on("partsLimit", fail)
    .on("field", (name: string, value: string, nameCut: boolean, valueCut: boolean) => {
      if (nameCut || valueCut) fail();
      parts.push({ kind: "field", name, value });
    })
    .on("file", (_name: string, file: Readable, name: string | undefined) => {
      parts.push({ kind: "file", name: name ?? "" });
      file.on("data", (bytes) => parts.push({ kind: "bytes", bytes }))
        .on("end", () => parts.push({ kind: "end" }))
        .on("error", fail);
    });
  const finished = new Promise((resolve) => parser.on("finish", resolve).on("error", resolve));
  for await (const chunk of readBody(req, limit, timeoutMs)) {
    // Once the parser has taken a chunk, it has passed on everything in it.
    const taken = new Promise<unknown>((resolve) => {
      parser.write(searchable(chunk), resolve);
    });
    await Promise.race([taken, finished]);
    if (failed) throw malformed();
    yield* parts.splice(0);
  }
  parser.end();
  await finished;
  if (failed) throw malformed();
  yield* parts.splice(0);
}

/**
 * Returns a chunk for the parser, which looks for boundaries with `indexOf`. That of Deno's `Buffer` compares the
 * bytes in JavaScript, and takes up to ten times as long as a search in their text.
 */
function searchable({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const chunk = Buffer.from(buffer, byteOffset, byteLength);
  const text = chunk.toString("latin1");
  return Object.assign(chunk, {
    indexOf: (boundary: Buffer, from: number) => text.indexOf(boundary.toString("latin1"), from),
  });
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: MAX_PARTS, fieldSize: FIELDS_LIMIT, headerPairs: 20, headerSize: 8192 },
      isPartAFile: (_field, _type, name) => name !== undefined,
    });
  } catch {
    throw malformed();
  }
}

/**
 * Returns the chunks of a body with a file.
 *
 * @throws {RequestError} 400, 408, and 413 if it has more bytes than the limit
 */
export async function* readBody(
  req: Request,
  limit: number,
  timeoutMs: number,
): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(req, timeoutMs);
  const length = Number(readHeader(req, "content-length") ?? 0);
  if (length > limit) throw await tooLong(chunks, limit);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw await tooLong(chunks, limit);
    yield chunk;
  }
}

/** Reads on for a while, as `drain` does, and returns the error. */
async function tooLong(chunks: AsyncGenerator<Uint8Array>, limit: number): Promise<RequestError> {
  try {
    for (let size = 0; size < 4 * limit;) {
      const { value, done } = await chunks.next();
      if (done) break;
      size += value.length;
    }
    await chunks.return(undefined);
  } catch {
    // It is refused anyway.
  }
  const mebibytes = Math.floor(limit / 1024 / 1024);
  return new RequestError(413, `This file is too large. The limit is ${mebibytes} MiB.`);
}

/** The bytes of the current file. It ends once the whole form has arrived. */
async function* bytesOf(parts: AsyncGenerator<Part, void>): AsyncGenerator<Uint8Array> {
  let ended = false;
  for await (const part of parts) {
    if (part.kind === "bytes" && !ended) yield part.bytes;
    else if (part.kind === "end" && !ended) ended = true;
    else throw new RequestError(400, "Send one file, after all other fields.");
  }
}

const malformed = () => new RequestError(400, "The form is incomplete or malformed.");
