/** The MCP tools that search and read the catalogue of qualifications. */
import { z } from "zod";
import type { AqfLevel } from "../../qualifications/mod.ts";
import { defineTool, ToolFailure } from "../tool.ts";

const REGISTER_TEXT =
  "the titles of qualifications and training packages, which come from the national register";

export const searchQualifications = defineTool({
  name: "search_qualifications",
  title: "Search qualifications",
  description: "Searches a catalogue of Australian vocational qualifications by code, title or " +
    "field. All arguments are optional filters; without a query it lists qualifications by code.",
  strangersText: REGISTER_TEXT,
  input: z.strictObject({
    query: z.string().max(200).trim().default("")
      .describe("The beginning of a code, or words of a title.")
      .meta({ examples: ["leadership", "BSB5"] }),
    aqf_level: z.int().min(1).max(8).optional()
      .describe("The level in the Australian Qualifications Framework; 5 is a Diploma.")
      .meta({ examples: [5] }),
    training_package: z.string().regex(/^[A-Za-z]{3}$/, "three letters").optional()
      .describe("The three-letter code of the training package.")
      .meta({ examples: ["BSB"] }),
    status: z.enum(["current", "superseded"]).optional()
      .describe("Only qualifications with this status."),
    limit: z.int().min(1).max(50).default(10).describe("The most qualifications to return."),
  }).meta({ examples: [{ query: "leadership", aqf_level: 5 }] }),
  work: 2,
  run: ({ aqf_level, ...query }, { catalogue }) =>
    catalogue.search({ ...query, aqf_level: aqf_level as AqfLevel | undefined }),
});

export const getQualification = defineTool({
  name: "get_qualification",
  title: "Get a qualification",
  description: "Returns one Australian vocational qualification by its national code: its title, " +
    "AQF level, training package and status, and the qualification that superseded it, if any.",
  strangersText: REGISTER_TEXT,
  input: z.strictObject({
    code: z.string().min(1).max(20).describe("The national code, in upper or lower case.")
      .meta({ examples: ["BSB50420"] }),
  }),
  run({ code }, { catalogue }) {
    const qualification = catalogue.get(code);
    if (qualification) return qualification;
    throw new ToolFailure(
      "not_found",
      `There is no qualification "${code}" in this catalogue. Try search_qualifications.`,
    );
  },
});
