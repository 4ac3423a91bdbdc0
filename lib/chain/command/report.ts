import type { ChainVerification } from "../verify_chain.ts";
import type { Evidence } from "./evidence.ts";

/** What a fault says, where it was found. */
export function faultLine(
  { seq, code, message }: { seq?: number; code: string; message: string },
): string {
  return `Not verified: ${seq === undefined ? "" : `event ${seq}: `}${code}: ${message}.`;
}

/** What was verified, from where each thing came, and what it therefore does not show. */
export function reportLines(
  evidence: Evidence,
  result: ChainVerification & { ok: true },
): string[] {
  const { hash, hashFrom, publisher, publisherFrom, keysFrom } = evidence;
  const { size, signedSize, tip, head } = result;
  const covered = signedSize === size ? "all of them" : `the first ${signedSize}`;
  // With keys of its own, a file only agrees with itself.
  const verdict = keysFrom === "the file" ? "Consistent in itself" : "Verified";
  return [
    `${verdict}: ${size} ${
      size === 1 ? "event" : "events"
    }, ${covered} covered by the signed head.`,
    `  record hash  ${hash}  (from ${hashFrom})`,
    `  publisher    ${publisher}  (from ${publisherFrom})`,
    `  tip          ${tip}`,
    `  signed at    ${head.at}`,
    `  key          ${head.kid}  (from ${keysFrom})`,
    ...notes(evidence),
  ];
}

function notes({ hashFrom, publisherFrom, keysFrom }: Evidence): string[] {
  const lines: string[] = [];
  if (hashFrom === "the file") {
    lines.push(
      "The record hash is the file's own: its events agree with each other, but that they belong " +
        "to a particular record is not shown. Give --hash, from a QR code or a print.",
    );
  }
  if (hashFrom === "the address") {
    lines.push(
      "The record hash is the address's: it shows as much as the place where you have that from.",
    );
  }
  if (publisherFrom === "the file" || publisherFrom === "the chain itself") {
    lines.push(
      `The publisher is the word of ${publisherFrom}: that it is the one you mean is not shown. ` +
        "Give --publisher.",
    );
  }
  if (keysFrom === "the file") {
    lines.push(
      "The keys are the file's own, which whoever made the file could have made as well. " +
        "Leave --offline out, or give --keys.",
    );
  }
  return lines.map((line) => `Note: ${line}`);
}
