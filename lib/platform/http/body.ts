/** Reads and validates the bodies of requests, with limits of size and time. */
import type { z } from "zod";
import { type Bytes, concatBytes } from "../../base/encoding.ts";
import { IN_SENTENCES } from "../../base/explain_issue.ts";
import { currentActor } from "../kv/mod.ts";
import { accountOf, kept } from "./body_budget.ts";
import { RequestError } from "./errors.ts";
import { readHeader } from "./header.ts";

/** The largest request body in bytes, unless an endpoint sets its own limit. */
export const BODY_LIMIT = 64 * 1024;

/** The maximum number of form fields; our forms have about ten. */
const FIELD_LIMIT = 100;

/** The maximum number of invalid fields that an error response reports. */
const ISSUE_LIMIT = 20;

/** The most levels of arrays and objects in a JSON body; our requests have about three. */
const MAX_LEVELS = 16;

/** How long a client may take to send a request's body. */
const BODY_TIMEOUT_MS = 30_000;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** Returns whether the browser posted an HTML form without JavaScript. */
export const isFormPost = (req: Request): boolean => mediaTypeOf(req) === FORM;

/** Returns whether a request has a JSON body, which no HTML form can send. */
export const isJsonPost = (req: Request): boolean => mediaTypeOf(req) === JSON_TYPE;

/**
 * Reads a JSON or form body. If a form field occurs twice, the last value wins.
 *
 * @param limit the largest body in bytes
 * @throws {RequestError} 400 for invalid JSON or too many fields, 408, 413, 415
 */
export async function readInput(req: Request, limit: number = BODY_LIMIT): Promise<unknown> {
  const type = mediaTypeOf(req);
  if (type !== FORM && type !== JSON_TYPE) {
    throw new RequestError(415, "Send JSON or a form.", {
      headers: { accept: `${JSON_TYPE}, ${FORM}` },
    });
  }
  const text = await readText(req, limit);
  if (text === undefined) throw new RequestError(413, `Send at most ${limit} bytes.`);
  return type === FORM ? parseForm(text) : parseJson(text);
}

/**
 * Validates input with a schema.
 *
 * @throws {RequestError} 400 with an issue for each invalid field
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, IN_SENTENCES);
  if (parsed.success) return parsed.data;
  // The object has no prototype, so that a field named like a member of Object is reported too.
  const issues: Record<string, string> = Object.create(null);
  for (const { path, message } of parsed.error.issues.slice(0, ISSUE_LIMIT)) {
    issues[String(path[0] ?? "body")] ??= message;
  }
  throw invalidInput(issues);
}

/** Returns the error of input with issues by field. */
export const invalidInput = (issues: Record<string, string>): RequestError =>
  new RequestError(400, "Some fields are missing or invalid.", { issues });

/**
 * Reads a body as text.
 *
 * @param timeoutMs how long the client may take to send the whole body
 * @returns undefined if it is longer than `limit` bytes
 * @throws {RequestError} 400 if the client disconnects, 408 if it is too slow
 */
export const readText = (
  req: Request,
  limit: number,
  timeoutMs: number = BODY_TIMEOUT_MS,
): Promise<string | undefined> => readWhole(req, limit, timeoutMs, TEXT);

/**
 * Reads a body as bytes, for signatures, which are computed over what was sent. It otherwise works
 * like {@link readText}.
 */
export const readBytes = (
  req: Request,
  limit: number,
  timeoutMs: number = BODY_TIMEOUT_MS,
): Promise<Bytes | undefined> => readWhole(req, limit, timeoutMs, BYTES);

/**
 * Reads a JSON body. It otherwise works like {@link readText}, and is faster than parsing its result.
 *
 * @throws {SyntaxError} if the body is not JSON
 */
export const readJson = (req: Request, limit: number): Promise<unknown> =>
  readWhole(req, limit, BODY_TIMEOUT_MS, JSON_BODY);

/** A body up to this length is read at once, which is faster. It is counted before it has arrived. */
const SHORT = 4_096;

/** How a short body is read, and how another one is made from its bytes. */
interface Reader<Body> {
  declared(req: Request): Promise<Body>;
  from(bytes: Bytes): Body;
}

const decode = (bytes: Bytes) => new TextDecoder().decode(bytes);

