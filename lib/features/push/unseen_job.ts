import { z } from "zod";
import type { Job } from "../../platform/jobs/mod.ts";
import { SITE } from "../records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { type DeviceDeps, isUnseen, removeDevice } from "./devices.ts";
import { type DeviceRow, DEVICES } from "./rows.ts";

/** How many devices are read before the progress is saved. */
const PAGE = 100;

/** The device after which an unfinished run continues. */
const cursorSchema = z.object({ table: z.int().min(0), id: z.string() });

/**
 * Creates the job that removes devices that have not been seen for a long time, once a night. Sending
 * to a record removes them too, but nothing may ever be sent to the record again.
 */
export const createUnseenJob = (deps: Pick<DeviceDeps, "kv" | "clock">): Job => ({
  name: "devices",
  title: "Removing devices that are no longer used",
  everyMs: DAY_MS,
  dailyAtMs: 3 * HOUR_MS,
  maxMs: MINUTE_MS,
  resumeMs: MINUTE_MS,
  async run({ cursor, signal, save }) {
    const { kv, clock } = deps;
    let removed = 0;
    let { table, id } = cursorSchema.safeParse(cursor).data ?? { table: 0, id: "" };
    while (table < DEVICES.length && !signal.aborted) {
      const { prefix, key } = DEVICES[table];
      const selector = { prefix: [prefix], start: key(`${id}\0`) };
      const page = await Array.fromAsync(kv.list<DeviceRow>(selector, { limit: PAGE }));
      for (const { value } of page) {
        if (signal.aborted) break;
        const applies = (device: DeviceRow) => isUnseen(device, clock());
        if (applies(value) && await removeDevice(deps, value, applies, SITE)) removed++;
        id = value.id;
      }
      if (signal.aborted) break;
      if (page.length < PAGE) [table, id] = [table + 1, ""];
      await save({ table, id });
    }
    return `${removed} removed`;
  },
});
