import { z } from "zod";
import type { KeyScope } from "../issuers/mod.ts";
import { problemSchema } from "../../platform/http/schemas.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";

/** The chapters of the document, in order. */
export const GROUPS = {
  Issuing: "Issue documents as an organisation with an API key.",
  Bulk: "Issue a certificate for each row of a file.",
  Webhooks: "Receive the events of your documents.",
  Records: "Register a record, read and follow its chain, and get the keys that verify it.",
  Checks: "Check a document by its hash, and a key on a holder's card.",
  Qualifications: "Search the register of qualifications.",
  "Sign-in": "Sign a holder in to a record.",
  Holder: "What a signed-in holder can read.",
  Push: "Register a phone or a browser for the notifications of a record.",
  Discovery: "What programs look up at well-known addresses.",
} as const;
export type Group = keyof typeof GROUPS;

/** The response headers that programs may rely on. */
export const RESPONSE_HEADERS = {
  "ETag": "Send it as `If-None-Match`; the response is 304 if nothing has changed.",
  "Content-Disposition": "The name of the file (RFC 6266).",
  "Idempotent-Replayed":
    "`true` if this is the saved response to an earlier request with the same `Idempotency-Key`.",
  "Link": "The URLs of the `next` (newer) and `prev` (older) page, if there are any (RFC 8288).",
  "RateLimit":
    'What is left of the limit of the key: `"default";r=599;t=60`, the requests that are left, and the ' +
    "seconds until there are more (draft-ietf-httpapi-ratelimit-headers).",
  "RateLimit-Policy":
    'The limit of each key: `"default";q=600;w=60`, the requests in each window of seconds.',
  "Retry-After": "When to try again, in seconds.",
  "Set-Cookie": "The session or the browser's id. Send it back as a cookie.",
  "Location": "Where the page for people is.",
  "WWW-Authenticate":
    "How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1).",
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The request headers that change a response. */
export const REQUEST_HEADERS = {
  "If-None-Match": "The `ETag` of an earlier response.",
  "Last-Event-ID": "Resumes a stream; takes precedence over `after`.",
  "Idempotency-Key":
    "Up to 200 visible ASCII characters. A repeated request with the same key changes nothing.",
} as const;
type RequestHeader = keyof typeof REQUEST_HEADERS;

/** A response that is not an error. */
export interface Success {
  description: string;
  /** The schema of the JSON body. Absent if there is no body. */
  schema?: z.ZodType;
  /** Default: `application/json`. */
  type?: string;
  /** Always present. */
  headers?: readonly ResponseHeader[];
  /** Present in some cases. */
  optionalHeaders?: readonly ResponseHeader[];
}

export interface OperationError {
  /** The possible values of `error`. */
  codes: readonly [string, ...string[]];
  description: string;
  headers?: readonly ResponseHeader[];
  optionalHeaders?: readonly ResponseHeader[];
  /** Further members of the body. */
  details?: z.ZodRawShape;
}

/** A request that succeeds, and its response. Tests replay it. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Text if the body is not JSON. */
  body?: Record<string, unknown> | string;
  /** The status of the response; default: the first one. */
  status?: number;
  response?: unknown;
}

/** One row of the API: a method of a path, with the schemas that its handler uses. */
export interface Operation {
  /** A stable name, which generated clients use. */
  id: string;
  group: Group;
  method: "get" | "post" | "delete";
  /** The path as in the table of surfaces. */
  path: string;
  surfaces: readonly SurfaceName[];
  summary: string;
  description: string;
  /** True if it needs the session of a holder. */
  holder?: true;
  /** The scope of an app's bearer token that it accepts instead of the session. */
  appScope?: string;
  /** The scope of the issuer's API key that it needs, or `any` if any key will do. */
  keyScope?: KeyScope | "any";
  params?: z.ZodObject;
  query?: z.ZodObject;
  requestHeaders?: readonly RequestHeader[];
  /** True if `Accept: application/json` is needed, because people get a page. */
  acceptJson?: true;
  body?: z.ZodType;
  /** Default: `application/json`. */
  bodyType?: string;
  /** True if the body can also be a form with a file, which has the same fields. */
  multipart?: true;
  /** Members of the body's schema that the document leaves out. */
  undocumented?: readonly string[];
  responses: Readonly<Record<number, Success>>;
  /** An example of the event stream that the same URL sends for `Accept: text/event-stream`. */
  stream?: string;
  errors: Readonly<Record<number, OperationError>>;
  example: Example;
}

