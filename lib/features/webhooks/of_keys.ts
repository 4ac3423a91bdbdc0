import type { KeyWebhook, KeyWebhooks } from "../issuers/mod.ts";
import type { Endpoints } from "./endpoints.ts";
import { type EndpointRow, listEndpoints } from "./rows.ts";

/** Creates what lists and removes the webhooks that an API key has added, or whose URL or secret it set last. */
export function createWebhooksOfKeys(
  { kv }: { kv: Deno.Kv },
  { remove }: Pick<Endpoints, "remove">,
): KeyWebhooks {
  const list: KeyWebhooks["list"] = async ({ issuer, mode, id }) =>
    webhooksOfKey(await listEndpoints(kv, issuer, mode), id);
  return {
    list,
    async remove(key, by) {
      const { issuer, mode } = key;
      for (const { id } of await list(key)) await remove({ issuer, mode, id }, by);
    },
  };
}

/** Returns those webhooks of an issuer that the key with an id has added, or whose URL or secret it set last. */
export const webhooksOfKey = (rows: readonly EndpointRow[], key: string): KeyWebhook[] =>
  rows.filter(({ keys }) => Object.values(keys).includes(key))
    .map(({ id, url }) => ({ id, place: placeOf(url) }));

/** Returns the host and path of a URL. What follows may be a secret of the issuer. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return host + (pathname === "/" ? "" : pathname);
};
