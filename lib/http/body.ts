import type { z } from "zod";
import { RequestError } from "./errors.ts";

/** The most bytes of a request's body, unless an endpoint says otherwise (design, section 7). */
export const BODY_LIMIT = 64 * 1024;

const FORM = "application/x-www-form-urlencoded";

/** True for what a page's form sends by itself: a person waits for the answer. */
export const isFormPost = (req: Request): boolean => mediaTypeOf(req) === FORM;

/**
 * Reads what was sent, as JSON or as a page's form; of a field that came twice, the last.
 *
 * @param limit the most bytes of it
 * @throws {RequestError} (rejects) 400 for broken JSON, 413, 415
 *
 * @example
 * ```ts
 * const { email } = checkInput(z.object({ email: z.email() }), await readInput(ctx.req));
 * ```
 */
export async function readInput(req: Request, limit: number = BODY_LIMIT): Promise<unknown> {
  const type = mediaTypeOf(req);
  if (type !== FORM && type !== "application/json") {
    throw new RequestError(415, "Send JSON, or a form.", {
      headers: { accept: `application/json, ${FORM}` },
    });
  }
  const text = await readText(req, limit);
  if (text === undefined) throw new RequestError(413, `Send ${limit} bytes at most.`);
  return type === FORM ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
}

/**
 * Lets what was sent through a schema.
 *
 * @throws {RequestError} 400, with what is wrong with each field
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  // Without a prototype, whose members would pass for issues that are there already.
  const issues: Record<string, string> = Object.create(null);
  for (const { path, message } of parsed.error.issues) {
    issues[String(path[0] ?? "body")] ??= message;
  }
  throw new RequestError(400, "Something that was sent cannot be used.", { issues });
}

/**
 * Reads a body as text, at most `limit` bytes of it.
 *
 * @returns undefined where it is longer, known from `Content-Length` or found while reading
 * @throws (rejects) whatever the body's stream does, such as on a client that went away
 */
export function readText(req: Request, limit: number): Promise<string | undefined> {
  const length = req.headers.get("content-length");
  if (length === null) return readChunks(req.body, limit);
  // An HTTP server hands on no more than was declared.
  return Number(length) <= limit ? req.text() : Promise.resolve(undefined);
}

/**
 * Reads a stream as text, at most `limit` bytes of it.
 *
 * @returns undefined where it is longer
 */
export async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, "The body is not JSON.");
  }
}

function mediaTypeOf(req: Request): string {
  return (req.headers.get("content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
}
