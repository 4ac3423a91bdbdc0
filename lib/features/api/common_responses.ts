/** Responses in the OpenAPI document that many operations share, so that none repeats them. */
import { z } from "zod";
import {
  invalid,
  limited,
  type Operation,
  type OperationError,
  type Success,
} from "./operation.ts";

/**
 * Adds to an operation the errors of its body and of its `Idempotency-Key`, and of every request with an API key.
 */
export const withCommonResponses = (operation: Operation): Operation =>
  withKeyResponses(withBodyErrors(operation));

/** Adds the errors of a body that cannot be read or is too large, and of a malformed `Idempotency-Key`. */
function withBodyErrors(operation: Operation): Operation {
  const { body, bodyType = "application/json", bodyLimit, form } = operation;
  const { requestHeaders = [], errors } = operation;
  const added: Record<number, OperationError> = {};
  if (body !== undefined) {
    const types = [bodyType, ...form === undefined ? [] : ["multipart/form-data"]];
    added[415] = {
      codes: ["unsupported_media_type"],
      description: `The body is not ${types.map((type) => `\`${type}\``).join(" or ")}.`,
    };
  }
  if (bodyLimit !== undefined) {
    added[413] = {
      codes: ["too_large"],
      description: `The body has more than ${bodyLimit / 1024} KiB.`,
    };
  }
  if (requestHeaders.includes("Idempotency-Key")) {
    added[400] = invalid("The `Idempotency-Key` is malformed.");
  }
  const statuses = [...new Set([...Object.keys(errors), ...Object.keys(added)].map(Number))];
  return {
    ...operation,
    errors: Object.fromEntries(
      statuses.map((status) => [status, both(errors[status], added[status])]),
    ),
  };
}

/**
 * Adds to an operation for issuers the responses of every request with an API key: its errors, and what
 * is left of the key's limit.
 */
function withKeyResponses(operation: Operation): Operation {
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
