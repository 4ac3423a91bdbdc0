import { callerSchema } from "../../issuers/mod.ts";
import type { Operation } from "../operation.ts";

/** The operations for issuers. `withKeyResponses` adds what all of them have in common. */
export const ISSUING_OPERATIONS: readonly Operation[] = [
  {
    id: "readIssuer",
    group: "Issuing",
    method: "get",
    path: "/api/documents/issuer",
    surfaces: ["api"],
    summary: "Check an API key",
    description:
      "Returns the issuer that the key belongs to, and what the key may do. Any key will do.",
    keyScope: "any",
    responses: { 200: { description: "The issuer and the key.", schema: callerSchema } },
    errors: {},
    example: {
      response: {
        object: "issuer",
        name: "Harbour College",
        domain: "harbour.example",
        domain_verified: true,
        state: "active",
        test: true,
        key: {
          last4: "1nW2",
          scopes: ["documents:read", "documents:write"],
          expires_at: "2027-11-28T09:30:00.000Z",
        },
        rate_limit: 600,
      },
    },
  },
];
