/**
 * Copies objects from one PDF to another, without what a page does not show.
 *
 * @module
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { latin1 } from "../../../lib/base/encoding.ts";
import type { Inflation } from "../read/inflation.ts";
import { PdfError } from "../problem.ts";
import { entry, nameOf, textOfName } from "../read/source.ts";

/** Entries that lead to something other than what a page shows. */
const DROPPED = ["AF", "Measure", "Metadata", "PieceInfo", "PtData", "StructParent"];

const DROPPED_FROM_DICTS = new Set(DROPPED);

const DROPPED_FROM_STREAMS = new Set([
  ...DROPPED,
  "Alternates",
  "Length", // The writer sets it.
  "OPI",
  "Ref",
  "StructParents", // Keys of the original's structure.
]);

/** Types of objects that are not part of a page's content. */
const DROPPED_TYPES = new Set([
  "Action",
  "Annot",
  "Catalog",
  "EmbeddedFile",
  "Filespec",
  "ObjStm",
  "Outlines",
  "Page",
  "Pages",
  "Sig",
  "StructElem",
  "StructTreeRoot",
  "XRef",
]);

/** Actions have no `Type`, as a rule. Other objects have an `S` too, such as `Transparency`. */
const ACTIONS = new Set([
  "GoTo",
  "GoTo3DView",
  "GoToE",
  "GoToR",
  "Hide",
  "ImportData",
  "JavaScript",
  "Launch",
  "Movie",
  "Named",
  "Rendition",
  "ResetForm",
  "RichMediaExecute",
  "SetOCGState",
  "Sound",
  "SubmitForm",
  "Thread",
  "Trans",
  "URI",
]);

/** Returns whether a stream is in another file. Some programs read its `F` as the name of a filter. */
export const isExternal = (dict: PDFDict): boolean =>
  ["F", "FFilter", "FDecodeParms"].some((key) => dict.has(PDFName.of(key)));

export const EXTERNAL = "a part of its content is in another file";

/** Returns whether an object is left out of a copy. */
const isDropped = (dict: PDFDict): boolean =>
  DROPPED_TYPES.has(nameOf(dict, "Type") ?? "") || ACTIONS.has(nameOf(dict, "S") ?? "") ||
  entry(dict, "EF", PDFDict) !== undefined;

const isDict = (value: PDFObject | undefined) => value instanceof PDFDict;
/** The properties of a layer, or of marked content. The type of an artifact can be `Page`. */
const isPropertyList = (value: PDFObject | undefined) => isDict(value);
const isStream = (value: PDFObject | undefined) => value instanceof PDFStream;
const isEither = (value: PDFObject | undefined) => isDict(value) || isStream(value);
const isColorSpace = (value: PDFObject | undefined) =>
  value instanceof PDFArray || value instanceof PDFName;

/**
 * The dictionaries of resources. Their keys are names that the file gives, so none of them has a meaning,
 * not even `Type`. The objects that they name have to be of one kind.
 */
const RESOURCES: Record<string, IsOfKind> = {
  ColorSpace: isColorSpace,
  ExtGState: isDict,
  Font: isDict,
  Pattern: isEither,
  Properties: isPropertyList,
  Shading: isEither,
  XObject: isStream,
};

/** The same elsewhere. */
const NAMED: Record<string, IsOfKind> = { CharProcs: isStream, Colorants: isColorSpace };

type IsOfKind = (value: PDFObject | undefined) => boolean;

/** The kind of a value, according to its place. Dictionaries of names have the function that recognises what they name. */
type Role = "value" | "resources" | "appearance" | "properties" | IsOfKind;

/** Content that refers to resources by their names, also as the colour space of an image in it. */
const USES_NAMES =
  /\/(?<name>[^\s/<>()[\]]+)\s+(?:-?[\d.]+\s+)?(?:Do|Tf|gs|sh|scn|SCN|BDC)\b|\/(?!Device)(?<space>[^\s/<>()[\]]+)\s+(?:cs|CS)\b|\/(?:CS|ColorSpace)\s*\/(?!(?:Device\w+|G|RGB|CMYK|I|Indexed)\b)(?<image>[^\s/<>()[\]]+)/;

