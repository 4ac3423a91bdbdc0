import { z } from "zod";
import { defineTool } from "../tool.ts";

const aqfLevel = z.literal([1, 2, 3, 4, 5, 6, 7, 8]);

export const searchQualifications = defineTool({
  name: "search_qualifications",
  title: "Search qualifications",
  description: "Searches a catalogue of Australian vocational qualifications by code, title or " +
    "field. All arguments are optional filters; without a query, lists by code.",
  input: z.strictObject({
    query: z.string().max(200).trim().default("")
      .describe("The beginning of a code, or words of a title.")
      .meta({ examples: ["leadership", "BSB5"] }),
    aqf_level: aqfLevel.optional()
      .describe(
        "Level of the Australian Qualifications Framework: 5 is a Diploma.",
      )
      .meta({ examples: [5] }),
    training_package: z.string().regex(/^[A-Za-z]{3}$/, "three letters")
      .optional()
      .describe("Three-letter code of the training package.")
      .meta({ examples: ["BSB"] }),
    status: z.enum(["current", "superseded"]).optional(),
    limit: z.int().min(1).max(50).default(10).describe(
      "The most qualifications to return.",
    ),
  }).meta({ examples: [{ query: "leadership", aqf_level: 5 }] }),
  work: 2,
  run: (input, { catalogue }) => catalogue.search(input),
});
