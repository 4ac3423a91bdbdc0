/**
 * Checks that no promise is left unawaited, in all sources.
 *
 *     deno run -A tools/promises/main.ts
 *
 * @module
 */
import { findFloating } from "./floating.ts";
import { createProgram, installPackages, ROOT, sourceFiles } from "./program.ts";

const files = [...sourceFiles()];
using packages = await installPackages();
const findings = findFloating(createProgram(files, packages), files);
for (const { path, line, problem } of findings) {
  console.error(`${path.slice(ROOT.length)}:${line}: ${problem}`);
}
console.log(`Checked the promises of ${files.length} files: ${findings.length} problems.`);
if (findings.length > 0) Deno.exitCode = 1;
