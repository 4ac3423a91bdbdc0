import { sha256 } from "../../platform/kv/hash.ts";
import { Typeface } from "../../platform/pdf/fonts.ts";
import { printable, wrap } from "../../platform/pdf/text.ts";
import type { StandardSection } from "./sections.ts";

/**
 * The printed standard. `tools/standard_pdf.ts` makes it, and a test requires one of the current text.
 */
export const PDF_FILE = new URL("./standard.pdf", import.meta.url);

/** Returns the SHA-256 of all sections, joined in order, which the changelog and the PDF state. */
export const textHash = ({ sections }: { sections: readonly StandardSection[] }): string =>
  sha256(sections.map(({ markdown }) => markdown).join(""));

/** The organisation that a deployment publishes the standard as. */
export interface Publisher {
  name: string;
  /** The URL of the standard on its site. */
  address: string;
}

/** The place of the publisher on the cover: a stream of this length, which begins with this comment. */
export const BLANK_START = "% The publisher\n";
export const BLANK_LENGTH = 2048;

/** The width of the publisher's lines in points. */
const WIDTH = 370;
const SIZE = 9.5;
const LEADING = 13.8;
const MAX_LINES = 3;

/** The fonts of the cover, by the names that the file gives them. */
export const COVER_FONTS = { regular: "Cover-Regular", bold: "Cover-Semibold" } as const;

/** Returns the printed standard with its publisher on the cover. */
export async function standardPdf(publisher: Publisher): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Deno.readFile(PDF_FILE);
  const start = new TextDecoder("latin1").decode(bytes).indexOf(BLANK_START);
  if (start === -1) throw new Error("The PDF of the standard has no place for its publisher.");
  // Equally long, so that the positions of the other objects stay.
  const text = BLANK_START + publisherLines(publisher);
  if (text.length > BLANK_LENGTH) throw new Error("The publisher's name or address is too long.");
  bytes.set(new TextEncoder().encode(text.padEnd(BLANK_LENGTH)), start);
  return bytes;
}

/** Returns the operators that draw the lines, the first of them at 0, 0. */
function publisherLines({ name, address }: Publisher): string {
  const lines = (text: string, font: keyof typeof COVER_FONTS) => {
    const face = new Typeface(COVER_FONTS[font]);
    return wrap(text, (line) => face.widthOf(line, SIZE) <= WIDTH, MAX_LINES)
      .map((line) => `/${font} ${SIZE} Tf ${face.encode(`${line} `)} Tj 0 -${LEADING} Td`);
  };
  // A name in another script cannot be printed. The address is enough to find out who it is.
  const shown = printable(name);
  return [
    "BT 0 g",
    ...shown ? lines(shown, "bold") : [],
    ...lines(address, "regular"),
    "ET",
  ].join("\n");
}