const TEXT: Reader<string> = { declared: (req) => req.text(), from: decode };

const BYTES: Reader<Bytes> = {
  declared: async (req) => new Uint8Array(await req.arrayBuffer()),
  from: (bytes) => bytes,
};

const JSON_BODY: Reader<unknown> = {
  declared: (req) => req.json(),
  from: (bytes) => JSON.parse(decode(bytes)),
};

function readWhole<Body>(
  req: Request,
  limit: number,
  timeoutMs: number,
  read: Reader<Body>,
): Promise<Body | undefined> {
  const length = req.headers.get("content-length");
  if (length !== null && Number(length) > limit) return Promise.resolve(undefined);
  // The HTTP server passes on no more than Content-Length declares.
  if (length !== null && Number(length) <= SHORT) {
    return readShort(req, Number(length), timeoutMs, read);
  }
  return readByteChunks(kept(req, chunksOf(req, timeoutMs)), limit)
    .then((bytes) => bytes && read.from(bytes));
}

async function readShort<Body>(
  req: Request,
  length: number,
  timeoutMs: number,
  read: Reader<Body>,
): Promise<Body> {
  accountOf(req).keep(length);
  const arrived = currentActor()?.awaitBody();
  const body = await inTime(read.declared(req), timeoutMs);
  await arrived?.();
  return body;
}

/**
 * Returns the chunks of a body. If they took long to arrive, it asks at their end who sends them.
 *
 * @param timeoutMs how long the client may take to send all of them
 * @throws {RequestError} 400 if the client disconnects, 408 if it is too slow
 */
export async function* chunksOf(
  { body }: Request,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const arrived = currentActor()?.awaitBody();
  let late = false;
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    late = true;
    cancel();
  }, timeoutMs);
  try {
    while (true) {
      const { value, done } = await reader.read().catch(() => {
        throw new RequestError(400, INCOMPLETE);
      });
      if (late) throw new RequestError(408, TOO_SLOW);
      if (done) return await arrived?.();
      yield value;
    }
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

const INCOMPLETE = "The body is incomplete.";
const TOO_SLOW = "The body took too long to arrive.";

/** Rejects if a body is incomplete or takes longer than `ms` milliseconds. */
function inTime<Body>(body: Promise<Body>, ms: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let settled = false;
    const settle = () => {
      settled = true;
      if (timer !== undefined) clearTimeout(timer);
    };
    body.then((value) => {
      settle();
      resolve(value);
    }, (error) => {
      settle();
      const isKnown = error instanceof SyntaxError || error instanceof RequestError;
      reject(isKnown ? error : new RequestError(400, INCOMPLETE));
    });
    // A body that arrived with the headers has been read by then, and a timer would take longer.
    queueMicrotask(() => {
      if (settled) return;
      const tooSlow = () => reject(new RequestError(408, TOO_SLOW));
      timer = setTimeout(tooSlow, ms);
    });
  });
}

async function readByteChunks(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<Bytes | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

/**
 * Reads a stream as text.
 *
 * @returns undefined if it is longer than `limit` bytes
 */
export async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  const bytes = await readByteChunks(body, limit);
  return bytes && decode(bytes);
}

function parseForm(text: string): Record<string, string> {
  if (text.split("&", FIELD_LIMIT + 1).length > FIELD_LIMIT) {
    throw new RequestError(400, `Send at most ${FIELD_LIMIT} fields.`);
  }
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * Parses a JSON body. Members that are null are left out, because null means the same as absence in all requests.
 *
 * @throws {RequestError} 400 if it is not JSON, or nested too deeply
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RequestError(400, "The body is not valid JSON.");
  }
  return withoutNulls(value);
}

/**
 * Returns a JSON value without the members that are null, at any depth.
 *
 * @throws {RequestError} 400 if it is nested more deeply than any request needs
 */
export function withoutNulls(value: unknown, levels: number = MAX_LEVELS): unknown {
  if (value === null || typeof value !== "object") return value;
  if (levels === 0) throw new RequestError(400, "The body is nested too deeply.");
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each, levels - 1));
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== null)
      .map(([name, each]) => [name, withoutNulls(each, levels - 1)]),
  );
}

function mediaTypeOf(req: Request): string {
  return (readHeader(req, "content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
}
