/** The sections of the documents that `deno task rehearse` follows, without following them. */
import { assert, assertEquals } from "@std/assert";
import { FORMAT, OLDEST } from "../lib/platform/kv/format.ts";
import { readSection } from "./rehearsal/documents.ts";
import { PARTS } from "./rehearsal/parts/mod.ts";
import { lineOf } from "./rehearsal/steps.ts";

const followed = PARTS.flatMap(({ sections }) => sections);

Deno.test("every command and sentence that the rehearsal follows is in its document", () => {
  const missing = followed.flatMap(({ document, heading, steps }) => {
    const section = readSection(document, heading);
    return steps.flatMap((step) => {
      const line = lineOf(step);
      const text = line ?? ("says" in step ? step.says : null);
      const isThere = line !== null
        ? section.lines.some(({ text }) => text.startsWith(line))
        : text === null || section.find(text) !== null;
      return isThere ? [] : [`${document}, ${heading}: ${text}`];
    });
  });
  assertEquals(missing, []);
});

Deno.test("the rehearsal follows every command of its sections, or says why not", () => {
  const sections = Map.groupBy(followed, ({ document, heading }) => `${document}\n${heading}`);
  assert(sections.size > 15);
  const left = [...sections.values()].flatMap((same) => {
    const [{ document, heading }] = same;
    const known = same.flatMap(({ steps }) => steps.map(lineOf));
    return readSection(document, heading).lines
      .filter(({ text }) => !known.some((line) => line !== null && text.startsWith(line)))
      .map(({ text, at }) => `${document}:${at}: ${text}`);
  });
  assertEquals(left, []);
});

Deno.test("docs/upgrade.md and docs/ops/backup.md name the store's format", () => {
  const { find } = readSection("docs/upgrade.md", "Upgrading");
  assert(find(`now ${FORMAT}.`) !== null && find(`from ${OLDEST} on.`) !== null);
  const [header] = readSection("docs/ops/backup.md", "The format").lines;
  assert(header.text.includes(`"store_format":${FORMAT}`), header.text);
});
