import { assertEquals, assertThrows } from "@std/assert";
import { findFloating } from "./floating.ts";
import { createProgram, installPackages, ROOT } from "./program.ts";

/** Statements of a function, with the number of findings in each. */
const STATEMENTS: [string, number][] = [
  // A Deno API, a package, Node, the site's own code, a local function.
  ["kv.set([], 1);", 1],
  ["openKv(':memory:');", 1],
  ["createTransport({}).sendMail({});", 1],
  ["readFile('/');", 1],
  ["later();", 1],
  ["new Promise(() => {});", 1],
  // Forms that discard a value.
  ["kv && later();", 1],
  ["kv ? later() : undefined;", 1],
  ["(later(), 1);", 1],
  ["[1, 2].map(later);", 1],
  ["later().then(() => {});", 1],
  ["later().catch(() => {}).then(() => later());", 1],
  ["later().finally(() => {});", 1],
  ["{ const [, done] = [kv, () => later()]; done(); }", 1],
  // `void` needs a reason.
  ["void later();", 1],
  ["\n// It catches its errors.\nvoid later();", 0],
  ["void later(); // it catches its errors\n", 0],
  // Callers that expect no result.
  ["setInterval(later, 10);", 1],
  ["setTimeout(() => later(), 10);", 1],
  ["setTimeout(async () => { await later(); }, 10);", 1],
  ["[1].forEach(async () => await later());", 1],
  ["addEventListener('load', async () => await later());", 1],
  ["setTimeout(() => void later().catch(reportError), 10);", 0],
  ["Deno.test('a', () => later());", 0],
  // Awaited, returned, kept or handled.
  ["await later();", 0],
  ["await Promise.all([1, 2].map(later));", 0],
  ["if (!kv) return later();", 0],
  ["const kept = later(); await kept;", 0],
  ["let kept; kept = later(); await kept;", 0],
  ["later().catch(() => {});", 0],
  ["later().then(() => {}, () => {});", 0],
  ["later().catch(() => {}).finally(() => {});", 0],
  ["later().finally(async () => await later()).catch(reportError);", 0],
  ["kv.close();", 0],
];

const HEAD = `
import { readFile } from "node:fs/promises";
import { createTransport } from "nodemailer";
import { openKv } from "../platform/kv/mod.ts";
declare const kv: Deno.Kv;
async function later(): Promise<void> {}
`;

Deno.test("findFloating() finds promises of Deno, packages and the site that nobody awaits", async () => {
  using packages = await installPackages();
  const paths = STATEMENTS.map((_, i) => `${ROOT}lib/made_up/${i}.ts`);
  const texts = STATEMENTS.map(([text]) => `${HEAD}export async function run() { ${text} }`);
  const given = new Map(paths.map((path, i) => [path, texts[i]]));
  const findings = findFloating(createProgram(paths, packages, given), paths);
  const found = paths.map((path, i) => [
    STATEMENTS[i][0],
    findings.filter((finding) => finding.path === path).length,
  ]);
  assertEquals(found, STATEMENTS);
  assertEquals(findings[0], {
    path: paths[0],
    line: 7,
    problem: "This promise is neither awaited nor returned, and its rejection is not handled.",
  });

  const path = `${ROOT}lib/made_up/missing.ts`;
  assertThrows(
    () => createProgram([path], packages, new Map([[path, 'import "no-such-package";']])),
    Error,
    `no-such-package in ${path}`,
  );
});
