/** The HTTP responses of a witness, to logs and to those who monitor it. */
import { RequestError, unwrap } from "../../platform/http/errors.ts";
import { readBytes } from "../../platform/http/body.ts";
import { formatVerifierKey } from "../../../packages/proof/mod.ts";
import { MAX_BODY_BYTES } from "./request.ts";
import type { AddResult, Witness } from "./witness.ts";

/** The path below which monitors read what the witness has countersigned and refused. */
export const MONITOR_PATH = "/monitor";

const TEXT = "text/plain; charset=utf-8";
/** Responses are public, and change with each cosignature. */
const PUBLIC_HEADERS = { "access-control-allow-origin": "*", "cache-control": "public, max-age=5" };

/** Handles `POST /add-checkpoint`. */
export const addCheckpoint = async (
  witness: Witness,
  req: Request,
  client: string,
): Promise<Response> =>
  addResponse(await witness.add(await readBytes(req, MAX_BODY_BYTES), client));

/** @throws {RequestError} for every failure but a conflict, whose body the protocol defines */
function addResponse(result: AddResult): Response {
  const headers = { "cache-control": "no-store" };
  if (!result.ok && "size" in result) {
    const type = { "content-type": "text/x.tlog.size" };
    return new Response(`${result.size}\n`, { status: 409, headers: { ...headers, ...type } });
  }
  const { cosignature } = unwrap(result);
  return new Response(cosignature, { headers: { ...headers, "content-type": TEXT } });
}

/**
 * Returns the newest checkpoint of a log that was countersigned.
 *
 * @throws {RequestError} (rejects) 404 if there is none
 */
export async function latestCheckpoint(witness: Witness, hash: string): Promise<Response> {
  const checkpoint = await witness.latest(hash);
  if (checkpoint === null) throw new RequestError(404);
  return new Response(checkpoint, { headers: { ...PUBLIC_HEADERS, "content-type": TEXT } });
}

/**
 * Returns the refused checkpoints, which may prove that a log has forked.
 *
 * @throws {RequestError} (rejects) 404 for a log that the witness does not know
 */
export async function refusedCheckpoints(witness: Witness, hash: string): Promise<Response> {
  const refused = await witness.refused(hash);
  if (refused === null) throw new RequestError(404);
  return Response.json(refused, { headers: PUBLIC_HEADERS });
}

/** Returns the line that a log's operator adds to `LOG_WITNESSES`. */
export const policyLine = ({ key }: Witness, url: string): string =>
  `witness ${key.name} ${formatVerifierKey(key)} ${url}`;
