/**
 * The description of the public API and of what an app needs: one row per operation, with the schemas
 * that the handlers use, as an OpenAPI 3.1 document and for the page `/docs`; and the guides for
 * developers.
 *
 * @module
 */
import { eTag } from "../../platform/http/etag.ts";
import { type OAuth, SCOPE_TEXTS, serverMetadata } from "../oauth/mod.ts";
import type { OrganisationKey, Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { createReference, type OperationText, type ReferenceGroup } from "./reference.ts";
import { type AppServer, createDocument } from "./document.ts";
import type { JsonObject } from "./json_schema.ts";

export { pathOf, statusOfExample } from "./document.ts";
export type { Json, JsonObject } from "./json_schema.ts";
export { API_KEY, exampleRequest, SESSION } from "./example_request.ts";
export { listErrorCodes } from "./error_codes.ts";
export {
  EXAMPLE_API,
  type Language,
  LANGUAGES,
  PROGRAMS,
  regionsOf,
  type Sample,
} from "./samples.ts";
export { API_VERSION, CHANGES } from "./changes.ts";
export { streamResponsesOf } from "./common_responses.ts";
export { type Operation, RESPONSE_HEADERS } from "./operation.ts";
export type * from "./reference.ts";
export { OPERATIONS } from "./operations/mod.ts";
export * from "./operations/batches.ts";
export * from "./operations/checks.ts";
export * from "./operations/discovery.ts";
export * from "./operations/holder.ts";
export * from "./operations/issuing.ts";
export * from "./operations/keys.ts";
export * from "./operations/qualifications.ts";
export * from "./operations/records.ts";
export * from "./operations/sign_in.ts";
export * from "./operations/webhooks.ts";
export { guideFile, GUIDES, type GuideText, renderGuide } from "./guides.ts";
export { renderVerifierGuide } from "./verifier_guide.ts";

/** The description of the API, for each surface that serves it. */
export interface Api {
  /** Returns the OpenAPI document as a surface serves it, and its entity tag. It is created once. */
  document(from: Surface): Promise<{ document: JsonObject; etag: string }>;
  /** Returns the reference for people, from the same document. */
  reference(from: Surface): Promise<ReferenceGroup[]>;
  /** Returns an operation of the reference, or undefined if a surface does not document it. */
  operation(from: Surface, id: string): Promise<OperationText | undefined>;
}

interface Description {
  document: JsonObject;
  etag: string;
  reference: ReferenceGroup[];
}

/** Creates the description of the API. Nothing is converted yet. */
export function createApi(
  { surfaces, organisations, oauth }: {
    surfaces: Surfaces;
    organisations: Record<OrganisationKey, { name: string; contactEmail: string }>;
    oauth: OAuth;
  },
): Api {
  const descriptions = new Map<string, Promise<Description>>();
  async function create(from: Surface): Promise<Description> {
    const organisation = organisations[from.organisation];
    const document = createDocument(surfaces, from, organisation, appServerOf(from));
    const etag = await eTag(JSON.stringify(document), { weak: true });
    return { document, etag, reference: createReference(document, surfaces, from) };
  }
  function appServerOf(from: Surface): AppServer | null {
    const host = from.servesAll
      ? from
      : surfaces.all.find((surface) => surface.serves("/mcp") && !surface.servesAll);
    const issuer = host === undefined ? null : oauth.issuerOf(host);
    const { notifications } = SCOPE_TEXTS;
    return issuer === null ? null : { ...serverMetadata(issuer), scopes: { notifications } };
  }
  const describe = (from: Surface) => {
    const description = descriptions.get(from.name) ?? create(from);
    descriptions.set(from.name, description);
    return description;
  };
  return {
    document: describe,
    reference: async (from) => (await describe(from)).reference,
    async operation(from, id) {
      for (const group of (await describe(from)).reference) {
        const operation = group.operations.find((operation) => operation.id === id);
        if (operation !== undefined) return { group, operation };
      }
    },
  };
}
