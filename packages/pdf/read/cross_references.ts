/**
 * Reads the cross-references of a file, and refuses a file that programs could read differently.
 *
 * @module
 */
import {
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectParser,
  type PDFRawStream,
  PDFXRefStreamParser,
} from "@cantoo/pdf-lib";
import { latin1 } from "../../../lib/base/encoding.ts";
import type { Inflation } from "./inflation.ts";
import { LocatingParser } from "./parser.ts";
import { PdfError } from "../problem.ts";

/** The place of an object: at an offset, or in the object stream with this number. */
type Place = { offset: number } | { stream: number };

/** The entries of a file's cross-reference tables. Null: the object is free. */
interface CrossReferences {
  places: Map<number, Place | null>;
  root: PDFObject | undefined;
  /** Objects that are free in a table, but not in the stream beside it. Some programs do not see them. */
  hidden: Set<number>;
}

const MAX_SECTIONS = 1000;
const HEADER = /\s*(\d{1,10})\s+\d{1,5}\s+obj/y;

/**
 * Parses a PDF, and makes sure that viewers find the same objects in it. The parser ignores the
 * cross-reference tables: if an object is defined more than once, it uses the last definition. In a
 * crafted file, the tables name another one, so its issued copy would show something else than the
 * original.
 *
 * Offsets in a file count from its header. If other bytes precede it, some programs count from the
 * beginning of the file, so tables that can be read in this way must agree too.
 *
 * @param start the offset of the header
 * @throws {PdfError} if the tables contradict what the parser read, or objects inflate to too much
 */
export async function parseConsistently(
  bytes: Uint8Array,
  start: number,
  inflation: Inflation,
): Promise<PDFContext> {
  const parser = new LocatingParser(bytes, inflation);
  const context = await parser.parseDocument();
  const text = latin1(bytes);
  let isRead = false;
  for (const origin of start === 0 ? [0] : [start, 0]) {
    const tables = readTables({ bytes, text, origin, context, streams: parser.tables });
    if (tables === null) {
      // Viewers search such a file for its objects, as the parser does.
      if (parser.repeated && origin === start) throw new PdfError("damaged");
      continue;
    }
    if (tables.root?.toString() !== context.trailerInfo.Root?.toString()) {
      throw new PdfError("damaged");
    }
    for (const [number, { ref, offset }] of parser.definitions) {
      const place = tables.places.get(number) ?? null;
      if (place === null) {
        // Viewers do not know the object. All of them must agree on that.
        if (isRead && context.lookup(ref) !== undefined) throw new PdfError("damaged");
        if (tables.hidden.has(number)) context.assign(ref, PDFInvalidObject.of(new Uint8Array()));
        else context.delete(ref);
      } else if (place === NOWHERE && parser.tables.has(offset)) {
        context.delete(ref); // Some programs do not know where the table is that they write.
      } else if (offset !== offsetOf(place, tables, text)) throw new PdfError("damaged");
    }
    isRead = true;
  }
  return context;
}

/** A file whose tables are read. */
interface TableSource {
  bytes: Uint8Array;
  /** The same in Latin-1. */
  text: string;
  /** Where the offsets in the tables count from. */
  origin: number;
  context: PDFContext;
  /** Cross-reference streams by their offsets. */
  streams: ReadonlyMap<number, PDFRawStream>;
}

/** Returns the offset of an object, or of the object stream that contains it. */
function offsetOf(
  place: Place,
  { places }: CrossReferences,
  text: string,
): number | undefined {
  if ("offset" in place) return startOf(text, place.offset);
  const stream = places.get(place.stream);
  return stream && "offset" in stream ? startOf(text, stream.offset) : undefined;
}

function startOf(text: string, offset: number): number {
  while (/\s/.test(text.charAt(offset))) offset++;
  return offset;
}