/**
 * Copies what a page shows from one PDF to another: fonts, images, patterns. A file whose content refers
 * to something else, such as an action, is refused. The objects are in the order in which they were
 * found, so that equal input gives equal output.
 */
export class ContentCopier {
  readonly #to: PDFContext;
  readonly #from: PDFContext;
  readonly #inflation: Inflation;
  readonly #copies = new Map<PDFRef, PDFRef>();
  /** A list rather than recursion, because a chain of references can be longer than the stack. */
  readonly #waiting: [ref: PDFRef, role: Role][] = [];
  readonly #shared = new Map<PDFDict, PDFRef>();
  /** True while content is copied, of which nothing may be missing. */
  #strict = false;
  /** The resources of the current page, and those that forms without any were given. */
  #resources: PDFDict | undefined;
  #lent: PDFDict | undefined;
  /** The names that those forms use. */
  readonly #lentNames = new Set<string>();

  constructor(from: PDFContext, to: PDFContext, inflation: Inflation) {
    this.#from = from;
    this.#to = to;
    this.#inflation = inflation;
  }

  /** Copies the resources of a page once, however many pages share them. */
  resources(dict: PDFDict): PDFRef {
    this.#resources = dict;
    if (this.#lent !== undefined && this.#lent !== dict) this.#checkLent(this.#lent, dict);
    let ref = this.#shared.get(dict);
    if (ref !== undefined) return ref;
    this.#shared.set(dict, ref = this.#to.nextRef());
    this.#to.assign(ref, this.#strictly(() => this.#copyAs(dict, "resources")));
    return ref;
  }

  /** Copies a value that a page's content needs, with everything that it refers to. */
  content(value: PDFObject): PDFObject {
    return this.#strictly(() => this.#copyAs(value, "value"));
  }

  /** Copies the stream that shows an annotation. Viewers draw it as a form even if it does not say that it is one. */
  appearance(ref: PDFRef): PDFRef {
    return this.#strictly(() => this.#copyAs(ref, "appearance")) as PDFRef;
  }

  /** Copies a value without actions, embedded files and metadata, of which {@link PDFNull} stays. */
  copy(value: PDFObject): PDFObject {
    return this.#complete(this.#copyAs(value, "value"));
  }

  /** Returns the reference to the copy of an object, which the caller makes. */
  claim(ref: PDFRef): PDFRef {
    let copied = this.#copies.get(ref);
    if (copied === undefined) this.#copies.set(ref, copied = this.#to.nextRef());
    return copied;
  }

  #strictly(copy: () => PDFObject): PDFObject {
    this.#strict = true;
    try {
      return this.#complete(copy());
    } finally {
      this.#strict = false;
    }
  }

