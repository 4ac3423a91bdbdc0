import { z } from "zod";
import { defineTool } from "../tool.ts";

export const listStandardSections = defineTool({
  name: "list_standard_sections",
  title: "List the sections of the standard",
  description:
    "The table of contents of the open standard for verifiable records: the id, number, " +
    "title and summary of every section. Read one with read_standard_section.",
  input: z.strictObject({}),
  run: (_, { standard }) => ({
    title: standard.title,
    version: standard.version,
    sections: standard.sections.map(({ id, number, title, summary }) => ({
      id,
      number,
      title,
      summary,
    })),
  }),
});
