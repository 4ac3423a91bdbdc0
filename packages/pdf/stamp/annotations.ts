/**
 * Decides which annotations a page shows, and how.
 *
 * @module
 */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { PdfError } from "../problem.ts";
import { entry, hasText, nameOf, numberOf, textIn } from "../read/source.ts";

/** Flags of annotations (ISO 32000-2, table 167). */
const FLAG = { invisible: 1, hidden: 2, print: 4, noRotate: 16, noView: 32 };

/** Flags of buttons. */
const PUSH_BUTTON = 1 << 16;
const RADIO_BUTTON = 1 << 15;

/** Annotations that look like nothing without an appearance. */
const INVISIBLE = new Set(["Link", "Popup", "PrinterMark", "TrapNet", "Watermark"]);

/** The most fields above one. */
const MAX_DEPTH = 32;

/**
 * Returns whether an annotation is shown on a screen.
 *
 * @param turned true if viewers turn its page
 * @throws {PdfError} if it is shown only on paper, or differently by different programs
 */
export function isShown(annotation: PDFDict, turned: boolean): boolean {
  const flags = numberOf(annotation, "F") ?? 0;
  const has = (flag: keyof typeof FLAG) => (flags & FLAG[flag]) !== 0;
  if (has("hidden") || nameOf(annotation, "Subtype") === "Popup") return false;
  if (has("noView")) {
    if (has("print")) throw new PdfError("not_flat", "a comment or field is only printed");
    return false;
  }
  if (nameOf(annotation, "Subtype") === "Link") return true;
  if (has("invisible")) throw new PdfError("not_flat", "some programs do not show a comment");
  if (has("noRotate") && turned) {
    throw new PdfError("not_flat", "a comment does not turn with the page in all programs");
  }
  return true;
}

/** The stream that shows an annotation. */
interface Appearance {
  ref: PDFRef;
  form: PDFRawStream;
}

/**
 * Returns what an annotation looks like in its current state; undefined if like nothing.
 *
 * @throws {PdfError} if that depends on the program that shows it
 */
export function appearanceOf(annotation: PDFDict): Appearance | undefined {
  const appearances = entry(annotation, "AP", PDFDict);
  const states = entry(appearances, "N", PDFDict);
  if (states !== undefined) checkState(annotation, states);
  const [from, key] = states === undefined
    ? [appearances, "N"]
    : [states, nameOf(annotation, "AS") ?? "Off"];
  const ref = from?.get(PDFName.of(key));
  const form = entry(from, key, PDFRawStream);
  if (ref instanceof PDFRef && form !== undefined) return { ref, form };
  // Some programs draw a comment themselves that has no appearance in its state.
  if (states === undefined || nameOf(annotation, "Subtype") !== "Widget") checkBare(annotation);
}

/** Makes sure that the state of a check box or radio button is that of its value. */
function checkState(annotation: PDFDict, states: PDFDict): void {
  const state = nameOf(annotation, "AS");
  const value = textOf(inherited(annotation, "V"));
  const isNamed = (name: string | undefined) =>
    name !== undefined && name !== "Off" && states.has(PDFName.of(name));
  if (value === undefined && state !== undefined) return;
  // Some programs draw a tick for it.
  if (value !== undefined && state === value && state !== "Off" && !isNamed(state)) {
    throw new PdfError("not_flat", `a button is ${value}, but has no appearance for it`);
  }
  if (isNamed(state) ? state !== value : isNamed(value)) {
    throw new PdfError("not_flat", `a button is drawn as ${state ?? "Off"}, but is ${value}`);
  }
}

/** Makes sure that viewers draw nothing for an annotation without an appearance. */
function checkBare(annotation: PDFDict): void {
  const subtype = nameOf(annotation, "Subtype") ?? "";
  if (INVISIBLE.has(subtype)) return;
  if (subtype !== "Widget") {
    throw new PdfError("not_flat", `a comment (${subtype}) has no appearance`);
  }
  const value = inherited(annotation, "V");
  const type = textOf(inherited(annotation, "FT"));
  const look = entry(annotation, "MK", PDFDict);
  const isFramed = ["BC", "BG"].some((key) => (entry(look, key, PDFArray)?.size() ?? 0) > 0);
  const isPushButton = type === "Btn" && hasFieldFlag(annotation, PUSH_BUTTON);
  const hasCaption = isPushButton && look !== undefined &&
    (hasText(look, "CA") || look.has(PDFName.of("I")));
  const isFilled = type !== "Sig" && value !== undefined &&
    !["", "Off"].includes(textOf(value) ?? "?");
  if (isFilled || isFramed || hasCaption) {
    throw new PdfError("not_flat", "a field has no appearance");
  }
}

const hasFieldFlag = (field: PDFDict, flag: number): boolean =>
  (Number(String(inherited(field, "Ff"))) & flag) !== 0;

/** Returns what screen readers say of a field that is a part of its page (ISO 32000-1, 14.8.5.6). */
export function printedField(widget: PDFDict): Record<string, string> {
  const is = (flag: number) => hasFieldFlag(widget, flag);
  const type = textOf(inherited(widget, "FT"));
  if (type !== "Btn") return { O: "PrintField", Role: "tv" };
  if (is(PUSH_BUTTON)) return { O: "PrintField", Role: "pb" };
  const isOn = (nameOf(widget, "AS") ?? "Off") !== "Off";
  return {
    O: "PrintField",
    Role: is(RADIO_BUTTON) ? "rb" : "cb",
    checked: isOn ? "on" : "off",
  };
}

/** Returns the entry of a field or of one above it, resolved. */
function inherited(field: PDFDict, key: string) {
  let next: PDFDict | undefined = field;
  for (let depth = 0; next !== undefined && depth < MAX_DEPTH; depth++) {
    const value = next.lookup(PDFName.of(key));
    if (value !== undefined) return value;
    next = entry(next, "Parent", PDFDict);
  }
}

/** Returns the layer of an annotation, or of a field above it, as a reference if it can. */
export const layerOf = (annotation: PDFDict): PDFObject | undefined => {
  const layer = inherited(annotation, "OC");
  if (layer instanceof PDFDict) return annotation.context.getObjectRef(layer) ?? layer;
};

const textOf = (value: ReturnType<typeof inherited>): string | undefined =>
  value instanceof PDFName ? value.decodeText() : textIn(value);
