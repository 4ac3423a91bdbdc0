import { Buffer } from "node:buffer";
import { RewritingStream } from "parse5-html-rewriting-stream";
import { editOf, type Tag } from "./link_attributes.ts";
import type { References } from "./references.ts";

type StartTag = Parameters<RewritingStream["emitStartTag"]>[0];
/** In the body, in bytes; `endOffset` is the place after it. */
type Place = { startOffset: number; endOffset: number };

/** A single tag, comment or word that is longer ends the rewriting: so much is held at most. */
const HELD_AT_MOST = 4 << 20;

/**
 * Whether an answer is HTML whose bytes can be searched for tags: in UTF-8 or a one-byte encoding,
 * both of which leave ASCII as it is. Where none is named it is taken for one of them, and a body
 * in UTF-16 then simply shows no tags.
 *
 * @param type the value of `Content-Type`
 */
export function isRewritable(type: string | null): boolean {
  const [, parameters] = /^\s*text\/html\s*(?:;(.*))?$/i.exec(type ?? "") ?? [null, null];
  if (parameters === null) return false;
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]+)/i.exec(parameters ?? "")?.[1] ?? "utf-8";
  return /^(?:utf-?8|us-ascii|ascii|latin1|iso-8859-\d+|windows-125\d|koi8-[ru])$/i.test(charset);
}

/**
 * Rewrites the links of an HTML body as it passes: attribute values that lead to the origin's root
 * then lead below the slug. Every other byte stays as it is, for each byte is taken as one
 * character and only the found places are replaced.
 *
 * @example
 * ```ts
 * answer.body.pipeThrough(rewriteHtml(references));
 * ```
 */
export function rewriteHtml(
  references: References,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const parser = new RewritingStream();
  /** What was read but not passed on, and its place in the body. */
  let held = "";
  let heldFrom = 0;
  let output = "";
  let gaveUp = false;
  let hasBase = false;

  /** Passes on what is held up to a place in the body. */
  function pass(end: number) {
    output += held.slice(0, end - heldFrom);
    held = held.slice(end - heldFrom);
    heldFrom = end;
  }

  parser.on("startTag", (token) => {
    const tag = tagOf(token);
    for (const [attribute, { startOffset, endOffset }] of placesOf(token)) {
      const edit = editOf(tag, attribute);
      if (edit === null) continue;
      pass(startOffset);
      output += edited(held.slice(0, endOffset - heldFrom), (text) => edit(text, references));
      held = held.slice(endOffset - heldFrom);
      heldFrom = endOffset;
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
      (token: { sourceCodeLocation?: Place | null }) => pass(token.sourceCodeLocation!.endOffset),
    );
  }

  const flush = (controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (output !== "") controller.enqueue(new Uint8Array(Buffer.from(output, "latin1")));
    output = "";
  };
  return new TransformStream({
    async transform(chunk, controller) {
      if (gaveUp) return controller.enqueue(chunk);
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
      held += text;
      await new Promise<void>((resolve, reject) =>
        parser.write(text, (error) => error ? reject(error) : resolve())
      );
      if (held.length > HELD_AT_MOST) {
        gaveUp = true;
        pass(heldFrom + held.length);
        parser.destroy();
      }
      flush(controller);
    },
    async flush(controller) {
      if (!gaveUp) await new Promise<void>((resolve) => parser.end(resolve));
      pass(heldFrom + held.length);
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

/** Where the attributes stand in the body, in the order of the text. */
function placesOf({ sourceCodeLocation }: StartTag): [attribute: string, place: Place][] {
  const { attrs = {} } = sourceCodeLocation as { attrs?: Record<string, Place> };
  return Object.entries(attrs).sort(([, a], [, b]) => a.startOffset - b.startOffset);
}

/** An attribute as it stands in the page, with another value in the same quotes. */
function edited(attribute: string, edit: (text: string) => string): string {
  const [, start, quote, rest] = /^(.[^=]*=[\t\n\f\r ]*)(["']?)([^]*)$/.exec(attribute) ??
    [null, attribute, "", ""];
  if (rest === "") return attribute;
  const text = unescaped(quote === "" ? rest : rest.slice(0, -1));
  const value = edit(text);
  if (value === text) return attribute;
  return quote === "" && value === "" ? `${start}""` : start + quote + value + quote;
}

/** Slashes and colons as themselves, which some templates escape; nothing else begins an address. */
const unescaped = (text: string) =>
  text.replace(/&(?:#x2f|#47|sol);/gi, "/").replace(/&(?:#x3a|#58|colon);/gi, ":");
