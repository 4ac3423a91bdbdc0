import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../../lib/app/state.ts";
import { requireLayer } from "../../../lib/features/console/access.ts";
import type { ShownOnce } from "../../../lib/features/console/issuer_acts.ts";
import { checkIssuerId, readOwnIssuer } from "../../../lib/features/console/own_issuers.ts";
import { readConsoleResult, shownResult } from "../../../lib/features/console/results.ts";
import type { RefusedForm } from "../../../lib/platform/http/file_form.ts";
import { renderConsole } from "../render_console.tsx";
import { IssuerPage } from "./IssuerPage.tsx";
import { ISSUER_SECTIONS } from "./sections.ts";

/**
 * Renders the console's page of an issuer, which several endpoints return with a refused form.
 *
 * @param scripts the island that adds copy buttons
 */
export async function renderIssuer(
  ctx: Context<State>,
  scripts: ComponentChildren,
  { refused, once, status = 200 }: {
    refused?: RefusedForm;
    once?: ShownOnce;
    status?: number;
  } = {},
): Promise<Response> {
  const { state, url, params } = ctx;
  requireLayer(state, "L1");
  const id = checkIssuerId(params.id);
  const now = state.services.clock();
  const [issuer, uses, ...read] = await Promise.all([
    readOwnIssuer(state, id),
    state.services.issuers.lastUses(state.surface.organisation),
    ...ISSUER_SECTIONS.map((section) => section.read?.({ id, state, now })),
  ]);
  const path = `/console/issuers/${issuer.id}`;
  const isOwn = issuer.id === issuer.organisation;
  const view = { issuer, isOwn, path, state, now, refused, once };
  const sections = ISSUER_SECTIONS.flatMap(({ id, title, ...section }, i) => {
    const shown = section.show(view, read[i]);
    return shown === null ? [] : [{ id, title, ...shown }];
  });
  const asked = refused || once ? null : await readConsoleResult(state, url);
  const result = shownResult(asked, { name: issuer.name });
  return await renderConsole(
    ctx,
    { title: issuer.name },
    <>
      <IssuerPage {...view} {...{ result, sections }} usedAt={uses.get(id)} />
      {scripts}
    </>,
    { status },
  );
}
