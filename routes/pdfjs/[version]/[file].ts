import { RequestError } from "../../../lib/platform/http/errors.ts";
import { PDFJS_POLICY } from "../../../lib/features/documents/mod.ts";
import { route } from "../../../lib/app/state.ts";

/** The files of pdf.js, which draws PDFs in the browser. */
export const handler = route({
  async GET({ req, params, state }) {
    const file = await state.services.pdfJs.serve(req, params.version, params.file);
    if (file === null) throw new RequestError(404);
    state.policy = () => PDFJS_POLICY;
    return file;
  },
});
