import { sha256 } from "../../platform/kv/hash.ts";
import type { StandardSection } from "./sections.ts";

/**
 * The printed standard. `tools/standard_pdf.ts` makes it, and a test requires one of the current text.
 */
export const PDF_FILE = new URL("./standard.pdf", import.meta.url);

/** Returns the SHA-256 of all sections, joined in order, which the changelog and the PDF state. */
export const textHash = ({ sections }: { sections: readonly StandardSection[] }): string =>
  sha256(sections.map(({ markdown }) => markdown).join(""));
