import { z } from "zod";
import { defineTool, ToolFailure } from "../tool.ts";

export const getQualification = defineTool({
  name: "get_qualification",
  title: "Get a qualification",
  description: "One Australian vocational qualification by its national code: title, AQF level, " +
    "training package, status, and what superseded it.",
  input: z.strictObject({
    code: z.string().min(1).max(20).describe("National code, in any case.")
      .meta({ examples: ["BSB50420"] }),
  }),
  run({ code }, { catalogue }) {
    const qualification = catalogue.get(code);
    if (qualification) return qualification;
    throw new ToolFailure(
      "not_found",
      `No qualification "${code}" in this catalogue. Try search_qualifications.`,
    );
  },
});
