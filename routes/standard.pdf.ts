import { publicFile } from "../lib/platform/http/public_file.ts";
import { standardPdf } from "../lib/features/standard/mod.ts";
import type { State } from "../lib/app/state.ts";

/** Returns the standard as PDF. Viewers of browsers are objects, which the policy of pages forbids. */
export const handler = publicFile<State>(async (state) => {
  state.policy = (policy) => policy.replace("object-src 'none'", "object-src 'self'");
  const { config, surfaces } = state.services;
  const { name } = config.organisations.foundation;
  const address = surfaces.url("foundation", "/standard") ?? `${state.surface.baseUrl}/standard`;
  return { body: await standardPdf({ name, address }), contentType: "application/pdf" };
});
