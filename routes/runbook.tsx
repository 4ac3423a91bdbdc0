import { page } from "fresh";
import { RunbookPage } from "../components/alerts/RunbookPage.tsx";
import { define, type RouteProperties, sharedPage } from "../lib/app/state.ts";
import { RUNBOOK_TEXT } from "../lib/features/alerts/mod.ts";
import { type Rendered, renderMarkdown } from "../lib/features/standard/mod.ts";

/** It works while the store does not respond, so it reads no session. */
export const properties: RouteProperties = { anonymous: true };

/**
 * The instructions for urgent alerts, which their mails link. Everybody may read them, because nobody can sign
 * in while the store accepts no writes.
 */
export const handler = sharedPage<Rendered>({
  GET: () => page(renderMarkdown(RUNBOOK_TEXT)),
});

export default define.page<typeof handler>(({ data }) => <RunbookPage {...data} />);
