/** The sections of the standard, in the current and in earlier versions. */
import introduction from "./sections/01-introduction.md" with { type: "text" };
import records from "./sections/02-records.md" with { type: "text" };
import eventChain from "./sections/03-event-chain.md" with { type: "text" };
import eventKinds from "./sections/04-event-kinds.md" with { type: "text" };
import heads from "./sections/05-heads.md" with { type: "text" };
import trustLevels from "./sections/06-trust-levels.md" with { type: "text" };
import verification from "./sections/07-verification.md" with { type: "text" };
import privacy from "./sections/08-privacy.md" with { type: "text" };
import transparencyLog from "./sections/09-transparency-log.md" with { type: "text" };
import discovery from "./sections/10-discovery.md" with { type: "text" };
import conformance from "./sections/11-conformance.md" with { type: "text" };
import testVectors from "./sections/12-test-vectors.md" with { type: "text" };
import version10 from "./versions/1.0.md" with { type: "text" };
import version11 from "./versions/1.1.md" with { type: "text" };

/** A section of the standard. */
export interface StandardSection {
  /** The last part of its path, `/standard/<id>`. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** One sentence of plain text. */
  readonly summary: string;
  /** The whole text: GitHub-flavoured Markdown with the title as its heading. */
  readonly markdown: string;
}

const TEXTS: readonly (readonly [id: string, markdown: string])[] = [
  ["introduction", introduction],
  ["records", records],
  ["event-chain", eventChain],
  ["event-kinds", eventKinds],
  ["heads", heads],
  ["trust-levels", trustLevels],
  ["verification", verification],
  ["privacy", privacy],
  ["transparency-log", transparencyLog],
  ["discovery", discovery],
  ["conformance", conformance],
  ["test-vectors", testVectors],
];

/** Reads a section. The heading of a text is its title, and the first paragraph its summary. */
export function readSection(id: string, number: number, markdown: string): StandardSection {
  const [heading, summary] = markdown.split(/\n{2,}/, 2);
  return {
    id,
    number,
    title: heading.replace(/^# /, "").trim(),
    summary: summary.replaceAll("\n", " ").trim(),
    markdown,
  };
}

export const readSections = (): readonly StandardSection[] =>
  TEXTS.map(([id, markdown], index) => readSection(id, index + 1, markdown));

/** The complete texts of earlier versions, each as its sections joined in order. */
const EARLIER: Readonly<Record<string, string>> = { "1.0": version10, "1.1": version11 };

/** Returns the sections of each earlier version, with the ids of the current ones that have the same titles. */
export const readEarlier = (): Map<string, readonly StandardSection[]> =>
  new Map(Object.entries(EARLIER).map(([version, text]) => [version, splitSections(text)]));

const titleOf = (markdown: string): string => markdown.slice(0, markdown.indexOf("\n"));

/** The ids of the sections by their headings. No title has changed since version 1.0. */
const IDS = new Map(TEXTS.map(([id, markdown]) => [titleOf(markdown), id]));

/** Splits a whole text into its sections. Lines of code may begin like a heading, too. */
export function splitSections(text: string): StandardSection[] {
  const parts: string[] = [];
  for (const part of text.split(/^(?=# )/m)) {
    if (parts.length === 0 || IDS.has(titleOf(part))) parts.push(part);
    else parts.push(parts.pop() + part);
  }
  return parts.map((markdown, i) => {
    const id = IDS.get(titleOf(markdown));
    if (id === undefined) throw new Error(`No section begins with "${titleOf(markdown)}".`);
    return readSection(id, i + 1, markdown);
  });
}

export const bodyOf = ({ markdown }: StandardSection): string =>
  markdown.split(/\n{2,}/).slice(2).join("\n\n");
