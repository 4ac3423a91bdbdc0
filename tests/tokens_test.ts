import { assert, assertEquals } from "@std/assert";
import { freshConfig } from "../fresh.config.ts";
import { THEME_COLOURS } from "../lib/features/push/app/mod.ts";

const STYLES = `${freshConfig.root}/static/styles`;
const ORGANISATIONS = ["foundation", "commercial"] as const;
const SCHEMES = ["light", "dark"] as const;
const tokens = await Deno.readTextFile(`${STYLES}/tokens.css`);

/** Returns the custom properties of a rule. */
function rule(selector: string): Map<string, string> {
  const start = tokens.indexOf(`${selector} {`);
  assert(start !== -1, selector);
  const body = tokens.slice(start, tokens.indexOf("\n}", start));
  return new Map(
    [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()]),
  );
}

const shared = rule(":root");
const setOf = (organisation: string) => rule(`:root[data-organisation="${organisation}"]`);

/** Returns red, green and blue of an opaque colour, from 0 to 1. */
function colour(
  set: Map<string, string>,
  name: string,
  scheme: (typeof SCHEMES)[number],
): number[] {
  let value = set.get(name) ?? shared.get(name)!;
  const pair = /^light-dark\(([^,]+),\s*(.+)\)$/.exec(value);
  if (pair !== null) value = pair[scheme === "light" ? 1 : 2];
  const reference = /^var\((--[\w-]+)\)$/.exec(value);
  if (reference !== null) return colour(set, reference[1], scheme);
  assert(/^#[\da-f]{6}$/.test(value), `${name}: ${value}`);
  return [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16) / 255);
}

/** Returns the contrast of two colours (WCAG 2.2, section 1.4.3). */
function contrast(a: number[], b: number[]): number {
  const luminance = (rgb: number[]) => {
    const [r, g, blue] = rgb.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const TEXTS = ["text", "text-muted", "accent-text", "good-text", "warn-text", "bad-text"];
const BACKGROUNDS = ["bg", "bg-raised", "bg-card", "bg-band"];

Deno.test("both organisations define the same tokens", () => {
  const [foundation, commercial] = ORGANISATIONS.map((name) => [...setOf(name).keys()]);
  assertEquals(foundation, commercial);
});

Deno.test("every text colour has a contrast of 4.5 on every background, in both schemes", () => {
  const low: string[] = [];
  for (const organisation of ORGANISATIONS) {
    const set = setOf(organisation);
    for (const scheme of SCHEMES) {
      const check = (front: string, back: string, least: number) => {
        const ratio = contrast(
          colour(set, `--${front}`, scheme),
          colour(set, `--${back}`, scheme),
        );
        if (ratio < least) {
          low.push(`${organisation}, ${scheme}: ${front} on ${back} is ${ratio.toFixed(2)}`);
        }
      };
      for (const text of TEXTS) for (const back of BACKGROUNDS) check(text, back, 4.5);
      check("on-accent", "accent", 4.5);
      // The focus outline and the lines of controls.
      for (const back of BACKGROUNDS) check("accent", back, 3);
    }
  }
  assertEquals(low, []);
});

Deno.test("the app's window has the colours of the header", () => {
  const hex = (scheme: (typeof SCHEMES)[number]) =>
    "#" + colour(setOf("commercial"), "--bg-raised", scheme)
      .map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("");
  assertEquals(THEME_COLOURS, { light: hex("light"), dark: hex("dark") });
});

Deno.test("the fonts of each organisation exist and take at most 60 KB", async () => {
  const rules = await Deno.readTextFile(`${STYLES}/fonts.css`);
  const files = new Map<string, string[]>();
  for (const [, family, file] of rules.matchAll(/font-family: "([^"]+)";\s*src: url\("([^"]+)"/g)) {
    files.set(family, [...files.get(family) ?? [], file]);
  }
  for (const organisation of ORGANISATIONS) {
    const set = setOf(organisation);
    const families = ["text", "display", "mono"].map((kind) => set.get(`--font-${kind}`)!)
      .filter((value) => !value.startsWith("var(")).map((value) => /"([^"]+)"/.exec(value)![1]);
    const sizes = await Promise.all(
      families.flatMap((family) => files.get(family)!).map(async (file) =>
        (await Deno.stat(`${freshConfig.root}/static${file}`)).size
      ),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert(total > 20_000 && total <= 60_000, `${organisation}: ${total} bytes`);
  }
});
