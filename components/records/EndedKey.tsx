/** The results of key checks without a chain: replaced, revoked, unknown and incomplete keys. */
import type { KeyReport } from "../../lib/features/records/keys/key_service.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { Seal } from "../chain/Seal.tsx";

type Ended = Exclude<KeyReport, { state: "current" }>;

/** Explains why a key leads to no record. */
export function EndedKey({ report }: { report: Ended }) {
  const { kind, title, text } = describe(report);
  return (
    <section class={`verdict ${kind}`} aria-label="Result" role="status">
      <Seal kind="open" />
      <div class="verdict-text">
        <p class="eyebrow">Result</p>
        <h2>{title}</h2>
        {text.map((paragraph) => <p key={paragraph}>{paragraph}</p>)}
      </div>
    </section>
  );
}

function describe(report: Ended): { kind: "fair" | "open"; title: string; text: string[] } {
  switch (report.state) {
    case "replaced":
      return {
        kind: "fair",
        title: `This key was replaced on ${formatDateTime(report.at)}.`,
        text: [
          "The record's holder has a newer key. Ask them to show it.",
          "Nothing was verified. A replaced key no longer leads to its record.",
        ],
      };
    case "revoked":
      return {
        kind: "fair",
        title: `This key was revoked on ${formatDateTime(report.at)}.`,
        text: [
          "The record's holder no longer wants this key to lead to the record.",
          "Nothing was verified. This says nothing about the record's chain, which still exists.",
        ],
      };
    case "unknown":
      return {
        kind: "open",
        title: "This key is not known here.",
        text: [
          "You may have mistyped it, it may belong to another publisher, or its record may have been " +
          "deleted. Compare it with the card, character by character.",
          "Nothing was verified.",
        ],
      };
    case "malformed":
      return {
        kind: "open",
        title: "This is not a complete key.",
        text: ["A key has 26 letters and digits. Scan the code again, or check what you typed."],
      };
  }
}
