import type { Services } from "../lib/app/services.ts";
import type { Ids } from "./separation_site.ts";

/** Returns a path of each route that the workbench serves, of something that exists if it has parameters. */
export function routeExamples(
  { surfaces }: Services,
  { document, record }: Pick<Ids, "document" | "record">,
): string[] {
  const examples: Record<string, string> = {
    "/dev/*": "/dev/outbox",
    "/my-record/*": "/my-record/link",
    "/standard/:section": "/standard/records",
    "/qualifications/:code": "/qualifications/nothing",
    "/d/:id": `/d/${document}`,
    "/d/:id/:page": `/d/${document}/file`,
    "/d/:id/request": `/d/${document}/request`,
    "/pdfjs/:version/:file": "/pdfjs/nothing/nothing",
    "/api/chain/:hash": `/api/chain/${record}`,
    "/api/chain/:hash/log": `/api/chain/${record}/log`,
    "/log/tile/*": "/log/tile/0/000.p/1",
    "/log/keys/:n": "/log/keys/1",
    "/components/contact-form/:version": "/components/contact-form/nothing",
    "/verifier/:version/:file": "/verifier/nothing/nothing",
    "/docs/operations/:id": "/docs/operations/readIssuer",
    "/docs/:guide/:file": "/docs/issuing/gatehouse.ts",
  };
  // Requests for the objects of consoles are in `separation_cases.ts`.
  return surfaces.get("workbench")!.routes.map(({ path }) => path)
    .filter((path) => !path.startsWith("/console") || !path.includes(":"))
    .map((path) => examples[path] ?? path);
}
