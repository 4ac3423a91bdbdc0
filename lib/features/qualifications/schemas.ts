/** The schemas of qualifications and of the API's list of them. */
import { z } from "zod";

/** The levels of the Australian Qualifications Framework that vocational qualifications can have. */
export const AQF_LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type AqfLevel = typeof AQF_LEVELS[number];

const qualificationSchema = z.object({
  code: z.string().describe(
    "National code: the training package's three letters, then five digits.",
  ),
  title: z.string(),
  aqf_level: z.literal(AQF_LEVELS),
  level_name: z.string().describe(
    "Qualification type, such as `Certificate III` or `Graduate Diploma`.",
  ),
  training_package: z.object({ code: z.string(), title: z.string() }),
  status: z.enum(["current", "superseded"]),
  superseded_by: z.string().optional().describe(
    "Code of the direct successor; present if and only if `status` is `superseded`.",
  ),
});
export type Qualification = z.infer<typeof qualificationSchema>;

const countSchema = z.record(z.string(), z.int());
const countsSchema = z.object({ level: countSchema, package: countSchema, status: countSchema })
  .describe(
    "The number of matches for each option of a filter, with the other filters unchanged.",
  );
/** The number of matches for each option of a filter, with the other filters unchanged. */
export type Counts = z.infer<typeof countsSchema>;

/** The response of `GET /api/qualifications`. */
export const listingSchema = z.object({
  total: z.int(),
  offset: z.int(),
  limit: z.int(),
  qualifications: z.array(qualificationSchema),
  counts: countsSchema,
});
/** One page of a search's results: `limit` of `total` matches, from `offset` on. */
export type Listing = z.infer<typeof listingSchema>;
