import { z } from "zod";

/** How long a field may be, and whether it has lines. */
export interface TextRule {
  /** The most characters, as a browser's `maxlength` counts them. */
  limit: number;
  lines?: boolean;
}

// Control characters, lone surrogates, other line ends, and what turns the direction of writing
// around, so that a text reads as another than it is. Joiners stay: names and emoji are written
// with them.
const NOT_IN_TEXT = /[\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_LINE = /\p{Cc}/u;
const NOT_IN_LINES = /[^\P{Cc}\n\t]/u;

/** Decomposed letters and line ends of two characters make a text longer than it is normalised. */
const RAW_FACTOR = 4;

/**
 * More combining marks in a row than any language needs (UAX #15, stream-safe text): normalising
 * sorts each such run, in quadratic time.
 */
const MARKS = /\p{M}{31}/u;

/**
 * Text that somebody typed: in NFC, as the standard asks of records, trimmed, its line ends `\n`.
 * What is missing, null or blank is undefined.
 */
export const textField = ({ limit, lines = false }: TextRule) =>
  z.string("This should be text.").nullish().transform((typed, ctx) => {
    const refuse = (message: string) => {
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    const raw = typed ?? "";
    if (raw.length > RAW_FACTOR * limit) return refuse(tooLong(limit));
    if (MARKS.test(raw)) return refuse(NOT_SHOWN);
    const text = raw.replace(/\r\n?/g, "\n").normalize("NFC").trim();
    if (text === "") return undefined;
    const problem = problemOf(text, limit, lines);
    return problem === undefined ? text : refuse(problem);
  });

const NOT_SHOWN = "There are characters in it that cannot be shown.";
const tooLong = (limit: number) => `Use ${limit} characters at most.`;

function problemOf(text: string, limit: number, lines: boolean): string | undefined {
  if (text.length > limit) return tooLong(limit);
  if (!lines && text.includes("\n")) return "Use one line.";
  if (NOT_IN_TEXT.test(text) || (lines ? NOT_IN_LINES : NOT_IN_LINE).test(text)) {
    return NOT_SHOWN;
  }
}
