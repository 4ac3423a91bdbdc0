/** Translates stylesheets at build time for browsers from before 2024. */
import postcss, { type AtRule, type Declaration, type Rule } from "postcss";

/**
 * True in browsers from 2024 on: Chrome 123, Safari 17.5 and Firefox 120. All of them also know
 * `@media (scripting)`, which is slightly older.
 */
const CURRENT = "(color:light-dark(#000,#fff))";

/**
 * Returns a stylesheet that older browsers can use too:
 * - They show the light colours, because they do not know `light-dark()`. In a custom property it would replace the
 *   light value and be invalid where it is used, so it stands in `@supports`.
 * - They are treated as running scripts, because they do not know `@media (scripting)`.
 * - Safari knows `user-select` only with a prefix.
 *
 * Newer browsers use the same rules as without this.
 *
 * @throws {Error} for a query that combines `(scripting: enabled)` with something else
 */
export function forOlderBrowsers(css: string): string {
  const root = postcss.parse(css);
  root.walkAtRules("media", keepScripts);
  const rules: Rule[] = [];
  root.walkRules((rule) => void rules.push(rule));
  rules.forEach(startWithLight);
  root.walkDecls("user-select", (own) => void own.cloneBefore({ prop: "-webkit-user-select" }));
  return root.toString();
}

function keepScripts(media: AtRule): void {
  if (!/scripting:\s*enabled/.test(media.params)) return;
  if (!/^\(scripting:\s*enabled\)$/.test(media.params)) {
    throw new Error(`@media ${media.params} cannot be translated for older browsers`);
  }
  const rules = media.nodes!.map((node) => node.clone());
  media.after(postcss.atRule({ name: "supports", params: `not ${CURRENT}`, nodes: rules }));
}

/** Replaces values for both schemes with the light ones, and repeats them in `@supports`. */
function startWithLight(rule: Rule): void {
  const both = rule.nodes.filter((node): node is Declaration =>
    node.type === "decl" && lightOf(node) !== node.value
  );
  if (both.length === 0) return;
  const repeated = rule.clone({ nodes: both.map((node) => node.clone()) });
  for (const node of both) node.value = lightOf(node);
  rule.after(postcss.atRule({ name: "supports", params: CURRENT, nodes: [repeated] }));
}

const lightOf = ({ prop, value }: Declaration): string =>
  prop === "color-scheme" ? value.replace(/^(light dark|dark light|dark)$/, "light") : light(value);

function light(value: string): string {
  const name = "light-dark(";
  const start = value.indexOf(name);
  if (start === -1) return value;
  let end = start + name.length;
  for (let depth = 1; depth > 0; end++) depth += { "(": 1, ")": -1 }[value[end]] ?? 0;
  const [first] = postcss.list.comma(value.slice(start + name.length, end - 1));
  return light(value.slice(0, start) + first + value.slice(end));
}
