/** The response of the consoles to a request that needs a passkey first. */
import type { Context } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { GatePage, type ResumedForm } from "../../../components/passkeys/GatePage.tsx";
import type { PasskeyRequired } from "../../features/console/http.ts";
import { UPLOAD_LIMIT } from "../../features/documents/mod.ts";
import { isFormPost, readInput } from "../../platform/http/body.ts";
import { drain, readFileForm } from "../../platform/http/file_form.ts";
import type { State } from "../state.ts";

/**
 * Responds to a browser's request that needs a passkey, with a page at the same address. It asks for the
 * passkey and then repeats the request. It contains the fields of a form, so nothing is lost.
 */
export async function renderGate(
  ctx: Context<State>,
  { input }: PasskeyRequired,
): Promise<Response> {
  const { state, url, req } = ctx;
  const { gate, session } = state;
  state.bare = true;
  // The form arrived so slowly that the passkey's time has passed. Its body has been read, so it cannot be repeated.
  const isLost = input === undefined && req.bodyUsed;
  const form = req.method === "POST" && !isLost ? await readForm(ctx, input) : null;
  // A form's address may only accept POST.
  const back = req.method === "POST" ? "/console" : url.pathname + url.search;
  const isFile = /\/(file|cover)$/.test(url.pathname);
  const isDownload = isFile || formatOf(url, form) === "csv";
  const page = {
    ...{ gate, form },
    replaces: session?.replaces_passkeys ?? false,
    downloadFrom: isDownload ? url.pathname.replace(/\/(file|cover)$/, "") : undefined,
    again: `/auth?again=1&next=${encodeURIComponent(back)}`,
  };
  const title = gate.usable ? "Use your passkey" : "Add a passkey";
  return await renderConsole(ctx, { title }, <GatePage {...page} />, { status: 403 });
}

const formatOf = (url: URL, form: ResumedForm | null): string | null =>
  form?.fields.find(([name]) => name === "format")?.[1] ?? url.searchParams.get("format");

async function readForm({ req, url }: Context<State>, input: unknown): Promise<ResumedForm> {
  const action = url.pathname + url.search;
  if (input !== undefined || isFormPost(req)) {
    const given = (input ?? await readInput(req)) as Record<string, unknown>;
    const fields = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
    return { action, fields, file: null };
  }
  const form = await readFileForm(req, UPLOAD_LIMIT);
  await drain(form);
  return { action, fields: Object.entries(form.fields), file: "file" };
}
