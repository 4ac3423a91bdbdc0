/**
 * The fields of a request of the API, from JSON or a form.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { z } from "zod";
import { IN_SENTENCES } from "../../../base/explain_issue.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import {
  BODY_LIMIT,
  invalidInput,
  isJsonPost,
  parseJson,
  readText,
} from "../../../platform/http/body.ts";
import { RequestError } from "../../../platform/http/errors.ts";
import { type FileForm, readFileForm } from "../../../platform/http/file_form.ts";
import { readHeader } from "../../../platform/http/header.ts";
import { UPLOAD_LIMIT } from "../../documents/mod.ts";
import { issuesOf } from "../problems.ts";

/** A file as it arrives. */
export type ApiFile = NonNullable<FileForm["file"]>;

/** The body of a request of the API: its fields and at most one file. */
export interface ApiInput {
  fields: Record<string, unknown>;
  file: ApiFile | null;
}

/** A file in base64 is a third longer, and there are other fields. */
export const JSON_LIMIT = 15 * 1024 * 1024;
const BASE64_LIMIT = Math.ceil(UPLOAD_LIMIT / 3) * 4;
const TIMEOUT_MS = 5 * MINUTE_MS;

const MULTIPART = "multipart/form-data";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads a JSON body, which may have a file in base64, or a form with a file. Both give the same fields: the
 * form has `recipient.name` for the member `name` of `recipient`. No body counts as one without fields.
 *
 * @throws {RequestError} 400, 408, 413, 415
 */
export async function readApiInput(req: Request): Promise<ApiInput> {
  const type = readHeader(req, "content-type");
  // Over HTTP, a request without a body may have an empty one.
  if (type === null && await readText(req, 0) === "") return { fields: {}, file: null };
  if (isJsonPost(req)) return await readJsonInput(req);
  if (type === null || !type.toLowerCase().startsWith(MULTIPART)) {
    throw new RequestError(415, "Send JSON or a form with a file.", {
      headers: { accept: `application/json, ${MULTIPART}` },
    });
  }
  const { fields, file } = await readFileForm(req, UPLOAD_LIMIT);
  return { fields: nested(fields), file };
}

async function readJsonInput(req: Request): Promise<ApiInput> {
  const text = await readText(req, JSON_LIMIT, TIMEOUT_MS);
  if (text === undefined) throw tooLong(JSON_LIMIT);
  const body = text === "" ? {} : parseJson(text);
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalidInput({ body: "Send a JSON object." });
  }
  const { file, ...fields } = body as Record<string, unknown>;
  if (typeof file !== "string") {
    if (text.length > BODY_LIMIT) throw tooLong(BODY_LIMIT);
    if (file !== undefined) throw invalidInput({ file: "Send the file in base64." });
    return { fields, file: null };
  }
  if (JSON.stringify(fields).length > BODY_LIMIT) throw tooLong(BODY_LIMIT);
  return { fields, file: { name: nameIn(fields), body: decode(file) } };
}

/** Decodes base64, also in lines, as MIME and command lines have it. */
function decode(sent: string): ReadableStream<Uint8Array> {
  const file = sent.replaceAll(/\s+/g, "");
  if (file.length > BASE64_LIMIT) {
    const mebibytes = UPLOAD_LIMIT / 1024 / 1024;
    throw new RequestError(413, `This file is too large. The limit is ${mebibytes} MiB.`);
  }
  if (file.length % 4 !== 0 || !BASE64.test(file)) {
    throw invalidInput({ file: "Send the file in base64, with padding." });
  }
  return new Blob([Buffer.from(file, "base64")]).stream();
}

const nameIn = ({ file_name }: Record<string, unknown>): string =>
  typeof file_name === "string" && file_name !== "" ? file_name : "document";

const tooLong = (limit: number) => new RequestError(413, `Send at most ${limit} bytes.`);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([["true", true], ["false", false]]);

/** Returns the members that the fields of a form stand for. */
function nested(fields: Record<string, string>): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, text] of Object.entries(fields)) {
    const [first, ...rest] = name.split(".");
    const value = BOOLEANS.get(text) ?? text;
    if (rest.length === 0) members[first] = value;
    else members[first] = { ...Object(members[first]), [rest.join(".")]: value };
  }
  return members;
}

/**
 * Validates the fields of a request. The issues name members of members: `recipient.email`.
 *
 * @throws {RequestError} 400 with an issue for each invalid field
 */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(fields, IN_SENTENCES);
  if (parsed.success) return parsed.data;
  throw invalidInput(issuesOf(parsed.error));
}

/** Validates the parameters of a URL, each of which may occur once. */
export const checkParams = <Schema extends z.ZodType>(schema: Schema, url: URL): z.output<Schema> =>
  checkFields(schema, paramsOf(url));

/**
 * Returns the parameters of a URL.
 *
 * @throws {RequestError} 400 if one occurs twice
 */
export function paramsOf(url: URL): Record<string, string> {
  const params = [...url.searchParams];
  const names = params.map(([name]) => name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw invalidInput({ [repeated]: "Send this parameter once." });
  return Object.fromEntries(params);
}
