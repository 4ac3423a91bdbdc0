import { csvResponse } from "../../lib/base/csv.ts";
import { siteHomePath } from "../../components/navigation.ts";
import {
  EXPORT_COLUMNS,
  exportOf,
  exportRows,
} from "../../lib/features/qualifications/saved_export.ts";
import { exportedMail } from "../../lib/features/auth/mod.ts";
import { route } from "../../lib/app/state.ts";

/** Everything that the site stores about the person who is signed in: JSON, or `?format=csv`. */
export const handler = route({
  async GET(ctx) {
    const { session, services, surface } = ctx.state;
    const { auth, saved, catalogue } = services;
    const user = session && await auth.readUser(session.user_id);
    if (user === null) return ctx.redirect("/auth");
    const searchPage = surface.baseUrl + siteHomePath(surface);
    const data = exportOf(user, await saved.read(user.id), catalogue, searchPage);
    if (ctx.url.searchParams.get("format") === "csv") {
      return csvResponse("saved-qualifications", EXPORT_COLUMNS, exportRows(data));
    }
    return Response.json({ ...data, ...await exportedMail(services, user) }, {
      headers: { "content-disposition": `attachment; filename="saved-qualifications.json"` },
    });
  },
});
