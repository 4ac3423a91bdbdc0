import { z } from "zod";
import { defineTool } from "../tool.ts";

export const searchStandard = defineTool({
  name: "search_standard",
  title: "Search the standard",
  description: "Finds the sections of the open standard for verifiable records that speak of the " +
    "query, best first, each with an excerpt.",
  input: z.strictObject({
    query: z.string().max(200).trim().min(1).describe("Words to look for.")
      .meta({ examples: ["record hash salt"] }),
    limit: z.int().min(1).max(20).default(5).describe(
      "The most sections to return.",
    ),
  }),
  work: 2,
  run: ({ query, limit }, { standard }) => ({
    query,
    results: standard.search(query, limit).map((
      { section, score, excerpt },
    ) => ({
      id: section.id,
      number: section.number,
      title: section.title,
      score: Math.round(score * 100) / 100,
      excerpt,
    })),
  }),
});
