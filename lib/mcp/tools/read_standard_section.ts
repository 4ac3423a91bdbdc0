import { z } from "zod";
import { defineTool, ToolFailure } from "../tool.ts";

export const readStandardSection = defineTool({
  name: "read_standard_section",
  title: "Read a section of the standard",
  description: "The full text, in Markdown, of one section of the open standard for verifiable " +
    "records.",
  input: z.strictObject({
    section: z.string().min(1).max(100)
      .describe(
        "The id or the number of a section, as list_standard_sections gives them.",
      )
      .meta({ examples: ["event-chain", "1"] }),
  }),
  run({ section: wanted }, { standard }) {
    const section = standard.get(wanted) ??
      standard.sections.find(({ number }) => String(number) === wanted);
    if (section) return section.markdown;
    const ids = standard.sections.map(({ id }) => id).join(", ");
    throw new ToolFailure(
      "not_found",
      `No section "${wanted}". There are: ${ids}.`,
    );
  },
});
