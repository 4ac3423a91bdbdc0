/**
 * The description of the public API and of what an app needs: one row per operation, with the schemas
 * that the handlers use, as an OpenAPI 3.1 document and for the page `/docs`.
 *
 * @module
 */
import { eTag } from "../http/etag.ts";
import type { Surface, Surfaces } from "../surfaces/mod.ts";
import { createReference, type ReferenceGroup } from "./reference.ts";
import { createDocument, type JsonObject } from "./document.ts";

export { API_VERSION, type Json, type JsonObject, pathOf, statusOfExample } from "./document.ts";
export { curlOf, exampleRequest, SESSION } from "./example_request.ts";
export { LEFT_OUT } from "./left_out.ts";
export { type Example, GROUPS, type Operation } from "./operation.ts";
export type * from "./reference.ts";
export { OPERATIONS } from "./operations/mod.ts";

export interface Api {
  /** Returns the OpenAPI document as a surface serves it, and its entity tag. It is created once. */
  document(from: Surface): Promise<{ document: JsonObject; etag: string }>;
  /** Returns the reference for people, from the same document. */
  reference(from: Surface): Promise<ReferenceGroup[]>;
}

/** Creates the description of the API. Nothing is converted yet. */
export function createApi({ surfaces }: { surfaces: Surfaces }): Api {
  const documents = new Map<string, ReturnType<Api["document"]>>();
  async function create(from: Surface) {
    const document = createDocument(surfaces, from);
    return { document, etag: await eTag(JSON.stringify(document), { weak: true }) };
  }
  return {
    document(from) {
      const document = documents.get(from.name) ?? create(from);
      documents.set(from.name, document);
      return document;
    },
    async reference(from) {
      return createReference((await this.document(from)).document, surfaces, from);
    },
  };
}
