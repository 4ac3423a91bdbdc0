import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../../lib/app/state.ts";
import type { OwnBatch } from "../../../lib/features/console/own_batches.ts";
import { renderConsole } from "../render_console.tsx";
import { BatchPage } from "./BatchPage.tsx";

/**
 * Renders the console's page of a batch, also with the problem of an action.
 *
 * @param scripts the island that keeps it up to date
 */
export async function renderBatch(
  ctx: Context<State>,
  scripts: ComponentChildren,
  { owner, batch }: OwnBatch,
  { problem, status = 200 }: { problem?: string; status?: number } = {},
): Promise<Response> {
  const { batches } = ctx.state.services;
  const { issuer } = owner;
  const issuerPath = `/console/issuers/${issuer.id}`;
  return await renderConsole(
    ctx,
    {
      title: batch.file_name ?? "Batch",
      crumbs: [{ href: issuerPath, text: issuer.name }],
    },
    <>
      <BatchPage
        batch={batch}
        stopped={await batches.stopReason(owner, batch)}
        path={`${issuerPath}/batches/${batch.id}`}
        problem={problem}
      />
      {scripts}
    </>,
    { status },
  );
}
