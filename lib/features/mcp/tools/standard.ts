/** The MCP tools that list, read and search the sections of the standard. */
import { z } from "zod";
import { defineTool, ToolFailure } from "../tool.ts";

export const listStandardSections = defineTool({
  name: "list_standard_sections",
  title: "List the sections of the standard",
  description: "Returns the table of contents of the open standard for verifiable records: the " +
    "id, number, title and summary of every section. Use read_standard_section to read one.",
  strangersText: null,
  input: z.strictObject({}),
  run: (_, { standard: { title, version, sections } }) => ({
    title,
    version,
    sections: sections.map(({ id, number, title, summary }) => ({ id, number, title, summary })),
  }),
});

export const readStandardSection = defineTool({
  name: "read_standard_section",
  title: "Read a section of the standard",
  description: "Returns the full text of one section of the open standard for verifiable " +
    "records, as Markdown.",
  strangersText: null,
  input: z.strictObject({
    section: z.string().min(1).max(100)
      .describe("The id or number of a section, as list_standard_sections returns it.")
      .meta({ examples: ["event-chain", "1"] }),
  }),
  run({ section: wanted }, { standard }) {
    const section = standard.get(wanted) ??
      standard.sections.find(({ number }) => String(number) === wanted);
    if (section) return section.markdown;
    const ids = standard.sections.map(({ id }) => id).join(", ");
    throw new ToolFailure("not_found", `There is no section "${wanted}". The ids are: ${ids}.`);
  },
});

export const searchStandard = defineTool({
  name: "search_standard",
  title: "Search the standard",
  description: "Searches the open standard for verifiable records and returns the matching " +
    "sections, best first, each with an excerpt.",
  strangersText: "the query, which repeats the argument",
  input: z.strictObject({
    query: z.string().max(200).trim().min(1).describe("The words to search for.")
      .meta({ examples: ["record hash salt"] }),
    limit: z.int().min(1).max(20).default(5).describe("The most sections to return."),
  }),
  work: 2,
  run: ({ query, limit }, { standard }) => ({
    query,
    results: standard.search(query, limit).map(({ section, score, excerpt }) => ({
      id: section.id,
      number: section.number,
      title: section.title,
      score: Math.round(score * 100) / 100,
      excerpt,
    })),
  }),
});
