/** The webhooks of an API key, which may end with it. */
import { eachOf } from "../../base/slots.ts";
import { KEY_MODES, type KeyWebhook, type KeyWebhooks } from "../issuers/mod.ts";
import type { Endpoints } from "./endpoints.ts";
import { type EndpointRow, listEndpoints } from "./rows.ts";

/**
 * Creates what lists and removes the webhooks that an API key has added, or whose URL or secret it set last, and
 * pauses all of an issuer.
 */
export function createWebhooksOfKeys(
  { kv }: { kv: Deno.Kv },
  { remove, pause }: Pick<Endpoints, "remove" | "pause">,
): KeyWebhooks {
  const list: KeyWebhooks["list"] = async ({ issuer, mode, id }) =>
    webhooksOfKey(await listEndpoints(kv, issuer, mode), id);
  const active = async (issuer: string): Promise<EndpointRow[]> => {
    const rows = await Promise.all(KEY_MODES.map((mode) => listEndpoints(kv, issuer, mode)));
    return rows.flat().filter(({ state }) => state === "active");
  };
  return {
    list,
    async remove(key, by) {
      const { issuer, mode } = key;
      for (const { id } of await list(key)) await remove({ issuer, mode, id }, by);
    },
    listActive: async (issuer) => (await active(issuer)).map(keyWebhookOf),
    pauseAll: async (issuer) => await eachOf(await active(issuer), (row) => pause(row, null)),
  };
}

const keyWebhookOf = ({ id, url }: EndpointRow): KeyWebhook => ({ id, place: placeOf(url) });

/** Returns those webhooks of an issuer that the key with an id has added, or whose URL or secret it set last. */
export const webhooksOfKey = (rows: readonly EndpointRow[], key: string): KeyWebhook[] =>
  rows.filter(({ keys }) => Object.values(keys).includes(key))
    .map(keyWebhookOf);

/** Returns the host and path of a URL. The rest may be a secret of the issuer. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return host + (pathname === "/" ? "" : pathname);
};
