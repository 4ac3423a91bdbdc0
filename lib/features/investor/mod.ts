/**
 * The page for investors: live figures, and the documents that they may ask for.
 *
 * @module
 */
export { DOCUMENTS, firstValues } from "./documents.ts";
export { type Figures, readFigures } from "./figures.ts";
