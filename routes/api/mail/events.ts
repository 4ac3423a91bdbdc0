import { receiveMailReport } from "../../../lib/features/mail_reports/http.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "POST",
  notInOpenApi: "For the operator's mail provider and mail server, see docs/deploy.md.",
  noAuthority: "The signature of the mail provider or mail server decides.",
};

/** The mail provider, or a mail server of the operator's, reports what became of a mail. */
export const handler = route({
  async POST({ req, state: { services } }) {
    unwrap(await receiveMailReport(services, req));
    return Response.json({ received: true });
  },
});
