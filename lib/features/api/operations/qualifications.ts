import { listingQuerySchema, listingSchema } from "../../qualifications/mod.ts";
import { readNonEmpty } from "../../../platform/http/query.ts";
import { invalid, type Operation } from "../operation.ts";

export const searchQualifications = {
  id: "searchQualifications",
  group: "Qualifications",
  method: "get",
  path: "/api/qualifications",
  surfaces: ["api", "site"],
  summary: "Search qualifications",
  description: "Returns a page of the qualifications that match, best match first.",
  properties: { audience: "both" },
  query: listingQuerySchema,
  readQuery: readNonEmpty,
  responses: { 200: { description: "A page of matches.", schema: listingSchema } },
  errors: { 400: invalid("A parameter is invalid.") },
  example: {
    query: { q: "CHC50121", limit: "1" },
    response: {
      total: 1,
      offset: 0,
      limit: 1,
      qualifications: [{
        code: "CHC50121",
        title: "Diploma of Early Childhood Education and Care",
        aqf_level: 5,
        level_name: "Diploma",
        training_package: { code: "CHC", title: "Community Services Training Package" },
        status: "superseded",
        superseded_by: "CHC50125",
      }],
      counts: { level: { "5": 1 }, package: { CHC: 1 }, status: { superseded: 1 } },
    },
  },
} satisfies Operation;

export const QUALIFICATION_OPERATIONS: readonly Operation[] = [
  searchQualifications,
];
