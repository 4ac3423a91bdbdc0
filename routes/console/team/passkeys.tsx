/** The console's forms for passkeys, and the page that asks for a first one. */
import type { Context } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { AddPasskeyPage } from "../../../components/passkeys/AddPasskeyPage.tsx";
import { NewCodePage } from "../../../components/passkeys/NewCodePage.tsx";
import {
  requireLayer,
  requireOperator,
  requirePasskey,
} from "../../../lib/features/console/http.ts";
import { landingOn } from "../../../lib/features/auth/mod.ts";
import { passkeyFormSchema } from "../../../lib/features/passkeys/mod.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { deviceOf } from "../../../lib/platform/http/device.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type State } from "../../../lib/app/state.ts";

/**
 * Asks an operator without a passkey to add one; sign-ins with a link lead here. Renames and removes passkeys of
 * the operator who is signed in. An administrator who has used one also lets another operator replace lost ones.
 */
export const handler = route({
  async GET(ctx) {
    const { state, url } = ctx;
    requireOperator(state);
    const next = landingOn(state.surface, url.searchParams.get("next"));
    if (state.gate.usable) return ctx.redirect(next, 303);
    const organisation = state.services.config.organisations[state.surface.organisation].name;
    return await renderConsole(
      ctx,
      { title: "Add your passkey" },
      <AddPasskeyPage gate={state.gate} {...{ organisation, next }} />,
    );
  },
  async POST(ctx) {
    requireLayer(ctx.state, "L2");
    const given = await readInput(ctx.req);
    const form = checkInput(passkeyFormSchema, given);
    const { session, surface, services: { operatorPasskeys } } = ctx.state;
    const request = { session: session!, surface, device: deviceOf(ctx.req, clientOf(ctx)) };
    // Without a passkey of their own, nobody may remove those of others.
    requirePasskey(ctx.state, { input: given, always: form.act === "reset" });
    if (form.act === "reset") return await reset(ctx, form.user);
    if (form.act === "rename") {
      unwrap(await operatorPasskeys.rename(request, form.id, form.name));
      return ctx.redirect("/console/team?passkey=renamed#passkeys", 303);
    }
    unwrap(await operatorPasskeys.remove(request, form.id));
    return ctx.redirect("/console/team?passkey=removed#passkeys", 303);
  },
});

/** Shows the code once. It is not stored, so a reload asks for a new one. */
async function reset(ctx: Context<State>, user: number): Promise<Response> {
  const { email: by } = requireLayer(ctx.state, "L1");
  const { surface, session, services: { auth, operators, operatorPasskeys } } = ctx.state;
  const lost = await auth.readUser(user);
  const layer = lost && await operators.layerOf(lost.email, surface.organisation);
  if (lost === null || layer === null) throw new RequestError(404);
  const device = deviceOf(ctx.req, clientOf(ctx));
  const whose = { user_id: lost.id, email: lost.email };
  const { code, expiresAt } = unwrap(
    await operatorPasskeys.reset({
      lost: whose,
      by: { user_id: session!.user_id, email: by },
      surface,
      device,
    }),
  );
  return await renderConsole(
    ctx,
    { title: "New passkey" },
    <NewCodePage email={lost.email} {...{ code, expiresAt }} />,
  );
}
