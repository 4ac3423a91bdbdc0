import { unmarked } from "../../../base/pasted.ts";

/** Errors of formulas: `#N/A`, `#REF!` and those of other languages, `########`, and `Err:502` of LibreOffice. */
const ERROR = /^(#(N\/A|[\p{Lu}\d_/¡¿]+[!?]|NV|N\/D|ND|GETTING_DATA|#+)|Err:\d{3})$/u;

/** A long number that a spreadsheet rounded: `2.02611E+11`. */
const ROUNDED = /^[+-]?\d([.,]\d+)?E[+-]\d{2,3}$/i;

/**
 * The traces of letters that the encoding of a file lacks, `M?ller`, or that were read in another encoding,
 * `MÃ¼ller`. No name has them.
 */
const LOST = /[?\uff1f\ufffd]|[ÂÃ][\u0080-\u009f\u00a1-\u00bf]|â€/;

const NAMES = ["name", "name_latin"];

/** Says what a spreadsheet has probably made of a cell; undefined if the cell looks as it was entered. */
export function spoiledReason(column: string, cell: string): string | undefined {
  const text = unmarked(cell);
  if (ERROR.test(text)) {
    return "This is probably the error of a formula in a spreadsheet, not a value.";
  }
  if (ROUNDED.test(text)) {
    return "A spreadsheet has probably rounded this number. Format the column as text, and enter it again.";
  }
  if (NAMES.includes(column) && LOST.test(text)) {
    return "Letters of this name were probably lost when the file was saved. In Excel, save it as “CSV UTF-8”.";
  }
}
