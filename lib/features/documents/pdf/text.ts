import { formatDocumentId, parseDocumentId } from "../ids.ts";
import type { IssueDetails } from "../new_version.ts";

/** Returns the address of a page's lock screen. */
export const pageAddress = ({ address }: IssueDetails, page: number): string =>
  `${address}/${page}`;

/** Returns text in groups of four characters: `3f5a 9c01`. */
export const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(" ") ?? "";

/** Returns an address as people can type it, with the document's id in groups of four. */
export const printedAddress = (url: string): string =>
  url.replace(/[^/]+(?=\/\d+$)/, (part) => {
    const id = parseDocumentId(part);
    return id === null ? part : formatDocumentId(id);
  });

/** Returns how an address has to begin: `https://trust.example/`. */
export const addressStart = (url: string): string => `${url.split("/", 3).join("/")}/`;
