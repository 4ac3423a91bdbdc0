import { slug } from "github-slugger";

/** Writes text so that Markdown shows it as it is. Configured names may contain any character. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&!]/g, (character) => `\\${character}`);

/** Returns a link, or only its text if there is no address. */
export const link = (text: string, address: string | null): string =>
  address === null ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${address})`;

/** A labelled text of a page. */
export interface Item {
  /** Markdown without links. */
  label: string;
  /** Markdown. */
  text: string;
}

/** Returns a list of labelled texts. The label is a paragraph of its own, so that pages can align it. */
export const itemList = (items: readonly Item[]): string =>
  items.map(({ label, text }) => `- **${label}**\n\n  ${text}`).join("\n\n");

/** Joins the blocks of a page. */
export const blocks = (...parts: (string | false)[]): string =>
  parts.filter((part) => part !== false).join("\n\n") + "\n";

/** Returns the id that a heading has on its page, without the number sign. */
export const slugOf = (heading: string): string => slug(heading);
