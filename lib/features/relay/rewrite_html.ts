/** Rewrites the links in an HTML stream, so that they stay below the relay's slug. */
import { Buffer } from "node:buffer";
import { RewritingStream } from "parse5-html-rewriting-stream";
import { parseRefresh } from "./headers.ts";
import type { References } from "./references.ts";

type StartTag = Parameters<RewritingStream["emitStartTag"]>[0];
/** Byte offsets in the body; `endOffset` is exclusive. */
type Range = { startOffset: number; endOffset: number };

/** Limits the buffer: after a longer tag, comment or word, the rest of the page is not rewritten. */
const MAX_BUFFER = 4 << 20;

/**
 * Creates a stream that rewrites the links of an HTML body, so that links to the origin lead below
 * the slug. Each byte is treated as one character, and only attributes with links are replaced, so
 * all other bytes stay as they are.
 */
export function rewriteHtml(
  references: References,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const parser = new RewritingStream();
  /** Bytes that were read but not sent yet, and their offset in the body. */
  let buffer = "";
  let bufferStart = 0;
  let output = "";
  let stopped = false;
  let hasBase = false;

  /** Moves the buffer up to an offset in the body to the output. */
  function pass(end: number) {
    output += buffer.slice(0, end - bufferStart);
    buffer = buffer.slice(end - bufferStart);
    bufferStart = end;
  }

  parser.on("startTag", (token) => {
    const tag = tagOf(token);
    for (const [attribute, { startOffset, endOffset }] of attributeRanges(token)) {
      const edit = editOf(tag, attribute);
      if (edit === null) continue;
      pass(startOffset);
      output += edited(buffer.slice(0, endOffset - bufferStart), (text) => edit(text, references));
      buffer = buffer.slice(endOffset - bufferStart);
      bufferStart = endOffset;
    }
    pass(token.sourceCodeLocation!.endOffset);
    if (tag.name === "base" && tag.attributes.href !== undefined && !hasBase) {
      hasBase = true;
      references.rebase(tag.attributes.href);
    }
  });
  for (const event of ["endTag", "text", "comment", "doctype"] as const) {
    parser.on(
      event,
      (token: { sourceCodeLocation?: Range | null }) => pass(token.sourceCodeLocation!.endOffset),
    );
  }

  const flush = (controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (output !== "") controller.enqueue(new Uint8Array(Buffer.from(output, "latin1")));
    output = "";
  };
  return new TransformStream({
    async transform(chunk, controller) {
      if (stopped) return controller.enqueue(chunk);
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
      buffer += text;
      await new Promise<void>((resolve, reject) =>
        parser.write(text, (error) => error ? reject(error) : resolve())
      );
      if (buffer.length > MAX_BUFFER) {
        stopped = true;
        pass(bufferStart + buffer.length);
        parser.destroy();
      }
      flush(controller);
    },
    async flush(controller) {
      if (!stopped) await new Promise<void>((resolve) => parser.end(resolve));
      pass(bufferStart + buffer.length);
      flush(controller);
    },
  });
}

function tagOf({ tagName, attrs }: StartTag): Tag {
  return {
    name: tagName,
    attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])),
  };
}

/** Returns the attributes with their ranges in the body, in order. */
function attributeRanges({ sourceCodeLocation }: StartTag): [attribute: string, range: Range][] {
  const { attrs = {} } = sourceCodeLocation as { attrs?: Record<string, Range> };
  return Object.entries(attrs).sort(([, a], [, b]) => a.startOffset - b.startOffset);
}

/** Replaces the value of an attribute inside its quotes. */
function edited(attribute: string, edit: (text: string) => string): string {
  const [, start, quote, rest] = /^(.[^=]*=[\t\n\f\r ]*)(["']?)([^]*)$/.exec(attribute) ??
    [null, attribute, "", ""];
  if (rest === "") return attribute;
  const text = unescaped(quote === "" ? rest : rest.slice(0, -1));
  const value = edit(text);
  if (value === text) return attribute;
  return quote === "" && value === "" ? `${start}""` : start + quote + value + quote;
}

/** Decodes slashes and colons, which some templates escape. Nothing else can begin a URL. */
const unescaped = (text: string) =>
  text.replace(/&(?:#x2f|#47|sol);/gi, "/").replace(/&(?:#x3a|#58|colon);/gi, ":");

type Edit = (text: string, references: References) => string;

const reference: Edit = (text, references) => references.inPage(text);
/**
 * Matches a URL with descriptors in `srcset`, which separates them by commas. A URL may contain
 * commas, but does not end with one. No part of the pattern can fail after it has started to match, so
 * it never backtracks.
 */
const CANDIDATE =
  /([^\t\n\f\r ,](?:[^\t\n\f\r ]*[^\t\n\f\r ,])?)([\t\n\f\r ][^,(]*(?:\([^)]*\)?[^,(]*)*)?/g;
const candidates: Edit = (text, references) =>
  text.replace(CANDIDATE, (_, url, after = "") => references.inPage(url) + after);
const refresh: Edit = (text, references) => {
  const { start, reference, end } = parseRefresh(text);
  return reference === "" ? text : start + references.inPage(reference) + end;
};
/** Empties attributes that would send the page's URL to other sites, in a ping or as the referrer. */
const empty: Edit = () => "";

const EDITS: Record<string, Edit> = {
  href: reference,
  "xlink:href": reference,
  src: reference,
  action: reference,
  formaction: reference,
  poster: reference,
  background: reference,
  cite: reference,
  longdesc: reference,
  srcset: candidates,
  imagesrcset: candidates,
  ping: empty,
  referrerpolicy: empty,
};

/** A start tag's lowercase name and attributes, decoded. */
interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** Returns the edit of an attribute, or null if it contains no link. */
function editOf(tag: Tag, attribute: string): Edit | null {
  if (Object.hasOwn(EDITS, attribute)) return EDITS[attribute];
  if (attribute === "data" && tag.name === "object") return reference;
  if (attribute === "manifest" && tag.name === "html") return reference;
  if (attribute === "content" && tag.name === "meta") {
    if (tag.attributes["http-equiv"]?.toLowerCase() === "refresh") return refresh;
    if (tag.attributes.name?.toLowerCase() === "referrer") return () => "no-referrer";
  }
  return null;
}
