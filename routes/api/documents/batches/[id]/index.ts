import { works } from "../../../../../lib/features/issuers/mod.ts";
import { wantsStream } from "../../../../../lib/platform/http/audience.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import { cacheable, jsonContent } from "../../../../../lib/platform/http/etag.ts";
import { openStream } from "../../../../../lib/platform/http/feed.ts";
import { readHeader } from "../../../../../lib/platform/http/header.ts";
import { ISSUER_API, route, withKey } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Returns a batch with its progress, or for `Accept: text/event-stream` a stream of it. */
export const handler = route({
  GET: withKey("documents:read", async (ctx, caller) => {
    const { req, params: { id }, state: { services } } = ctx;
    const { batchApi, issuers, issuerKeys, clock } = services;
    const { batch } = unwrap(await batchApi.read(caller, id));
    if (!wantsStream(req)) return await cacheable(req, jsonContent(batch), { vary: "Accept" });
    const isAllowed = async () => {
      const { organisation, id } = caller.issuer;
      const [issuer, keys] = await Promise.all([
        issuers.read(organisation, id),
        issuerKeys.list(id),
      ]);
      const key = keys.find((key) => key.id === caller.key.id);
      if (issuer === null || issuer.state === "ended" || key === undefined) return false;
      return key.scopes.includes("documents:read") && works(key, clock());
    };
    const source = batchApi.source(caller, id, isAllowed);
    return openStream(ctx, source, readHeader(req, "last-event-id") ?? "", "Accept");
  }),
});
