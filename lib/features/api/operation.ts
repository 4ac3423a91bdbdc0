/** The type that describes an operation of the API, with the headers and errors that several share. */
import { z } from "zod";
import type { KeyScope } from "../issuers/mod.ts";
import type { CorsPolicy } from "../../platform/http/cors.ts";
import { IDEMPOTENCY_KEY, MAX_IDEMPOTENCY_KEY } from "../../platform/http/idempotency_key.ts";
import type { RouteProperties } from "../../platform/http/route_properties.ts";
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
  "Request-Id": "The id of the request in our log.",
  "RateLimit":
    'What is left of the key\'s limit, such as `"default";r=599;t=60`: the number of requests, and the ' +
    "seconds until there are more (draft-ietf-httpapi-ratelimit-headers).",
  "RateLimit-Policy":
    'The limit of each key, such as `"default";q=600;w=60`: the number of requests per window, and its length in seconds.',
  "Retry-After": "When to try again, in seconds.",
  "Set-Cookie": "The session or the browser's id. Send it back as a cookie.",
  "Location": "Where the page for people is.",
  "WWW-Authenticate":
    "How to authenticate (RFC 6750). For apps, where they learn how to get a token (RFC 9728, section 5.1).",
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The request headers that change a response. */
export const REQUEST_HEADERS = {
  "If-None-Match": { description: "The `ETag` of an earlier response." },
  "Last-Event-ID": { description: "Resumes a stream; takes precedence over `after`." },
  "Idempotency-Key": {
    description: "Visible ASCII characters. A repeated request with the same key changes nothing.",
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY,
    pattern: IDEMPOTENCY_KEY.source,
  },
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
interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Text if the body is not JSON. */
  body?: Record<string, unknown> | string;
  /** The status of the response; default: the first one. */
  status?: number;
  response?: unknown;
}

/** One row of the API: a method of a path, with all by which its route takes requests. */
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
  /** The properties of its route that do not follow from other members, which are `hasPage` and `keyScope`. */
  properties?: RouteProperties;
  /** The other origins whose pages may call it. Default: none. */
  cors?: CorsPolicy;
  /**
   * The session of a holder that it needs: one with an `open` record, or one that was also started within the last
   * ten minutes.
   */
  holder?: "open" | "recent";
  /** The scope of an app's bearer token that it accepts instead of the session. */
  appScope?: "notifications";
  /** The scope of the issuer's API key that it needs, or `any` if any key will do. */
  keyScope?: KeyScope | "any";
  params?: z.ZodObject;
  /** The parameters of the URL. Those with the name of a field in `form` are only in the form. */
  query?: z.ZodObject;
  /** Reads these parameters. By default, a parameter that is repeated is refused. */
  readQuery?: (request: { req: Request; url: URL }, schema: z.ZodObject) => unknown;
  requestHeaders?: readonly RequestHeader[];
  /** True if people get a page, so that clients must not accept `text/html`. */
  hasPage?: true;
  body?: z.ZodType;
  /** Default: `application/json`. */
  bodyType?: string;
  /** The largest body in bytes. Default: that of all routes, or of files. */
  bodyLimit?: number;
  /** Present if the body can also be a form with a file, which has the same fields and these. */
  form?: Readonly<Record<string, string>>;
  /** Members of the body's schema that the document leaves out. */
  undocumented?: readonly string[];
  responses: Readonly<Record<number, Success>>;
  /** An example of the event stream that the same URL sends for `Accept: text/event-stream`. */
  stream?: string;
  errors: Readonly<Record<number, OperationError>>;
  example: Example;
}

/** Returns the schema of every error's body, with all codes that operations name. */
export function anyProblemSchema(operations: readonly Pick<Operation, "errors">[]): z.ZodType {
  const codes = operations.flatMap(({ errors }) =>
    Object.values(errors).flatMap(({ codes }) => codes)
  );
  return problemSchema.extend({
    error: z.enum([...Object.keys(GENERAL_ERRORS), ...codes]).describe("A stable code."),
  }).loose();
}

/** The errors that any operation can return, by code. */
export const GENERAL_ERRORS: Readonly<Record<string, number>> = {
  method_not_allowed: 405,
  not_found: 404,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  internal: 500,
  unavailable: 503,
  store_unavailable: 503,
  read_only: 503,
};

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

/** The response if nothing may be done with the record of the session now. */
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

export const NOT_MODIFIED: Success = {
  description: "Nothing has changed since the response with the `ETag` that you sent.",
  headers: ["ETag"],
};

/** The bytes of a file. */
export const BINARY = z.string().meta({ format: "binary" });

export const successSchema = z.object({ success: z.literal(true) });
