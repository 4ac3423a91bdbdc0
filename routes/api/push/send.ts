import { readOwnRecord } from "../../../lib/features/records/http.ts";
import { requireLayer } from "../../../lib/features/console/http.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { PUSH_BODY_LIMIT, sendSchema } from "../../../lib/features/push/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * Sends an event or a test to the devices of a record, for L1 (spec 4.7). The response has the result
 * of each device. A dry run sends nothing.
 */
export const handler = route({
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const input = await readInput(ctx.req, PUSH_BODY_LIMIT);
    const { record: hash, seq, dry_run: dryRun } = checkInput(sendSchema, input);
    const record = await readOwnRecord(ctx.state, hash);
    const { services: { audit, push }, surface: { organisation } } = ctx.state;
    const { text, held, results } = unwrap(await push.sendNow(record, { seq, dryRun }));
    const sent = results.filter(({ result }) => result === "sent").length;
    const detail = dryRun ? "dry run" : `sent to ${sent} of ${results.length}`;
    const object = { record: record.hash };
    await audit.add({ organisation, by, action: "push_sent", object, detail });
    return ctx.json({ dry_run: dryRun, text, held, sent, results });
  },
});