  #complete(copied: PDFObject): PDFObject {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const [ref, role] = next;
      const found = this.#from.lookup(ref);
      this.#to.assign(
        this.#copies.get(ref)!,
        found === undefined ? PDFNull : this.#copyAs(found, role),
      );
    }
    return copied;
  }

  #copyAs(value: PDFObject, role: Role): PDFObject {
    if (value instanceof PDFRef) return this.#reference(value, role);
    if (value instanceof PDFStream) return this.#stream(value, role);
    if (value instanceof PDFDict) {
      if (typeof role === "function") return this.#named(value, role);
      if (isDropped(value) && !(role === "properties" && isOfArtifact(value))) return this.#drop();
      return this.#dict(value, DROPPED_FROM_DICTS, role === "resources" ? RESOURCES : NAMED);
    }
    if (value instanceof PDFArray) {
      const copied = PDFArray.withContext(this.#to);
      for (const item of value.asArray()) copied.push(this.#copyAs(item, "value"));
      return copied;
    }
    // Its bytes could contain anything.
    if (value instanceof PDFInvalidObject) throw new PdfError("damaged", UNREADABLE);
    return value;
  }

  #drop(): PDFObject {
    if (this.#strict) throw new PdfError("damaged", FOREIGN);
    return PDFNull;
  }

  #reference(ref: PDFRef, role: Role): PDFRef {
    const copied = this.#copies.get(ref);
    if (copied !== undefined) return copied;
    this.#waiting.push([ref, role]);
    return this.claim(ref);
  }

  #named(dict: PDFDict, isOfKind: IsOfKind): PDFDict {
    const copied = PDFDict.withContext(this.#to);
    for (const [name, value] of dict.entries()) {
      const found = this.#from.lookup(value);
      if (found instanceof PDFInvalidObject) throw new PdfError("damaged", UNREADABLE);
      if (found !== undefined && found !== PDFNull && !isOfKind(found)) {
        throw new PdfError("damaged", FOREIGN);
      }
      if (isOfKind === isColorSpace && isOddDefault(textOfName(name), found)) {
        throw new PdfError("damaged", ODD_DEFAULT);
      }
      const role = isOfKind === isPropertyList ? "properties" : "value";
      copied.set(name, this.#copyAs(value, role));
    }
    return copied;
  }

  #dict(dict: PDFDict, dropped: Set<string>, naming: Record<string, IsOfKind>): PDFDict {
    const copied = PDFDict.withContext(this.#to);
    for (const [key, value] of dict.entries()) {
      const name = textOfName(key);
      if (dropped.has(name)) continue;
      const role = name === "Resources" ? "resources" : "value";
      copied.set(key, this.#copyAs(value, Object.hasOwn(naming, name) ? naming[name] : role));
    }
    if (nameOf(dict, "Subtype") === "Type3") {
      this.#lend(dict, copied, entry(dict, "CharProcs", PDFDict)?.values() ?? []);
    }
    return copied;
  }

  #stream(stream: PDFStream, role: Role): PDFObject {
    if (!(stream instanceof PDFRawStream)) throw new PdfError("damaged", UNREADABLE);
    const { dict } = stream;
    if (isExternal(dict)) throw new PdfError("damaged", EXTERNAL);
    const subtype = nameOf(dict, "Subtype") ?? (role === "appearance" ? "Form" : undefined);
    const isXObject = subtype === "Form" || subtype === "Image";
    // Viewers use the subtype of these, whatever their type is.
    const isOther = isDropped(dict) || nameOf(dict, "Type") === "Metadata";
    if (!isXObject && isOther || subtype === "PS") return this.#drop();
    const copied = this.#dict(dict, DROPPED_FROM_STREAMS, NAMED);
    if (isXObject && copied.has(TYPE)) copied.set(TYPE, PDFName.of("XObject"));
    if (subtype === "Form") {
      copied.set(PDFName.of("Subtype"), PDFName.of("Form"));
      this.#lend(dict, copied, [stream]);
      this.#checkNames(stream);
    }
    return PDFRawStream.of(copied, stream.contents);
  }

  /** Gives a form or font without resources those of the page, which viewers use for it. */
  #lend(dict: PDFDict, copied: PDFDict, streams: PDFObject[]): void {
    const isOwn = entry(dict, "Resources", PDFDict) !== undefined;
    if (!this.#strict || isOwn || this.#resources === undefined) return;
    const spaces = entry(this.#resources, "ColorSpace", PDFDict)?.keys() ?? [];
    const hasDefault = spaces.some((space) => textOfName(space).startsWith("Default"));
    const names = streams.flatMap((stream) => this.#namesUsedIn(this.#from.lookup(stream)));
    if (!hasDefault && names.length === 0) return;
    this.#lent ??= this.#resources;
    for (const name of names) this.#lentNames.add(name);
    copied.set(PDFName.of("Resources"), this.#shared.get(this.#resources)!);
  }

  /**
   * Makes sure that a form with resources uses none of its page's, which only some programs find.
   *
   * @throws {PdfError} if it does
   */
  #checkNames(form: PDFRawStream): void {
    const own = entry(form.dict, "Resources", PDFDict);
    if (!this.#strict || own === undefined || own === this.#resources) return;
    const others = Object.keys(RESOURCES).map((kind) => {
      const [names, page] = [own, this.#resources].map((dict) => entry(dict, kind, PDFDict));
      return page?.keys().filter((name) => names?.has(name) !== true).map(textOfName) ?? [];
    }).flat();
    if (others.length === 0) return;
    const known = new Set(
      Object.keys(RESOURCES).flatMap((kind) =>
        entry(own, kind, PDFDict)?.keys().map(textOfName) ?? []
      ),
    );
    const [wanted, text] = [new Set(others), this.#textOf(form)];
    for (const name of namesIn(text)) {
      if (wanted.has(name) && !known.has(name)) throw new PdfError("damaged", BORROWED);
    }
  }

  /** Returns the decoded content of a stream; an empty text if it cannot be read. */
  #textOf(stream: PDFRawStream): string {
    try {
      return latin1(this.#inflation.decode(stream));
    } catch (error) {
      if (error instanceof PdfError) throw error;
      return "";
    }
  }

  #namesUsedIn(stream: PDFObject | undefined): string[] {
    if (!(stream instanceof PDFRawStream)) return [];
    try {
      return namesIn(latin1(this.#inflation.decode(stream)));
    } catch (error) {
      if (error instanceof PdfError) throw error;
      return [ANY];
    }
  }

  /**
   * Makes sure that two pages name the same things for the forms that have no resources.
   *
   * @throws {PdfError} if they do not
   */
  #checkLent(before: PDFDict, now: PDFDict): void {
    for (const kind of Object.keys(RESOURCES)) {
      const [a, b] = [before, now].map((dict) => entry(dict, kind, PDFDict));
      for (const name of new Set([...a?.keys() ?? [], ...b?.keys() ?? []])) {
        const text = textOfName(name);
        const isUsed = [text, ANY].some((name) => this.#lentNames.has(name));
        if (!isUsed && !text.startsWith("Default")) continue;
        if (String(a?.get(name)) !== String(b?.get(name))) throw new PdfError("damaged", LENT);
      }
    }
  }
}

/** A placeholder for all names, of a content whose names cannot be read. */
const ANY = " ";

/** Returns the names of resources that a content uses. */
const namesIn = (content: string): string[] =>
  [...content.matchAll(new RegExp(USES_NAMES, "g"))]
    .map(({ groups }) => textOfName(PDFName.of(groups!.name ?? groups!.space ?? groups!.image)));

/** Returns whether a dictionary with the type of a page is only a property list. */
const isOfArtifact = (dict: PDFDict): boolean =>
  nameOf(dict, "Type") === "Page" &&
  !["Parent", "Kids", "Contents", "EF"].some((key) => dict.has(PDFName.of(key)));

/** The families of colour spaces that all programs use as the default of another one. */
const DEFAULT_SPACES = ["DeviceGray", "DeviceRGB", "DeviceCMYK", "CalGray", "CalRGB", "ICCBased"];

const isOddDefault = (name: string, space: PDFObject | undefined): boolean => {
  const family = space instanceof PDFArray ? space.lookup(0) : space;
  return /^Default(Gray|RGB|CMYK)$/.test(name) && family instanceof PDFName &&
    !DEFAULT_SPACES.includes(textOfName(family));
};

const TYPE = PDFName.of("Type");
const ODD_DEFAULT = "it has a default colour space that only some programs use";
const FOREIGN = "its content refers to something that is not content";
const UNREADABLE = "its content refers to an object that cannot be read";
const BORROWED = "a form uses resources of its page, although it has its own";
const LENT = "a form or font without resources is used by several pages with different ones";
