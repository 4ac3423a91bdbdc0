/**
 * The part of the package that needs no large library, for the site's own process and its pages: what is wrong with
 * a PDF, what a copy leaves out, and texts as a PDF can show them.
 *
 * @module
 */
export { type PdfProblem, PROBLEMS } from "./problem.ts";
export { findPdfHeader } from "./read/header.ts";
export {
  describeLeftOut,
  LEFT_OUT_NAMES,
  type LeftOut,
  leftOutQuestion,
} from "./stamp/left_out_names.ts";
export { inOneLine } from "./write/text.ts";
