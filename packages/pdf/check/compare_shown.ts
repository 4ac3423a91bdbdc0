/**
 * Compares the texts and drawings of a page with those of its copy, as pdf.js reads them.
 *
 * @module
 */
import { isSameText, showsValue } from "./fields.ts";
import { MAX_EXCESS } from "./uses.ts";
import { multiply, type Operator, OPS, type Part, type ShownPage } from "./shown.ts";

/** The footer's height in points, according to the specification: 28 mm. */
const FOOTER = 28 * 72 / 25.4;
/** In points. Matrices are written with few digits. */
const TOLERANCE = 0.1;
/** The most forms within each other: fewer than all programs show, also with those that a copy adds. */
const MAX_DEPTH = 20;
/** Names that the library gives to fonts, images, patterns and layers of a document. */
const LIBRARY_NAME = /^(g_|d\d+_|img_|mask_|pattern_|annotation_|\d+R$)/;

/** A difference on a page, and whether it is in a form value or a comment. */
interface ShownDifference {
  what: string;
  isNote: boolean;
}

/** Returns what a page of the copy shows otherwise than the original, which is smaller there. */
export function compareShown(original: ShownPage, copy: ShownPage): ShownDifference | undefined {
  const { width, height } = original;
  if (Math.abs(copy.width - width) > TOLERANCE || Math.abs(copy.height - height) > TOLERANCE) {
    return { what: "the size of the page", isNote: false };
  }
  const scale = (height - FOOTER) / height;
  const place = [scale, 0, 0, scale, width * (1 - scale) / 2, 0] as const;
  const isPage = original.parts[0]?.kind === "page";
  const difference = (before: Part, after: Part, isNote: boolean): string | undefined =>
    (isNote ? differingNote(before, after) : differingOperator(before, after)) ??
      unclearIn(before) ??
      (before.field?.isRedrawn || isAt(multiply(place, before.matrix), after.matrix)
        ? undefined
        : `the place of ${quote(before)}`);
  const left = [...copy.parts];
  for (const [i, before] of original.parts.entries()) {
    const isNote = i > 0 || !isPage;
    if (before.isOwn && left.shift() !== undefined) continue;
    const kind = isNote ? "a form value or comment" : "the content";
    if (left.length === 0) return { what: `${kind} ${quote(before)} that is missing`, isNote };
    const what = difference(before, left[0], isNote);
    // The library draws some comments before others. Their order is compared with the streams.
    const found = what === undefined
      ? 0
      : isNote
      ? left.findIndex((after, i) => i > 0 && difference(before, after, true) === undefined)
      : -1;
    if (found === -1) return { what: `${kind}: ${what}`, isNote };
    left.splice(found, 1);
  }
  if (left.length > 0) {
    return { what: `a form value or comment ${quote(left[0])} that is new`, isNote: true };
  }
}

/** Compares a field with its value too, and one that viewers draw themselves only as text. */
function differingNote(before: Part, after: Part): string | undefined {
  const { field } = before;
  const [was, is] = [textOf(before.operators), textOf(after.operators)];
  if (field?.isRedrawn) {
    if (!isSameText(was, is)) return `“${was}” became “${is}”`;
    if (hasInvisible(after)) return `the text “${is}” of its appearance is invisible`;
    const [drawn, kept] = [paints(before), paints(after)];
    return drawn === kept
      ? undefined
      : `viewers draw “${was}” with ${drawn}, but its appearance has ${kept}`;
  }
  if (field !== undefined && !showsValue(field, was)) {
    return `its value is “${field.values.join(", ")}”, but its appearance shows “${was}”`;
  }
  const difference = differingOperator(before, after);
  return difference && (was === is ? difference : `“${was}” became “${is}”`);
}

/** Returns what viewers understand in different ways; undefined if there is nothing. */
function unclearIn({ operators }: Part): string | undefined {
  let [open, depth] = [0, 0];
  let isText = false;
  for (const { code } of operators) {
    if (code === OPS.paintFormXObjectBegin && ++depth > MAX_DEPTH) return "too many nested forms";
    else if (code === OPS.paintFormXObjectEnd) depth--;
    else if (code === OPS.save) open++;
    else if (code === OPS.restore && --open < -MAX_EXCESS) return "it ends too many states";
    else if (code === OPS.beginText || code === OPS.endText) isText = code === OPS.beginText;
    else if (code === OPS.showText && !isText) return "text outside of a text object";
  }
}

