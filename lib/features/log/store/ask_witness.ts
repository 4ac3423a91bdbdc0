/** Asks one witness to countersign a checkpoint (C2SP tlog-witness). */
import { SECOND_MS } from "../../../base/time.ts";
import { encodeBase64 } from "../../../base/encoding.ts";
import {
  consistencySteps,
  type NoteSignature,
  parseSignature,
  parseSize,
  readProof,
  type ReadTiles,
  type VerifierKey,
  verifySignature,
} from "../../../../packages/proof/mod.ts";

/** A witness that the log asks. */
export interface Witness {
  /** Its name in the policy. */
  name: string;
  key: VerifierKey;
  /** The start of its addresses; null if readers cannot reach it. */
  url: string | null;
  /** True if the log's operator runs it too, so that it proves nothing against the operator. */
  own: boolean;
  /** Sends the body of `add-checkpoint` (C2SP tlog-witness). */
  submit(body: string, signal: AbortSignal): Promise<Response>;
}

/** The reply of a witness that does not know the log, so that it knows no larger tree of it either. */
export const UNKNOWN_LOG = "status 404";

/** A witness's reply to a checkpoint. */
export type Reply =
  | { kind: "signed"; signature: NoteSignature; time: number }
  /** It has seen a larger tree, of this size. */
  | { kind: "ahead"; size: number }
  /** It has signed a tree that this one does not extend. */
  | { kind: "refused"; response: string }
  /** It cannot be reached, or does not sign at the moment. */
  | { kind: "failed"; what: string };

/** A checkpoint that the log has signed. */
export interface Submission {
  /** The note with the log's own signatures. */
  note: string;
  /** The signed text. */
  text: string;
  size: number;
  readTiles: ReadTiles;
}

/** How long a witness may take, all attempts together. */
const TIMEOUT_MS = 8 * SECOND_MS;
/** The longest response that is read, which may have lines of several algorithms. */
const MAX_RESPONSE = 64 * 1024;
/** A witness may sign checkpoints of several processes, so its size can change in between. */
const ATTEMPTS = 3;
const SIZE_TYPE = "text/x.tlog.size";

/**
 * Asks a witness to countersign a checkpoint, with a proof that it extends what the witness has seen.
 *
 * @param known the size that the witness countersigned last, as far as is known
 */
export async function askWitness(
  witness: Witness,
  submission: Submission,
  known: number,
): Promise<Reply> {
  let old = Math.min(known, submission.size);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let status: number;
    let type: string;
    let body: string;
    try {
      const response = await witness.submit(await bodyOf(submission, old), signal);
      status = response.status;
      type = response.headers.get("content-type") ?? "";
      body = await readLimited(response);
    } catch (error) {
      return { kind: "failed", what: error instanceof Error ? error.name : "no response" };
    }
    if (status === 200) return await signedBy(witness.key, submission.text, body);
    if (status === 422) return { kind: "refused", response: `422 ${body}`.trim() };
    const size = status === 409 && type.startsWith(SIZE_TYPE) ? parseSize(body.trimEnd()) : null;
    // A witness of tlog-witness v1.0.0 has another tree of this size. Later ones respond with 422.
    const isFork = status === 409 && size === null && old === submission.size;
    if (isFork) return { kind: "refused", response: `409 ${body}`.trim() };
    if (size === null) return { kind: "failed", what: `status ${status}` };
    if (size > submission.size) return { kind: "ahead", size };
    old = size;
  }
  return { kind: "failed", what: "its size keeps changing" };
}

async function bodyOf({ note, size, readTiles }: Submission, old: number): Promise<string> {
  const proof = old === 0 || old === size
    ? []
    : await readProof(consistencySteps(old, size), size, readTiles);
  return `old ${old}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join("")}\n${note}`;
}

/** Returns the witness's signature among the lines of a response; lines of other keys are ignored. */
async function signedBy(key: VerifierKey, text: string, body: string): Promise<Reply> {
  for (const line of body.split("\n")) {
    const signature = parseSignature(line);
    if (signature?.name !== key.name || signature.id !== key.id) continue;
    const verified = await verifySignature(text, signature, key);
    if (verified?.time) return { kind: "signed", signature, time: verified.time };
  }
  return { kind: "failed", what: "no valid signature" };
}

async function readLimited(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE) throw new RangeError("The response is too long.");
  }
  return text;
}
