import { readHeader } from "../http/header.ts";
import { failure, RpcCode } from "./protocol.ts";

/** The most bytes of a request's body. */
export const BODY_LIMIT = 256 * 1024;

const ACCEPT = "application/json, text/event-stream";
const JSON_TYPE = "application/json";
const JSON_HEADERS = { "content-type": JSON_TYPE };

/** A JSON answer. */
export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: JSON_HEADERS });
}

/** A refusal by the gate: an HTTP status with a JSON-RPC error as its body. */
export function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code: number = RpcCode.refused,
): Response {
  return new Response(JSON.stringify(failure(null, code, message)), {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  });
}

/** The answer to a browser's preflight; {@link allowOrigin} completes it. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow: "POST",
      "access-control-allow-methods": "POST",
      // The last two come from clients that try a later revision first, then fall back.
      "access-control-allow-headers":
        "content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name",
      "access-control-max-age": "7200",
    },
  });
}

/** Lets the scripts of an allowed origin read the answer. */
export function allowOrigin(response: Response, origin: string): Response {
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", "retry-after");
  response.headers.append("vary", "Origin");
  return response;
}

/**
 * Checks the headers of a POST, in the order of the transport's rules.
 *
 * @param protocolVersion the one revision that is spoken here
 * @returns a refusal: 406, 415 or 400; undefined where all is well
 */
export function checkHeaders(
  headers: Headers,
  protocolVersion: string,
): Response | undefined {
  const accept = readHeader({ headers }, "accept");
  if (accept !== ACCEPT && !acceptsBoth(accept ?? "")) {
    return refuse(406, `Not Acceptable: Accept must list ${ACCEPT}`);
  }
  const type = readHeader({ headers }, "content-type");
  if (type !== JSON_TYPE && mediaType(type ?? "") !== JSON_TYPE) {
    return refuse(
      415,
      `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`,
    );
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    return refuse(415, "Unsupported Media Type: the body must not be encoded");
  }
  const version = headers.get("mcp-protocol-version");
  if (version !== null && version !== protocolVersion) {
    return refuse(
      400,
      `Bad Request: unsupported MCP-Protocol-Version (supported: ${protocolVersion})`,
    );
  }
}

function acceptsBoth(accept: string): boolean {
  const ranges = accept.split(",").filter((range) => !/;\s*q=0(\.0*)?\s*$/i.test(range))
    .map(mediaType);
  const accepts = (...wanted: string[]) => wanted.some((range) => ranges.includes(range));
  return accepts("application/json", "application/*", "*/*") &&
    accepts("text/event-stream", "text/*", "*/*");
}

function mediaType(header: string): string {
  return header.split(";", 1)[0].trim().toLowerCase();
}
