import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import type { Notices, Reader, RecordEntry } from "../records/mod.ts";
import { HOUR_MS } from "../../base/time.ts";

/** The security notices of the devices that sessions register. */
export interface DeviceNotices {
  /** Adds a notice to the commit that registers a device. */
  add(
    commit: Deno.AtomicOperation,
    record: RecordEntry,
    device: { name: string },
    reader: Reader,
    now: number,
  ): Promise<QueuedMail[]>;
  /** Sends notices after the commit. */
  send(mails: QueuedMail[]): void;
}

/** Notices per record and hour. The link of any of them removes all devices. */
const NOTICES_PER_HOUR = 10;
const MAX_RECORDS = 10_000;

export function createDeviceNotices({ monotonic, mailer, notices }: {
  /** Returns the monotonic time in milliseconds. */
  monotonic: () => number;
  mailer: Mailer;
  notices: Notices;
}): DeviceNotices {
  const limiter = createRateLimiter({
    limit: NOTICES_PER_HOUR,
    windowMs: HOUR_MS,
    monotonic,
    maxClients: MAX_RECORDS,
  });
  return {
    async add(commit, record, { name }, reader, now) {
      if (!limiter.take(record.hash).ok) return [];
      const undo = { act: "sign_out" } as const;
      const facts = [["Device", name]] as const;
      return await notices.add(
        commit,
        { record, kind: "device_added", undo, reader, facts },
        now,
      );
    },
    send: (mails) => mailer.send(mails),
  };
}
