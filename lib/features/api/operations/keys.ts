import { oneKeySchema, revokedSchema } from "../../issuers/mod.ts";
import { invalid, limited, type Operation } from "../operation.ts";

export const revokeKey = {
  id: "revokeKey",
  group: "Issuing",
  method: "post",
  path: "/api/keys/revoke",
  surfaces: ["api"],
  summary: "Revoke a leaked API key",
  description: "Permanently revokes the key in the body, or if there is none, the one in the " +
    "`Authorization` header. It takes effect immediately. Whoever has a key may revoke " +
    "it. A scanner for secrets posts an array of at most 100 objects " +
    "instead, in the format of GitHub and GitLab: of each only `token` counts. The response is the same for keys that are unknown or " +
    "were revoked before: none of them works any more. The issuer's contact is emailed.",
  properties: {
    audience: "programs",
    crossSite: "all",
    anonymous: true,
    noAuthority: "Whoever has an API key may revoke it.",
  },
  body: oneKeySchema,
  responses: { 200: { description: "None of the keys works any more.", schema: revokedSchema } },
  errors: {
    400: invalid("There is no key, its checksum is wrong, or there are more than 100."),
    429: limited("This address has sent more than 120 keys in a minute."),
  },
  example: {
    body: { key: "gh_live_0123456789ABCDEFGHIJKLMNOPQRSTUV2OrVfl" },
    response: { revoked: true },
  },
} satisfies Operation;

/** The operation that ends API keys. It takes keys that no longer work, too, so it is no call with a key. */
export const KEY_OPERATIONS: readonly Operation[] = [
  revokeKey,
];
