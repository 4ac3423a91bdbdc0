import type { FormValues } from "../contact/mod.ts";

/** The kinds of document that investors and partners may ask for. */
export const DOCUMENTS = [
  {
    id: "company",
    title: "Company",
    contents: "Constitution, register of members and directors, board minutes.",
  },
  {
    id: "finance",
    title: "Finance",
    contents: "Accounts, forecasts and the terms of investment.",
  },
  {
    id: "contracts",
    title: "Contracts",
    contents: "Agreements with customers and suppliers, and with the foundation.",
  },
  {
    id: "technology",
    title: "Technology and security",
    contents: "Architecture, operations, security reviews and incident reports.",
  },
] as const;

/**
 * Returns what the form starts with: a message if the visitor chose a kind of document, else nothing. Other text in the URL is ignored, so that a link cannot put words into the form.
 *
 * @param id the `request` parameter of the page's URL
 */
export function firstValues(id: string | null): FormValues {
  const document = DOCUMENTS.find((each) => each.id === id);
  return document === undefined
    ? {}
    : { message: `I would like to request documents: ${document.title}.` };
}