/** Returns the schema of an error's body. */
export const errorSchema = ({ codes, details = {} }: OperationError): z.ZodType =>
  problemSchema.extend({ error: z.enum(codes), ...details });

export const invalid = (description: string): OperationError => ({
  codes: ["invalid_request"],
  description,
});

export const limited = (description: string): OperationError => ({
  codes: ["rate_limited"],
  description,
  headers: ["Retry-After"],
});

export const NO_SESSION: OperationError = {
  codes: ["unauthenticated"],
  description: "There is no session, or no record is open in it.",
};

export const CLOSED: OperationError = {
  codes: ["record_closed", "not_in_force"],
  description:
    "The record is closed, because it will be deleted, or it is a correction that is not " +
    "in force.",
};

/** The error of operations that require a sign-in within the last ten minutes. */
export const NOT_RECENT: OperationError = {
  codes: ["sign_in_again", "record_closed"],
  description: "The sign-in is more than ten minutes old, or the record will be deleted.",
};

/** The error of such operations that need a record in force. */
export const NOT_RECENT_IN_FORCE: OperationError = {
  codes: [...NOT_RECENT.codes, "not_in_force"],
  description: "The sign-in is more than ten minutes old, the record will be deleted, or it is a " +
    "correction that is not in force.",
};

/**
 * Adds to an operation for issuers the responses of every request with an API key: its errors, and what
 * is left of the key's limit.
 */
export function withKeyResponses(operation: Operation): Operation {
  const { keyScope, method, responses, errors } = operation;
  if (keyScope === undefined) return operation;
  const codes: [string, ...string[]] = ["issuer_ended"];
  if (method !== "get") codes.push("issuer_suspended");
  if (keyScope !== "any") codes.push("insufficient_scope");
  const common: Operation["errors"] = {
    401: {
      codes: ["unauthenticated"],
      description:
        "There is no API key in the `Authorization` header, or it is mistyped, unknown, expired " +
        "or revoked. Or the URL has a key.",
      headers: ["WWW-Authenticate"],
    },
    403: {
      codes,
      description: "The issuer has ended" +
        (method === "get" ? "" : ", or it is suspended and can only read") +
        (keyScope === "any" ? "." : `, or the key lacks the scope \`${keyScope}\`.`),
      optionalHeaders: ["WWW-Authenticate"],
    },
    429: limited("The key was used too often within a minute, or the address failed too often."),
  };
  const all = Object.fromEntries(
    [...new Set([...Object.keys(common), ...Object.keys(errors)].map(Number))].map((status) => [
      status,
      withLimit(both(common[status], errors[status])),
    ]),
  );
  return {
    ...operation,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [status, withLimit(each)]),
    ),
    errors: all,
  };
}

/** Adds the headers of the limit. Not every deployment has one. */
const withLimit = <Each extends Success | OperationError>(response: Each): Each => ({
  ...response,
  optionalHeaders: [...response.optionalHeaders ?? [], "RateLimit", "RateLimit-Policy"],
});

/** Joins the errors with one status. */
function both(
  common: OperationError | undefined,
  own: OperationError | undefined,
): OperationError {
  if (common === undefined || own === undefined) return (common ?? own)!;
  const [code, ...codes] = new Set([...common.codes, ...own.codes]);
  return {
    ...own,
    codes: [code, ...codes],
    description: `${common.description} ${own.description}`,
    headers: [...new Set([...common.headers ?? [], ...own.headers ?? []])],
    optionalHeaders: [
      ...new Set([...common.optionalHeaders ?? [], ...own.optionalHeaders ?? []]),
    ],
  };
}

export const NOT_MODIFIED: Success = {
  description: "Nothing has changed since the response with the `ETag` that you sent.",
  headers: ["ETag"],
};

/** The responses to `Accept: text/event-stream`, besides the errors of the operation. */
const STREAM_RESPONSES: Readonly<Record<number, Success>> = {
  200: { description: "The stream.", schema: z.string(), type: "text/event-stream" },
  204: { description: "This deployment has no streams. Read pages instead." },
};

/** Returns the responses of an operation's stream, without its errors. */
export const streamResponsesOf = ({ keyScope }: Operation): typeof STREAM_RESPONSES =>
  keyScope === undefined ? STREAM_RESPONSES : Object.fromEntries(
    Object.entries(STREAM_RESPONSES).map(([status, each]) => [status, withLimit(each)]),
  );

export const successSchema = z.object({ success: z.literal(true) });
