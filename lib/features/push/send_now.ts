/** Sends a push notification at once, on request of a holder or an administrator. */
import { takeSlot } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { PUSHES } from "../../../packages/proof/mod.ts";
import type { Chains } from "../chain/mod.ts";
import type { RecordEntry } from "../records/mod.ts";
import { liveDevices } from "./devices.ts";
import { isPushKind, TEST_TEXT } from "./events.ts";
import type { PushPlatform } from "./provider.ts";
import { endOfQuiet } from "./quiet_hours.ts";
import { PUSH_LIFETIME_MS, readSettings, TESTS_PER_HOUR, testTimes } from "./rows.ts";
import type { createSender, NotPushedReason, PushContent, SenderOptions } from "./sender.ts";

/** The result of a message to one device: `sent`, `would_send`, why it was held, or an error's code. */
interface SendResult {
  device: string;
  platform: PushPlatform;
  name: string;
  result: string;
}

/** A message that an administrator or a holder sends to all devices of a record. */
export interface SentNow {
  ok: true;
  text: string;
  /** Why nothing was sent; null if something was. */
  held: NotPushedReason | "quiet_hours" | null;
  results: SendResult[];
}

const TEST_LIFETIME_MS = 5 * MINUTE_MS;

export interface SendNowOptions extends SenderOptions {
  chains: Pick<Chains, "page" | "head">;
}

/** Creates the functions that send to all devices of a record at once, without retries. */
export function createSendNow(options: SendNowOptions, sender: ReturnType<typeof createSender>) {
  const { kv, clock, chains, providers } = options;

  async function sendAll(
    hash: string,
    content: PushContent,
    held: SentNow["held"],
    dryRun: boolean,
  ): Promise<SentNow> {
    const devices = await liveDevices(options, hash);
    const results = await Promise.all(devices.map(async (device): Promise<SendResult> => {
      const { id, platform, name } = device;
      const about = { device: id, platform, name };
      if (providers[platform] === undefined) return { ...about, result: "not_configured" };
      if (held !== null) return { ...about, result: held };
      if (dryRun) return { ...about, result: "would_send" };
      const outcome = await sender.sendTo(device, content, crypto.randomUUID());
      return { ...about, result: outcome.ok ? "sent" : outcome.error };
    }));
    return { ok: true, text: content.text, held, results };
  }

  async function testContent(hash: string): Promise<PushContent | null> {
    const head = await chains.head(hash);
    const expiresAt = clock() + TEST_LIFETIME_MS;
    return head && { text: TEST_TEXT, seq: head.size - 1, event: head.tip, expiresAt };
  }

  return {
    /** Sends a test to all devices of a record. */
    async test(hash: string): Promise<SentNow | Failure> {
      const content = await testContent(hash);
      if (content === null || (await liveDevices(options, hash)).length === 0) {
        return fail("conflict", NO_DEVICE);
      }
      const slot = await takeSlot(kv, testTimes.of([hash]), clock);
      if (!slot.ok) return { ...slot, message: TOO_MANY_TESTS };
      return await sendAll(hash, content, null, false);
    },
    /** Sends an event, or a test without one, to all devices of a record at once, without retries. */
    async sendNow(
      record: RecordEntry,
      { seq, dryRun }: { seq?: number; dryRun: boolean },
    ): Promise<SentNow | Failure> {
      const { hash } = record;
      if (seq === undefined) {
        const content = await testContent(hash);
        return content === null ? fail("not_found") : await sendAll(hash, content, null, dryRun);
      }
      const page = await chains.page(hash, { after: seq - 1, limit: 1 });
      const event = page?.events.find((each) => each.seq === seq);
      if (event === undefined) return fail("not_found", NO_EVENT);
      const { kind } = event;
      if (!isPushKind(kind)) {
        return fail("invalid_request", {
          message: `Events of the kind ${kind} cause no notification.`,
        });
      }
      const now = clock();
      const { quiet } = await readSettings(kv, hash);
      const held = await sender.heldBecause(record, kind) ??
        (quiet && endOfQuiet(quiet, now) !== null ? "quiet_hours" as const : null);
      const expiresAt = now + PUSH_LIFETIME_MS;
      const content = { text: PUSHES[kind].text, seq, event: event.hash, expiresAt };
      return await sendAll(hash, content, held, dryRun);
    },
  };
}

const NO_DEVICE = { message: "This record has no device to send to." };
const NO_EVENT = { message: "The record has no such event." };
const TOO_MANY_TESTS = `You can send at most ${TESTS_PER_HOUR} tests per hour.`;
