/**
 * Writes the types that the client of the samples in `docs/issuing` uses, from the OpenAPI document of
 * the API's own host. Run it after a change of the operations.
 *
 *     deno task api:types
 *
 * @module
 */
import openapiTS, { astToString } from "openapi-typescript";
import { createDocument } from "../lib/features/api/document.ts";
import type { JsonObject } from "../lib/features/api/mod.ts";
import { parseConfig } from "../lib/app/config.ts";
import { createSurfaces } from "../lib/platform/surfaces/mod.ts";

export const API_TYPES = new URL("../docs/issuing/gatehouse_api.ts", import.meta.url);

const ORGANISATION = { name: "Example", contactEmail: "api@example.org" };

const START = `/**
 * The types of the API, which openapi-typescript has generated from its description, /openapi.json.
 *
 * @module
 */

`;

/** Returns the types as they should be with the current operations. */
export async function apiTypes(): Promise<string> {
  const surfaces = createSurfaces(parseConfig({}));
  const document = createDocument(surfaces, surfaces.get("api")!, ORGANISATION, null);
  return START + astToString(await openapiTS(JSON.stringify(ofItsHost(document))));
}

/** Returns the part of a document about its own host, which is the only one that a client calls. */
function ofItsHost(document: JsonObject): JsonObject {
  const paths = Object.entries(document.paths as JsonObject)
    .filter(([, item]) => !("servers" in (item as JsonObject)));
  return { ...document, paths: Object.fromEntries(paths) };
}

if (import.meta.main) await Deno.writeTextFile(API_TYPES, await apiTypes());
