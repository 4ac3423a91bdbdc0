import { HttpError } from "fresh";
import { guideFile } from "../../../lib/features/api/mod.ts";
import { cacheable } from "../../../lib/platform/http/etag.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "The source of a program, to read and to copy.",
};

/** Returns the source of a program that a guide explains. */
export const handler = route({
  GET({ req, params: { guide, file }, state: { surface, services: { surfaces } } }) {
    const api = surfaces.baseFrom(surface, "api") ?? surface.baseUrl;
    const body = guideFile(`${guide}/${file}`, api);
    if (body === undefined) throw new HttpError(404);
    const contentType = "text/plain; charset=utf-8";
    return cacheable(req, { body, contentType }, { "cache-control": "public, max-age=3600" });
  },
});
