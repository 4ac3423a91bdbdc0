/**
 * Issues all PDFs in a folder and compares each copy with its original, as the site does before it
 * registers one. Prints each PDF that is not issued and why, and then how many there are of each kind.
 *
 *     deno task pdf:compare <folder>
 *
 * @module
 */
import { join, relative } from "node:path";
import { issuePdf, issuingThread } from "../lib/features/documents/issue_pdf.ts";
import type { IssueDetails } from "../lib/features/documents/new_version.ts";

const DETAILS: IssueDetails = {
  address: "https://trust.example/d/7K3M9Q2XB4TW01RA",
  sha256: "3f5a9c0177de0b12".repeat(4),
  issuer: { name: "Open Records Foundation" },
  organisation: "foundation",
  issuedAt: "2026-11-22T14:05:00.000Z",
  title: "Comparison",
  checkUrl: "https://trust.example/check",
};

function* pdfsIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* pdfsIn(path);
    else if (/\.pdf$/i.test(name)) yield path;
  }
}

const [folder] = Deno.args;
if (folder === undefined) {
  console.error("Usage: deno task pdf:compare <folder>");
  Deno.exit(2);
}
const counts = new Map<string, number>();
await using thread = issuingThread();
for (const path of [...pdfsIn(folder)].sort()) {
  const issued = await issuePdf(await Deno.readFile(path), DETAILS, thread.run);
  const kind = issued.ok ? issued.unchanged ? "signed" : "issued" : issued.error;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (!issued.ok) console.log(`${relative(folder, path)}\t${kind}\t${issued.message}`);
}
console.log(
  [...counts].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`).join(", "),
);
