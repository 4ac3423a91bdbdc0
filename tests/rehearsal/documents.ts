/**
 * Reads sections of the documents: their sentences, and the commands in their blocks of code.
 *
 * @module
 */
const ROOT = new URL("../../", import.meta.url).pathname;

/** A command or a line of a block of code. */
export interface Line {
  text: string;
  /** The number of its first line in the document. */
  at: number;
}

/** The part of a document from a heading to the next one. */
export interface Section {
  path: string;
  heading: string;
  lines: Line[];
  /** Returns the number of the line on which a sentence begins, or null if the section lacks it. */
  find(sentence: string): number | null;
}

/** A place in a document that is not there, or not true. */
export class DocumentError extends Error {}

/** Reads a section, by the path of its document and its heading. */
export function readSection(path: string, heading: string): Section {
  const all = Deno.readTextFileSync(ROOT + path).split("\n");
  const isHeading = (line: string) => /^#+ /.test(line);
  const begin = all.findIndex((line) => isHeading(line) && line.replace(/^#+ /, "") === heading);
  if (begin < 0) throw new DocumentError(`${path} has no heading “${heading}”.`);
  const length = all.slice(begin + 1).findIndex(isHeading);
  const body = all.slice(begin + 1, length < 0 ? undefined : begin + 1 + length);
  const first = begin + 2;
  return {
    path,
    heading,
    lines: readBlocks(body).flatMap((block) => joined(block))
      .map(({ text, at }) => ({ text, at: at + first })),
    find(sentence) {
      const words = wordsOf(body);
      const wanted = sentence.split(/\s+/);
      const found = words.findIndex((_, i) =>
        wanted.every((word, j) => words[i + j]?.text === word)
      );
      return found < 0 ? null : words[found].at + first;
    },
  };
}

/** Returns the words of lines, without the marks of lists. */
const wordsOf = (body: readonly string[]): Line[] =>
  body.flatMap((line, at) =>
    line.replace(/^\s*(?:[-*]|\d+\.) /, "").split(/\s+/).filter((text) => text !== "")
      .map((text) => ({ text, at }))
  );

/**
 * Returns the lines of each block of code, which is fenced or indented by four more than the text around it. A fenced
 * block with a language, such as a unit, has no commands.
 */
function readBlocks(body: readonly string[]): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] | null = null;
  let isFenced = false;
  let isSkipped = false;
  let margin = 0;
  for (const [at, line] of body.entries()) {
    const [fence] = /^\s*```.*/.exec(line) ?? [];
    if (fence !== undefined) {
      isFenced = !isFenced;
      isSkipped = isFenced && fence.trim() !== "```";
      block = null;
      continue;
    }
    if (isSkipped) continue;
    const indent = line.search(/\S/);
    if (isFenced || indent >= margin + 4 && (block !== null || (body[at - 1] ?? "") === "")) {
      if (block === null) blocks.push(block = []);
      block.push({ text: isFenced ? line : line.slice(margin + 4), at });
    } else if (indent >= 0) {
      block = null;
      margin = /^\s*(?:[-*]|\d+\.) +/.exec(line)?.[0].length ?? Math.min(margin, indent);
    }
  }
  return blocks;
}

/** Joins the lines of a command that continues after a backslash or within quotes. */
function joined(block: readonly Line[]): Line[] {
  const commands: Line[] = [];
  let isOpen = false;
  for (const { text, at } of block) {
    const last = commands.at(-1);
    if (isOpen) last!.text += `\n${text}`;
    else if (text.trim() !== "") commands.push({ text, at });
    const whole = commands.at(-1)?.text ?? "";
    isOpen = whole.endsWith("\\") || (whole.match(/"/g)?.length ?? 0) % 2 === 1;
  }
  return commands;
}
