import { page } from "fresh";
import { WebhookInbox } from "../../components/workbench/WebhookInbox.tsx";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { define, pageHandler } from "../../lib/app/state.ts";
import { inboxFrame, MOST_DELIVERIES } from "../../lib/features/workbench/mod.ts";

/** The deliveries to webhooks, the newest events first; also as JSON. */
export const handler = pageHandler({
  async GET(ctx) {
    const { services } = ctx.state;
    const recent = await services.webhooks.recent(MOST_DELIVERIES);
    const headers = { "vary": "Accept", "cache-control": "no-store" };
    const deliveries = recent.map(({ endpoint, delivery }) => ({ url: endpoint.url, ...delivery }));
    if (wantsJson(ctx.req)) return ctx.json(deliveries, { headers });
    return page({ deliveries, frame: await inboxFrame("webhooks", services) }, { headers });
  },
});

export default define.page<typeof handler>(({ data }) => <WebhookInbox {...data} />);
