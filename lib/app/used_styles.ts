/** Removes the rules from stylesheets that their pages cannot use. */
import postcss, { type AtRule, type Rule } from "postcss";

/** Classes that packages give to elements: those of the chart and of drawn PDF pages. */
export const PACKAGE_CLASSES = /^(u-[\w-]+|uplot|textLayer|markedContent|hiddenCanvasElement)$/;

/** The condition of a rule that is for one organisation only. */
const ORGANISATION = /\[data-organisation="?(\w+)"?\]/;
/** An innermost function of a selector. */
const FUNCTION = /:([\w-]+)\(([^()]*)\)/;

/** Lines of comments, and the paths of imports. */
const NOT_CLASSES = /^\s*(?:\/?\*|\/\/).*$|\bfrom "[^"]+"|\bimport\("[^"]+"\)/gm;
/** Signs that a module writes classes. */
const MARKUP = /\bclass[=:]/;
/** A line with a string, which class names are in. */
const STRINGS = /^.*["'`].*$/gm;
/** A string of nothing but words, as in `{ failed: "pill bad" }`, or the beginning of a template, as in `level-${level}`. */
const NAMES = /["'`]([a-z][\w-]*(?: [a-z][\w-]*)*)(?:["'`]| ?\$\{)/g;

/**
 * Returns the words of a module that may be classes. A module without markup has them in strings of their own,
 * and its sentences are ignored: pages also consist of the modules of features, which have many.
 */
export function wordsIn(text: string): Set<string> {
  const code = text.replaceAll(NOT_CLASSES, "");
  const texts = MARKUP.test(code)
    ? [...code.matchAll(STRINGS)].map(([line]) => line)
    : [...code.matchAll(NAMES)].map(([, names]) => names);
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/[A-Za-z][\w-]*/g)) words.add(word);
  }
  return words;
}

/** Returns a function that says whether a class occurs among the words of modules, perhaps put together. */
export function classesIn(modules: Iterable<Set<string>>): (name: string) => boolean {
  const words = new Set<string>();
  for (const own of modules) for (const word of own) words.add(word);
  // As in `level-${level}`.
  const beginnings = [...words].filter((word) => word.endsWith("-"));
  return (name) =>
    words.has(name) || PACKAGE_CLASSES.test(name) ||
    beginnings.some((beginning) => name.startsWith(beginning));
}

/** Removes the rules for classes that do not occur. */
export function keepClasses(css: string, occurs: (name: string) => boolean): string {
  const canMatch = (selector: string): boolean => {
    let rest = selector;
    for (let found; (found = FUNCTION.exec(rest)) !== null;) {
      const [text, name, list] = found;
      // One of several is enough, and a class in `:not()` need not occur.
      const mayMatch = !["is", "where", "has"].includes(name) || list.split(",").some(canMatch);
      if (!mayMatch) return false;
      rest = rest.replace(text, "");
    }
    return [...rest.matchAll(/\.([A-Za-z][\w-]*)/g)].every(([, name]) => occurs(name));
  };
  return keep(css, canMatch);
}

/** Removes the rules for other organisations, and the fonts that then are not used. */
export function keepOrganisation(css: string, organisation: string): string {
  const root = postcss.parse(
    keep(css, (selector) => (ORGANISATION.exec(selector)?.[1] ?? organisation) === organisation),
  );
  const used = new Set<string>();
  root.walkDecls(/^(font|--font)/, ({ parent, value }) => {
    if ((parent as AtRule).name !== "font-face") used.add(value);
  });
  const families = [...used].join();
  root.walkAtRules("font-face", (face) => {
    face.walkDecls("font-family", ({ value }) => {
      const name = value.replaceAll(/["']/g, "");
      if (!families.split(/[",]+/).map((each) => each.trim()).includes(name)) face.remove();
    });
  });
  return root.toString();
}

function keep(css: string, isKept: (selector: string) => boolean): string {
  const root = postcss.parse(css);
  root.walkRules((rule: Rule) => {
    if (/keyframes$/.test((rule.parent as AtRule).name ?? "")) return;
    const selectors = rule.selectors.filter(isKept);
    if (selectors.length === 0) rule.remove();
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  root.walkAtRules(/^(media|supports|container)$/, (rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}