/** Returns the number of the object at an offset; undefined if there is none. */
function numberAt(text: string, offset: number): number | undefined {
  HEADER.lastIndex = offset;
  const match = HEADER.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** The place of an object that is in use but nowhere. Some viewers take it as free, others search for it. */
const NOWHERE: Place = { offset: -1 };

/** Returns the place of an object. The offset of the header means that there is none. */
const placeAt = (origin: number, offset: number): Place =>
  offset === 0 ? NOWHERE : { offset: origin + offset };

/** Reads all tables, the newest first; null if a viewer would not trust them. */
function readTables(source: TableSource): CrossReferences | null {
  const { text, origin, context } = source;
  const last = text.lastIndexOf("startxref");
  const start = /^startxref\s+(\d{1,10})\s/.exec(text.slice(last, last + 40));
  if (last === -1 || start === null) return null;
  const { trailerInfo } = context; // reading a stream changes it
  const tables: CrossReferences = { places: new Map(), root: undefined, hidden: new Set() };
  const left: { at: number; beside?: Section }[] = [{ at: origin + Number(start[1]) }];
  const seen = new Set<number>();
  try {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { at, beside } = next;
      if (seen.has(at)) continue;
      seen.add(at);
      if (seen.size > MAX_SECTIONS) return null;
      const section = readSection(source, at);
      if (section === null) return null;
      const { places, dict } = section;
      for (const [number, place] of places) {
        if (!tables.places.has(number)) tables.places.set(number, place);
        else if (place !== null && beside?.places.get(number) === null) tables.hidden.add(number);
      }
      tables.root ??= dict.get(PDFName.of("Root"));
      for (const key of ["Prev", "XRefStm"]) { // the last one is read next
        const value = dict.get(PDFName.of(key));
        if (!(value instanceof PDFNumber)) continue;
        left.push({
          at: origin + value.asNumber(),
          ...key === "XRefStm" && { beside: section },
        });
      }
    }
  } catch {
    return null;
  } finally {
    context.trailerInfo = trailerInfo;
  }
  for (const [number, place] of tables.places) {
    if (place === null || place === NOWHERE || !("offset" in place)) continue;
    if (numberAt(text, place.offset) !== number) return null;
  }
  return tables;
}

interface Section {
  places: Map<number, Place | null>;
  dict: PDFDict;
}

function readSection(source: TableSource, at: number): Section | null {
  const { text, origin, streams } = source;
  const start = startOf(text, at);
  if (text.startsWith("xref", start)) return readTable(source, start + 4);
  const stream = streams.get(start);
  if (stream === undefined) return null;
  const places: Section["places"] = new Map();
  for (
    const { ref, offset, deleted, inObjectStream } of PDFXRefStreamParser.forStream(stream)
      .parseIntoContext()
  ) {
    places.set(
      ref.objectNumber,
      deleted ? null : inObjectStream ? { stream: offset } : placeAt(origin, offset),
    );
  }
  return { places, dict: stream.dict };
}

function readTable({ bytes, text, origin, context }: TableSource, at: number): Section | null {
  const places: Section["places"] = new Map();
  const numbers = /\s*(\d{1,10})\s+(\d{1,10})(?:\s+([nf]))?(?=\s)/y;
  numbers.lastIndex = at;
  let number = 0;
  let end = at;
  for (let match = numbers.exec(text); match !== null; match = numbers.exec(text)) {
    const [, first, generation, kind] = match;
    if (kind === undefined) number = Number(first);
    else {
      // Some programs number the objects from 1, beginning with the free one, whose number is 0.
      if (number === 1 && places.size === 0 && kind === "f" && generation === "65535") number = 0;
      places.set(number++, kind === "f" ? null : placeAt(origin, Number(first)));
    }
    end = numbers.lastIndex;
  }
  const trailer = /\s*trailer\s*/y;
  trailer.lastIndex = end;
  if (!trailer.test(text)) return null;
  const dict = PDFObjectParser.forBytes(bytes.subarray(trailer.lastIndex), context).parseObject();
  return dict instanceof PDFDict ? { places, dict } : null;
}
