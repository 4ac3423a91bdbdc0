/** Shows and changes the pictures that an issuer's certificates bear. */
import { z } from "zod";
import CopySamples from "../../../../../islands/CopySamples.tsx";
import { renderSections } from "../../../../../components/issuers/render_issuer.tsx";
import { requireLayer, requirePasskey } from "../../../../../lib/features/console/http.ts";
import { nonEmptyText } from "../../../../../lib/features/contact/mod.ts";
import { readOwnIssuer } from "../../../../../lib/features/issuers/http/requests.ts";
import { issuerPath } from "../../../../../lib/features/issuers/issuer_path.ts";
import { withConsoleResult } from "../../../../../lib/features/console/results.ts";
import { MAX_PICTURE, PICTURE_KINDS } from "../../../../../lib/features/issuers/mod.ts";
import { CERTIFICATE_LIMITS } from "../../../../../lib/features/issuing/mod.ts";
import { checkInput } from "../../../../../lib/platform/http/body.ts";
import { RequestError, unwrap } from "../../../../../lib/platform/http/errors.ts";
import {
  fileOf,
  orShowFileForm,
  readFileForm,
} from "../../../../../lib/platform/http/file_form.ts";
import { route } from "../../../../../lib/app/state.ts";

const NO_NAME = "Write the name of the person.";
const signatureSchema = z.object({
  signatory: nonEmptyText(CERTIFICATE_LIMITS.signatory, NO_NAME),
});

/** Returns which picture a path names. */
function kindOf({ kind }: Record<string, string>) {
  const found = PICTURE_KINDS.find((each) => each === kind);
  if (found === undefined) throw new RequestError(404);
  return found;
}

/** The logo of an issuer, and the signature on its certificates, for full administrators: the file, and the form that sets it. */
export const handler = route({
  async GET({ state, params }) {
    requireLayer(state, "L1");
    const kind = kindOf(params);
    const { organisation, id } = await readOwnIssuer(state, params.id);
    const picture = await state.services.issuers.readPicture(organisation, id, kind);
    if (picture === null) throw new RequestError(404);
    state.policy = () => "default-src 'none'; sandbox; frame-ancestors 'none'";
    return new Response(picture.bytes, {
      headers: {
        "content-type": picture.media_type,
        "content-disposition": "inline",
        "cache-control": "private, no-store",
        "cross-origin-resource-policy": "same-origin",
      },
    });
  },
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const kind = kindOf(params);
    const { organisation, id } = await readOwnIssuer(state, params.id);
    const { issuers } = state.services;
    return await orShowFileForm(() => readFileForm(req, 2 * MAX_PICTURE), async (form) => {
      const change = { organisation, id, by };
      const bytesOf = () => new Response(fileOf(form).body).bytes();
      if (kind === "logo") unwrap(await issuers.setLogo({ ...change, bytes: await bytesOf() }));
      else {
        const { signatory } = checkInput(signatureSchema, form.fields);
        const signature = { signatory, bytes: await bytesOf() };
        unwrap(await issuers.setSignature({ ...change, signature }));
      }
      const page = await withConsoleResult(state, `${issuerPath(id)}/settings`, `set_${kind}`);
      return ctx.redirect(page, 303);
    }, ({ values, ...problem }, status) => {
      const refused = { ...problem, values: { ...values, act: `set_${kind}` } };
      return renderSections(ctx, "settings", <CopySamples />, { refused, status });
    });
  },
});
