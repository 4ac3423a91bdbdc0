/** A verb of TwiML that the stand-in understands. */
export type Verb =
  | { name: "Say"; text: string }
  | { name: "Pause" }
  | { name: "Hangup" }
  | { name: "Gather"; action: string; verbs: Verb[] };

const TOKEN = /<\?xml[^?]*\?>|<(\/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: `"`,
  apos: "'",
};

/**
 * Parses the subset of TwiML that the site uses.
 *
 * @throws {SyntaxError} for malformed XML and unknown verbs, for which Twilio would end the call
 */
export function parseTwiml(xml: string): Verb[] {
  const tokens = [...xml.matchAll(TOKEN)];
  const end = tokens.reduce((sum, [text]) => sum + text.length, 0);
  if (end !== xml.length) throw new SyntaxError(`Malformed XML at ${end}.`);
  let at = 0;
  if (tokens[at]?.[0].startsWith("<?xml")) at++;
  const root = element();
  if (root.name !== "Response" || at !== tokens.length) throw new SyntaxError("Not a response.");
  return root.children.map(verbOf);

  function element(): Element {
    const [, closing, name, attributes, empty] = tokens[at++] ?? [];
    if (name === undefined || closing !== "") throw new SyntaxError("An element is expected.");
    const found: Element = {
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, decode(value)]),
      ),
      children: [],
      text: "",
    };
    if (empty !== "") return found;
    while (at < tokens.length) {
      const [, closes, tag, , , text] = tokens[at];
      if (text !== undefined) {
        found.text += decode(text);
        at++;
      } else if (closes !== "") {
        at++;
        if (tag !== name) break;
        return found;
      } else {
        found.children.push(element());
      }
    }
    throw new SyntaxError(`${name} is not closed.`);
  }
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

function verbOf({ name, attributes, children, text }: Element): Verb {
  switch (name) {
    case "Say":
      return { name, text };
    case "Pause":
    case "Hangup":
      return { name };
    case "Gather":
      return { name, action: attributes.action ?? "", verbs: children.map(verbOf) };
    default:
      throw new SyntaxError(`Unknown verb ${name}.`);
  }
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d+);|(\w+);)?/g, (entity, code, name) => {
    const character = code === undefined ? ENTITIES[name] : String.fromCodePoint(Number(code));
    if (character === undefined) throw new SyntaxError(`Unknown entity ${entity}.`);
    return character;
  });
}

/** A call that plays TwiML until it waits for a key or ends. */
interface Playback {
  /** The words that are said until then. */
  lines: string[];
  /** The URL to call when a key is pressed; undefined when the call has ended. */
  action?: string;
  /** The verbs that follow if no key is pressed. */
  rest: Verb[];
}

export function play(verbs: readonly Verb[]): Playback {
  const lines: string[] = [];
  for (const [i, verb] of verbs.entries()) {
    if (verb.name === "Hangup") break;
    if (verb.name === "Say") lines.push(verb.text);
    if (verb.name === "Gather") {
      lines.push(...play(verb.verbs).lines);
      return { lines, action: verb.action, rest: verbs.slice(i + 1) };
    }
  }
  return { lines, rest: [] };
}
