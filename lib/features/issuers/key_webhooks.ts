import { z } from "zod";
import type { KeyRef } from "./key_rows.ts";

/** A webhook that a key has added, or whose URL or secret it set last. */
export interface KeyWebhook {
  id: string;
  /** The host and path of its URL. */
  place: string;
}

/** The webhooks of a key, which can go on after the key was revoked. */
export interface KeyWebhooks {
  list(key: KeyRef): Promise<KeyWebhook[]>;
  /** @param by the administrator's email address; null if an issuer removes them */
  remove(key: KeyRef, by: string | null): Promise<void>;
  /** Lists all webhooks of an issuer that are not paused. */
  listActive(issuer: string): Promise<KeyWebhook[]>;
  /** Pauses all webhooks of an issuer, as the issuer itself can. */
  pauseAll(issuer: string): Promise<void>;
}

/** The choice whether the webhooks of a revoked key are removed too. */
export const webhooksChoice = z.enum(["remove", "keep"]);
export type WebhooksChoice = z.output<typeof webhooksChoice>;
