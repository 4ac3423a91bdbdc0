/**
 * Removes checks from source code, one at a time, to find out whether tests notice. Works on text, for
 * code that is formatted by `deno fmt`: a condition is on one line.
 *
 * @module
 */

/** A source text without one check. */
interface Mutant {
  line: number;
  /** The kind of check that was removed, and its text. */
  removed: string;
  source: string;
}

/** The text of a check and what takes its place. */
const CHECKS: readonly (readonly [what: string, check: RegExp, becomes: string])[] = [
  ["condition", /(?<=\bif \().+(?=\) (?:return|\{|break|throw))/g, "false"],
  ["result of a check", /(?<=return )await is\w+\(.+\)(?= *\n? *\?)/g, "true"],
  ["failure", /(?<=return )false(?=; \/\/)/g, "true"],
  ["fallback", /Array\.isArray\((\w+)\) \? \1 : \[\]/g, "$1"],
  ["form", /\.(?:regex|refine)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, ""],
  ["minimum", /\.min\(\d\)/g, ""],
  ["literal", /z\.literal\([^)]*\)/g, "z.any()"],
  ["integer", /z\.int\(\)/g, "z.number()"],
  ["type of text", /z\.string\(\)/g, "z.coerce.string()"],
  ["list of values", /z\.enum\(/g, "z.string().catch("],
  ["unknown members", /z\.strictObject/g, "z.looseObject"],
  [
    "schema of a member",
    /(?<=^ {2}\w+: )\w+Schema(?=,)|(?<=^ {2}\w+: )base64Url32(?=,)/gm,
    "z.any()",
  ],
  ["time zone", /z\.iso\.datetime\(\{/g, "z.iso.datetime({ local: true, offset: true,"],
  ["precision", /precision: 3,/g, ""],
  [
    "date",
    /z\.iso\.datetime\(\{[\s\S]*?\}\)/g,
    "z.string().regex(/^[-0-9]{10}T[:0-9]{8}[.]\\d{3}Z$/)",
  ],
  ["start of a pattern", /(?<=[/`])\^/g, ""],
  ["end of a pattern", /(?<!\\)\$(?=[/`][;,)])/g, ""],
  ["number of characters", /\{\d+\}(?=[$[/])/g, "+"],
  ["last character", /\[AEIMQUYcgkosw048\]|\[AQgw\]/g, "[A-Za-z0-9_-]"],
  ["case of letters", /\[a-z0-9\]|\[0-9a-f\]/g, "[a-zA-Z0-9]"],
  ["single dots", /\\\\\.\?/g, "[.]*"],
  ["first digit", /\[1-9\]/g, "\\\\d"],
  ["value of a list", /^ {2}(?:\d\w*n|P - 1n),\n/gm, ""],
  ["sign", /^ *bytes\[0\] &= 0x7f;.*\n/gm, ""],
];

/**
 * Returns a source once for each check in it, without that check.
 *
 * @param others the names of declarations that are not changed
 */
export function mutantsOf(source: string, others: readonly string[]): Mutant[] {
  const found: Mutant[] = [];
  for (const { start, text } of declarations(source, others)) {
    const add = (what: string, from: number, to: number, becomes: string) => {
      const line = source.slice(0, start + from).split("\n").length;
      found.push({
        line,
        removed: `${what} ${text.slice(from, to).trim()}`,
        source: source.slice(0, start + from) + becomes + source.slice(start + to),
      });
    };
    for (const [what, check, becomes] of CHECKS) {
      for (const match of text.matchAll(check)) {
        const [whole, group] = match;
        const end = match.index + whole.length;
        add(what, match.index, end, becomes.replace("$1", () => group));
      }
    }
    // Without texts, and without loops, which would not end.
    const code = text.replace(
      /"(?:[^"\\\n]|\\.)*"|\bwhile \(.*?\)(?= [[{]|;| \w)/g,
      (literal) => "x".repeat(literal.length),
    );
    for (const { index } of code.matchAll(/ (?:&&|\|\|)\s/g)) {
      const [from, to] = [operandStart(code, index), operandEnd(code, index + 4)];
      add("left operand", from, index + 4, "");
      add("right operand", index, to, "");
    }
  }
  return found;
}

/** Returns the constants and functions of a module with their places, without the comments between them. */
function declarations(source: string, others: readonly string[]) {
  const pattern =
    /^(?:export )?(?:async )?(?:const|function) (\w+)[\s\S]*?(?=\n\n\S|\n*$(?![\s\S]))/gm;
  return [...source.matchAll(pattern)]
    .map((match) => ({ name: match[1], start: match.index, text: match[0] }))
    .filter(({ name }) => !others.includes(name));
}

const OPENING = /[([{]/;
const CLOSING = /[)\]}]/;

function operandStart(text: string, end: number): number {
  let depth = 0;
  for (let i = end - 1; i >= 0; i--) {
    if (CLOSING.test(text[i])) depth++;
    else if (OPENING.test(text[i]) && --depth < 0) return i + 1;
    if (depth === 0 && /(?:return|=>|=|\?|:|,|;|&&|\|\|)\s$/.test(text.slice(0, i))) return i;
  }
  return 0;
}

function operandEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (OPENING.test(text[i])) depth++;
    else if (CLOSING.test(text[i]) && --depth < 0) return i;
    if (depth === 0 && /^(?:[;,]|\s(?:&&|\|\||\?|:)\s)/.test(text.slice(i))) return i;
  }
  return text.length;
}
