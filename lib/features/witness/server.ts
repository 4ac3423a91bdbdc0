/** The HTTP server of a witness that runs as a program of its own. */
import { addressKey, clientAddress } from "../../platform/http/client_address.ts";
import { problemOf, problemResponse, RequestError } from "../../platform/http/errors.ts";
import { formatVerifierKey } from "../../../packages/proof/mod.ts";
import {
  addCheckpoint,
  latestCheckpoint,
  MONITOR_PATH,
  policyLine,
  refusedCheckpoints,
} from "./responses.ts";
import type { Witness } from "./witness.ts";

interface ServerOptions {
  /** Returns the start of the witness's addresses, as others reach it, with a slash at the end. */
  url: () => string;
  /** The number of proxies whose `X-Forwarded-For` entries are trusted. */
  trustProxy: number;
  log: (entry: Record<string, unknown>) => void;
}

const MONITOR = new RegExp(`^${MONITOR_PATH}/([0-9a-f]{64})/(checkpoint|refused)$`);

/** Returns the handler of a witness that runs alone. */
export function createWitnessHandler(
  witness: Witness,
  { url, trustProxy, log }: ServerOptions,
): Deno.ServeHandler {
  async function respond(req: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const { pathname } = new URL(req.url);
    if (pathname === "/add-checkpoint") {
      allow(req, "POST");
      return await addCheckpoint(witness, req, addressKey(clientAddress(req, info, trustProxy)));
    }
    const [, hash, what] = MONITOR.exec(pathname) ?? [];
    if (hash !== undefined) {
      allow(req, "GET", "HEAD");
      return await (what === "checkpoint" ? latestCheckpoint : refusedCheckpoints)(witness, hash);
    }
    if (pathname !== "/") throw new RequestError(404);
    allow(req, "GET", "HEAD");
    return new Response(await describe(witness, url()), {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  }

  return async (req, info) => {
    const response = await respond(req, info).catch((error) => {
      const problem = problemOf(error);
      if (problem.status === 500) {
        log({ level: "error", event: "internal", stack: error?.stack ?? String(error) });
      }
      return problemResponse(problem);
    });
    response.headers.set("x-content-type-options", "nosniff");
    return response;
  };
}

function allow(req: Request, ...methods: string[]): void {
  if (methods.includes(req.method)) return;
  throw new RequestError(405, undefined, { headers: { allow: methods.join(", ") } });
}

/** Describes the witness and its logs as text. */
async function describe(witness: Witness, url: string): Promise<string> {
  const [logs, lost] = await Promise.all([witness.logs(), witness.lost()]);
  const lines = [
    `Witness ${witness.key.name} (C2SP tlog-witness)`,
    "",
    ...lost === null
      ? ["For the policy of a log or reader:", policyLine(witness, url), ""]
      : [`It does not sign any more: it noticed on ${lost.at} that its store was lost.`, ""],
    ...logs.length === 0 ? ["It countersigns no logs yet."] : ["It countersigns these logs:"],
  ];
  for (const { origin, hash, keys, last, refused, fork } of logs) {
    lines.push(
      "",
      origin,
      ...keys.map((key) => `  key        ${formatVerifierKey(key)}`),
      last === null
        ? "  size       nothing countersigned yet"
        : `  size       ${last.size}, countersigned ${new Date(last.time * 1000).toISOString()}`,
      `  checkpoint ${url}${MONITOR_PATH.slice(1)}/${hash}/checkpoint`,
    );
    if (refused > 0) {
      lines.push(
        `  refused    ${refused}${fork ? ", among them proof of a fork" : ""}: ` +
          `${url}${MONITOR_PATH.slice(1)}/${hash}/refused`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
