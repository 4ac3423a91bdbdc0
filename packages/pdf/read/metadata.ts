/**
 * Reads the XMP metadata of a file: what it claims, and which program made it.
 *
 * @module
 */
import { PDFRawStream } from "@cantoo/pdf-lib";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { PDFA_ID, PDFUA_ID } from "../write/xmp.ts";
import { Inflation } from "./inflation.ts";
import { entry, type Source } from "./source.ts";

/** The most bytes of metadata that are read. Programs write 3 to 100 KB. */
const MAX_BYTES = 1024 * 1024;

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const PDF = "http://ns.adobe.com/pdf/1.3/";

/** The claims of a PDF's metadata. Each is undefined if it is missing, or there more than once. */
export interface Metadata {
  producer?: string;
  /** The part and the level of PDF/A, and the part of PDF/UA, that it claims. */
  pdfa?: string;
  level?: string;
  pdfua?: string;
}

/** Reads the metadata of a PDF (XMP). They say nothing if they are too large or malformed. */
export function readMetadata({ catalog }: Source): Metadata {
  try {
    const stream = entry(catalog, "Metadata", PDFRawStream);
    if (stream === undefined || stream.contents.length > MAX_BYTES) return {};
    const root = parseXml(decode(new Inflation(MAX_BYTES).decode(stream))).root;
    const values = new Map<string, string[]>();
    if (root !== null) collect(root, () => undefined, values);
    const only = (space: string, name: string) => {
      const found = values.get(`${space} ${name}`);
      return found?.length === 1 ? found[0] : undefined;
    };
    return {
      producer: only(PDF, "Producer"),
      pdfa: only(PDFA_ID, "part"),
      level: only(PDFA_ID, "conformance"),
      pdfua: only(PDFUA_ID, "part"),
    };
  } catch {
    // The errors for damaged streams and malformed texts have no common class.
    return {};
  }
}

/** Decodes a text that says in its first bytes if it is in UTF-16. */
function decode(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xfe || bytes[0] === 0
    ? "utf-16be"
    : bytes[0] === 0xff || bytes[1] === 0
    ? "utf-16le"
    : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes).trim();
}

/** The elements that are above the properties, besides the root. */
const ABOVE = new Set([`${RDF} RDF`, "adobe:ns:meta/ xmpmeta"]);

/** Returns the space of a prefix. */
type Spaces = (prefix: string) => string | undefined;

/** Collects the texts of all properties, in whatever form. Each name is its space and the rest. */
function collect(
  element: XmlElement,
  above: Spaces,
  values: Map<string, string[]>,
): void {
  const spaces = spacesOf(element, above);
  const name = nameIn(element.name, spaces);
  const kids = element.children.filter((kid) => kid instanceof XmlElement);
  if (ABOVE.has(name)) {
    for (const kid of kids) collect(kid, spaces, values);
    return;
  }
  if (name !== `${RDF} Description`) return;
  const add = (name: string, value: string) => {
    const found = values.get(name);
    if (found === undefined) values.set(name, [value]);
    else found.push(value);
  };
  for (const [key, value] of Object.entries(element.attributes)) add(nameIn(key, spaces), value);
  for (const kid of kids) add(nameIn(kid.name, spacesOf(kid, spaces)), kid.text.trim());
}

/** Returns the spaces of the prefixes in an element. They are not copied, because a file can have thousands. */
const spacesOf = ({ attributes }: XmlElement, above: Spaces): Spaces => (prefix) =>
  attributes[`xmlns:${prefix}`] ?? above(prefix);

function nameIn(name: string, spaces: Spaces): string {
  const [prefix, rest = ""] = name.split(":", 2);
  return `${spaces(prefix) ?? prefix} ${rest}`;
}
