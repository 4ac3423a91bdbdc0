/** Verifies and rehashes the sample chain that visitors of the marketing site can edit. */
import {
  chainEventSchema,
  type ChainVerification,
  linkEvent,
  parseStrictJson,
  type SavedChain,
  verifyChain,
} from "../../../packages/proof/chain/mod.ts";
import type { EditedEvent } from "./edit_sample.ts";

/** Verifies the edited events against the chain's unchanged head and keys. */
export const verifyEdited = (
  chain: SavedChain,
  edited: readonly EditedEvent[],
): Promise<ChainVerification> =>
  verifyChain({ ...chain, recordHash: chain.hash, events: edited.map(joined) });

/** Returns the event with its links, or the text itself if it is not a JSON object. */
function joined({ text, prev, hash }: EditedEvent): unknown {
  const event = parse(text);
  return typeof event === "object" && event !== null ? { ...event, prev, hash } : text;
}

/**
 * Recomputes all hashes and links, as somebody would who wants to hide a change.
 *
 * @returns null if the text of an event is not an event, which cannot be hashed
 */
export async function recompute(
  chain: SavedChain,
  edited: readonly EditedEvent[],
): Promise<EditedEvent[] | null> {
  const result: EditedEvent[] = [];
  let prev = chain.hash;
  for (const { text } of edited) {
    const event = chainEventSchema.safeParse(parse(text));
    if (!event.success) return null;
    const { hash } = await linkEvent(prev, event.data);
    result.push({ text, prev, hash });
    prev = hash;
  }
  return result;
}

/**
 * Returns what each text hashes to after the link that is recorded beside it; null for a text that is
 * not an event.
 */
export const computedHashes = (edited: readonly EditedEvent[]): Promise<(string | null)[]> =>
  Promise.all(edited.map(async ({ text, prev }) => {
    const event = chainEventSchema.safeParse(parse(text));
    return event.success ? (await linkEvent(prev, event.data)).hash : null;
  }));

function parse(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}