/** Paths are painted by their own operators. */
const PATHS = new Set<unknown>([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

const IMAGES = new Set(
  Object.entries(OPS).filter(([name]) => /^paint(?!Form)|^shadingFill|Image/.test(name))
    .map(([, code]) => code as number),
);

/** Returns what a part draws besides text: a frame, or an image that may show a text, too. */
const paints = ({ operators }: Part): string =>
  operators.some(({ code }) => IMAGES.has(code))
    ? "an image"
    : operators.some(({ code, operands }) => code === OPS.constructPath && PATHS.has(operands[0]))
    ? "a frame"
    : "no frame";

/** Returns whether a part has a text that is not drawn. */
const hasInvisible = ({ operators }: Part): boolean =>
  operators.some(({ code, operands }) =>
    code === OPS.setTextRenderingMode && [3, 7].includes(operands[0] as number)
  );

function differingOperator(before: Part, after: Part): string | undefined {
  const count = Math.max(before.operators.length, after.operators.length);
  for (let i = 0; i < count; i++) {
    const [a, b] = [before.operators[i], after.operators[i]];
    if (a !== undefined && b !== undefined && a.code === b.code) {
      if (isSame(a.operands, b.operands)) continue;
    }
    const [was, is] = [describe(a), describe(b)];
    if (was !== is) return `${was} became ${is}`;
    const next = before.operators.slice(i).find(({ code }) => code === OPS.showText);
    return next === undefined || a === next
      ? was
      : `${was} before “${textOf([next]).slice(0, 60)}”`;
  }
}

/** The effects of operators, for messages. */
const EFFECTS: [names: RegExp, effect: string][] = [
  [/^(set|next|move|text)?.*(Matrix|transform|moveText|nextLine|Leading)/i, "the place"],
  [/^setFont|Spacing|HScale|TextRise/, "the font or its spacing"],
  [/Color/, "the colour"],
  [/RenderingMode/, "the visibility of text"],
  [/MarkedContent/, "a layer"],
  [/GState|Group|Mask/, "the transparency"],
  [/clip/i, "the part that is visible"],
  [/Image|shadingFill/, "an image"],
  [/FormXObject|^(save|restore)$/, "the forms within each other"],
  [/Path|^(setLine|setDash|setMiter)/, "a line or shape"],
];

function describe(operator: Operator | undefined): string {
  if (operator === undefined) return "nothing";
  if (operator.code === OPS.showText) return `the text “${textOf([operator])}”`;
  const name = NAMES.get(operator.code) ?? "";
  return EFFECTS.find(([names]) => names.test(name))?.[1] ?? `a drawing (${name})`;
}

const NAMES = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name]));

const quote = ({ operators }: Part): string => {
  const text = textOf(operators);
  return text === "" ? "without text" : `“${text.slice(0, 60)}”`;
};

function textOf(operators: readonly Operator[]): string {
  let text = "";
  for (const { code, operands } of operators) {
    if (code !== OPS.showText) continue;
    for (const glyph of operands[0] as ({ unicode: string } | number | null)[]) {
      if (typeof glyph === "object") text += glyph?.unicode ?? "";
    }
  }
  return text;
}

/** Returns whether two matrices move a square of 100 units to the same place. */
function isAt(a: readonly number[], b: readonly number[]): boolean {
  return [[0, 0], [100, 0], [0, 100]].every(([x, y]) =>
    [0, 1].every((i) => {
      const [p, q] = [a, b].map((m) => m[i] * x + m[i + 2] * y + m[i + 4]);
      return Math.abs(p - q) <= TOLERANCE + 1e-4 * Math.abs(p);
    })
  );
}

/** The objects that were found to be the same. Glyphs, and patterns within patterns, occur many times. */
const known = new WeakMap<object, object>();

/** Returns whether two operands are the same, whatever names the library gives. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "number") return typeof b === "number" && (Number.isNaN(a) && Number.isNaN(b));
  if (typeof a === "string") {
    return typeof b === "string" && LIBRARY_NAME.test(a) && LIBRARY_NAME.test(b);
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (known.get(a) === b) return true;
  if (!isSameObject(a, b)) return false;
  known.set(a, b);
  return true;
}

function isSameObject(a: object, b: object): boolean {
  if (Array.isArray(a) || ArrayBuffer.isView(a)) {
    const [x, y] = [a as ArrayLike<unknown>, b as ArrayLike<unknown>];
    if (x.length !== y.length) return false;
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i] && !isSame(x[i], y[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => isSame((a as Fields)[key], (b as Fields)[key]));
}

type Fields = Record<string, unknown>;
