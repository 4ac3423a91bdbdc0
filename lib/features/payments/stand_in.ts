/** The client of the local stand-in for the payment provider, which sends test events. */
import { z } from "zod";

/** The events that the stand-in for the payment provider can send. */
export const STAND_IN_ACTIONS = [
  ["payment", "A payment"],
  ["failed", "A failed payment"],
  ["refund", "A refund of the last payment"],
  ["standard", "A payment, by Standard Webhooks"],
  ["duplicate", "The last event, five times"],
  ["reorder", "A payment’s events, the last one first"],
  ["forge", "Forged and late events"],
  ["unknown", "An event of an unknown type"],
  ["year", "Payments of a year"],
] as const;
export const standInAction = z.enum(STAND_IN_ACTIONS.map(([action]) => action));
type StandInAction = z.output<typeof standInAction>;

const sentEvent = z.object({
  at: z.string(),
  organisation: z.string(),
  what: z.string(),
  status: z.number(),
});
/** An event that the stand-in sent, with the status of the response. */
export type SentEvent = z.output<typeof sentEvent>;

/** An event that the stand-in is asked to send, and its destination. */
export interface StandInRequest {
  act: StandInAction;
  organisation: string;
  url: string;
  /** The hash of the record that the payments are for. */
  record: string;
}

export function createStandInClient(url: string, fetch: typeof globalThis.fetch) {
  return {
    /** Returns the events that were sent, the newest first. */
    async sent(): Promise<SentEvent[]> {
      const response = await fetch(`${url}/sent`);
      return z.array(sentEvent).parse(await response.json());
    },
    /** Sends events, and returns after the responses. */
    async send(request: StandInRequest): Promise<void> {
      const response = await fetch(`${url}/send`, {
        method: "POST",
        body: JSON.stringify(request),
      });
      await response.body?.cancel();
    },
  };
}
