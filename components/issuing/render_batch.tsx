/** Reads a batch and responds with its page on the console, before or after it is issued. */
import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../lib/app/state.ts";
import { requirePasskey } from "../../lib/features/console/http.ts";
import {
  type BatchItem,
  batchPath,
  type OwnBatch,
  readBatchItems,
  rowNumber,
} from "../../lib/features/issuing/console_batches.ts";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";
import type { BatchRow } from "../../lib/features/issuing/batches/mod.ts";
import { mailPath } from "../../lib/features/mail_reports/mail.ts";
import { VIEWER_POLICY } from "../../lib/features/documents/mod.ts";
import { renderConsole } from "../console/render_console.tsx";
import { BatchPage } from "./BatchPage.tsx";
import { BatchRows } from "./BatchRows.tsx";
import { CheckedPage, type Sample } from "./CheckedPage.tsx";

/** The islands of the page of a batch, which only routes can import. */
export interface BatchIslands {
  /** Keeps the progress up to date. */
  progress: ComponentChildren;
  draw: (file: { fileUrl: string; pdfJs: string; label: string }) => ComponentChildren;
}

interface RenderSettings {
  problem?: string;
  status?: number;
}

/** Renders the console's page of a batch, also with the problem of an action. */
export async function renderBatch(
  ctx: Context<State>,
  islands: BatchIslands,
  own: OwnBatch,
  { problem, status = 200 }: RenderSettings = {},
): Promise<Response> {
  const { services } = ctx.state;
  const { owner: { issuer } } = own;
  const path = batchPath(own.batch);
  const [batch, items] = await Promise.all([
    services.batches.progress(own.batch),
    readBatchItems(services, own.batch, ctx.url),
  ]);
  const mailPaths = await mailPathsOf(services, items.items, batch);
  const rows = <BatchRows {...items} {...{ batch, path, mailPaths }} />;
  const view = batch.state === "checked"
    ? await checkedView(ctx, islands, own, { rows, problem })
    : (
      <>
        <BatchPage
          {...{ batch, path, rows, problem }}
          now={services.clock()}
          stopped={await services.batches.stopReason(own.owner, batch)}
        />
        {islands.progress}
      </>
    );
  const issuerPage = issuerPath(issuer.id);
  return await renderConsole(
    ctx,
    {
      title: batch.title,
      crumbs: [
        { href: issuerPage, text: issuer.name },
        { href: `${issuerPage}/batches`, text: "Batches" },
      ],
      refused: problem !== undefined,
    },
    view,
    { status, headers: { "cache-control": "no-store" } },
  );
}

/** Returns the paths of the pages about the mail to recipients who were mailed, by their addresses. */
async function mailPathsOf(
  { secrets }: State["services"],
  items: readonly BatchItem[],
  { test }: BatchRow,
): Promise<Map<string, string>> {
  const mailed = test ? [] : items.filter(({ line }) => line.state === "sent");
  const emails = mailed.flatMap(({ recipient }) => recipient?.email ?? []);
  return new Map(
    await Promise.all(
      emails.map(async (email) => [email, await mailPath(secrets, email)] as const),
    ),
  );
}

async function checkedView(
  { state, url }: Context<State>,
  { draw }: BatchIslands,
  { batch }: OwnBatch,
  { rows, problem }: { rows: ComponentChildren; problem?: string },
) {
  requirePasskey(state);
  const { batches, pdfJs } = state.services;
  const longest = batch.found?.longest ?? 0;
  const chosen = rowNumber(url.searchParams.get("row"), batch) ?? randomRow(batch);
  const wanted = { first: 0, longest, chosen };
  const lines = await batches.checked.rows(batch, [...new Set(Object.values(wanted))]);
  const samples = Object.entries(wanted).flatMap(([id, n]): Sample[] => {
    const line = lines.find((line) => line.n === n);
    const isShown = id !== "first" && n === 0 || id === "chosen" && n === longest;
    return line?.values && !isShown ? [{ id: id as Sample["id"], line }] : [];
  });
  state.policy = VIEWER_POLICY;
  const path = await pdfJs.path();
  return (
    <CheckedPage
      {...{ batch, samples, rows, problem }}
      issuedBefore={await batches.checked.issuedBefore(batch)}
      path={batchPath(batch)}
      another={randomRow(batch)}
      draw={(fileUrl, label) => draw({ fileUrl, pdfJs: path, label })}
    />
  );
}

/** Returns the number of a row by chance, not that of the first one if there are others. */
const randomRow = ({ rows }: BatchRow): number =>
  rows === 1 ? 0 : 1 + crypto.getRandomValues(new Uint32Array(1))[0] % (rows - 1);
