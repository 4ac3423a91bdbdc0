/**
 * Keeps the evidence of faults in the folder of a monitor.
 *
 * @module
 */
import { join } from "node:path";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { sha256Bytes } from "../log/mod.ts";
import { CONTRADICTION, type Finding } from "./finding.ts";
import type { Kept } from "./kept.ts";

/** The most folders of one fault, so that a log cannot fill the disk. The first ones prove it. */
const MOST = 100;

/**
 * Keeps what proves a fault, once: a folder with its files and a message.
 *
 * @param record the record or file that the fault concerns; empty for the log
 * @returns the folder; null if there is nothing to keep
 */
export async function keepEvidence(
  kept: Kept,
  { fault, message, evidence }: Finding,
  { origin, record = "", at }: { origin: string; record?: string; at: string },
): Promise<string | null> {
  if (evidence === undefined) return null;
  // Two forks of one size are two proofs, although the message is the same.
  const proof = evidence[CONTRADICTION] ?? null;
  const about = JSON.stringify([record, message, proof]);
  const id = encodeHex(sha256Bytes(utf8(about))).slice(0, 12);
  const name = `${fault}-${id}`;
  const known = await namesIn(join(kept.folder, "evidence"));
  const path = join("evidence", name);
  if (!known.includes(name)) {
    if (known.filter((each) => each.startsWith(`${fault}-`)).length >= MOST) return null;
    for (const [file, content] of Object.entries(evidence)) {
      await kept.write(join(path, file), content);
    }
    await kept.write(join(path, "message.txt"), `${at}\n${origin}\n${fault}: ${message}\n`);
  }
  return join(kept.folder, path);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
