import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { publisherOf, type Surfaces } from "../../platform/surfaces/mod.ts";
import type { Anchor } from "./store/anchor.ts";
import { createFileAnchor } from "./store/anchor.ts";
import type { Witness } from "./store/ask_witness.ts";
import type { LogConfig } from "./variables.ts";

/** Returns the name of the log of a deployment. */
export const originOf = (surfaces: Surfaces): string => `${publisherOf(surfaces)}/log`;

/** Returns the witnesses with an address in the configured policy. */
export function configuredWitnesses(
  { policy, ownWitnesses }: Pick<LogConfig, "policy" | "ownWitnesses">,
  fetch: typeof globalThis.fetch,
): Witness[] {
  const send = createLocalFetch(fetch);
  return policy.witnesses.flatMap(({ name, key, url }): Witness[] =>
    url === null
      ? []
      : [{ name, key, url, own: ownWitnesses.includes(name), submit: submitTo(url, send) }]
  );
}

const submitTo =
  (url: string, fetch: typeof globalThis.fetch): Witness["submit"] => (body, signal) =>
    fetch(`${url.replace(/\/+$/, "")}/add-checkpoint`, {
      method: "POST",
      body,
      signal,
      redirect: "error",
      headers: { "content-type": "text/plain; charset=utf-8" },
    });

/** Returns the configured anchor, if there is one. */
export const configuredAnchor = ({ anchor }: Pick<LogConfig, "anchor">): Anchor | undefined =>
  anchor === undefined ? undefined : createFileAnchor(anchor);
