const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * Parses JSON in which no object has two members of the same name. `JSON.parse` keeps the last one,
 * other parsers the first, so such a text would show two readers different events (standard, "JSON
 * text").
 *
 * @throws {SyntaxError} for any other text
 */
export function parseStrictJson(text: string): unknown {
  const value = JSON.parse(text);
  const repeated = findRepeatedName(text);
  if (repeated === null) return value;
  throw new SyntaxError(`The name ${repeated} occurs twice in one object.`);
}

/** Returns a name that occurs twice in one object of a valid JSON text, as it is written. */
function findRepeatedName(text: string): string | null {
  /** The names of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isName = false; // whether the next text is a name
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : null);
      isName = token === "{";
    } else if (token === "}" || token === "]") {
      open.pop();
      isName = false;
    } else if (token === ",") {
      isName = open.at(-1) !== null;
    } else if (isName) {
      const names = open.at(-1)!;
      const name: string = JSON.parse(token);
      if (names.has(name)) return token;
      names.add(name);
      isName = false;
    }
  }
  return null;
}
