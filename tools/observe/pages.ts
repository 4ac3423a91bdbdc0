/** The list of pages whose pictures are compared before and after a change. */
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import type { ObservedSite, Visitor } from "./store.ts";

/** A page as a visitor sees it on a surface. */
export interface Shot {
  on: SurfaceName;
  path: string | ((site: ObservedSite) => string);
  /** Default: somebody who is not signed in. */
  as?: Visitor;
  /** Distinguishes several pictures of a pattern on one surface. */
  name?: string;
}

const on = (surface: SurfaceName, path: Shot["path"], as?: Visitor, name?: string): Shot => ({
  on: surface,
  path,
  as,
  name,
});
const trust = (path: Shot["path"], as?: Visitor) => on("trust", path, as);
const holder = (path: Shot["path"]) => trust(path, "holder");
const console = (path: Shot["path"]) => on("commercial-console", path, "administrator");
const link = (path: string) => (site: ObservedSite) => site.links[path];
const recordPath = ({ ids }: ObservedSite) => `/console/records/${ids.record}`;
const issuerPath = ({ ids }: ObservedSite) => `/console/issuers/${ids.issuer}`;
const documentPath = (site: ObservedSite) => `${recordPath(site)}/documents/${site.ids.document}`;

/** The pages whose pictures are taken, by the pattern of their route. */
export const SHOTS: Record<string, readonly Shot[]> = {
  "/": [
    ...(["site", "foundation", "commercial", "investor", "foundation-mcp", "api", "trust"] as const)
      .map((surface) => on(surface, "/")),
    on("witness", "/"),
    on("workbench", "/"),
    on("trust", "/nowhere", undefined, "error"),
    on("site", "/?q=care&status=current", "user", "search"),
  ],
  "/accept": [trust(link("/accept"))],
  "/accept/:document": [trust(link("/accept/:document"), "recipient")],
  "/keys/revoke": [trust(link("/keys/revoke"))],
  "/keys/stop": [trust(link("/keys/stop"))],
  "/account": [on("site", "/account", "user")],
  "/auth": [on("site", "/auth"), on("commercial-console", "/auth")],
  "/authorize": [on("foundation-mcp", "/authorize")],
  "/check": [trust("/check")],
  "/compare": [on("site", "/compare?a=TAE40110&b=TAE40122")],
  "/confirm": [trust(link("/confirm"))],
  "/connect": [on("foundation", "/connect")],
  "/console": [console("/console"), on("foundation-console", "/console", "foundation")],
  "/console/alerts": [console("/console/alerts")],
  "/console/audit": [console("/console/audit")],
  "/console/finance": [console("/console/finance")],
  "/console/finance/:id": [console(({ ids }) => `/console/finance/${ids.account}`)],
  "/console/finance/flow": [console("/console/finance/flow")],
  "/console/finance/limits": [console("/console/finance/limits")],
  "/console/inbox": [console("/console/inbox?state=all")],
  "/console/inbox/:hash": [console(({ ids }) => `/console/inbox/${ids.record}`)],
  "/console/infra": [console("/console/infra")],
  "/console/issuers": [console("/console/issuers")],
  "/console/issuers/:id": [console(issuerPath)],
  "/console/issuers/:id/batches": [console((site) => `${issuerPath(site)}/batches`)],
  "/console/issuers/:id/batches/new": [console((site) => `${issuerPath(site)}/batches/new`)],
  "/console/issuers/:id/batches/:batch": [
    console((site) => `${issuerPath(site)}/batches/${site.ids.batch}`),
    {
      ...console((site) => `${issuerPath(site)}/batches/${site.ids.checked}?row=0`),
      name: "checked",
    },
  ],
  "/console/issuers/:id/documents/:document": [
    console((site) => `${issuerPath(site)}/documents/${site.ids.issued}`),
  ],
  "/console/issuers/:id/keys": [console((site) => `${issuerPath(site)}/keys`)],
  "/console/issuers/:id/settings": [console((site) => `${issuerPath(site)}/settings`)],
  "/console/mail": [
    console("/console/mail"),
    { ...console(({ mailPath }) => mailPath), name: "address" },
  ],
  "/console/payments": [console("/console/payments")],
  "/console/payments/:id": [console(({ ids }) => `/console/payments/${ids.payment}`)],
  "/console/records": [
    console("/console/records"),
    { ...console("/console/records?view=charts"), name: "charts" },
  ],
  "/console/records/:hash": [console(recordPath)],
  "/console/records/:hash/documents/:id": [console(documentPath)],
  "/console/records/:hash/documents/:id/view": [console((site) => `${documentPath(site)}/view`)],
  "/console/report": [console("/console/report")],
  "/console/search": [console("/console/search?q=harbour")],
  "/console/surfaces": [console("/console/surfaces")],
  "/console/team": [console("/console/team")],
  "/console/team/:person": [console(({ ids }) => `/console/team/${ids.operator}`)],
  "/console/team/passkeys": [console("/console/team/passkeys")],
  "/console/team/join": [on("commercial-console", link("/console/team/join"), "guest")],
  "/console/users": [console("/console/users")],
  "/console/users/:id": [console(({ ids }) => `/console/users/${ids.user}`)],
  "/contact": [on("commercial", "/contact")],
  "/d": [trust("/d")],
  "/d/:id{/:page}?": [
    trust(({ pdf }) => `/d/${pdf}`),
    { ...trust(({ ids }) => `/d/${ids.document}`), name: "locked" },
    { ...trust(({ ids }) => `/d/${ids.document}`, "reader"), name: "reader" },
  ],
  "/d/:id/request": [trust(({ ids }) => `/d/${ids.document}/request`)],
  "/d/request": [trust(link("/d/request"))],
  "/dev/charts": [on("workbench", "/dev/charts")],
  "/dev/components": [on("workbench", "/dev/components")],
  "/dev/outbox": [on("workbench", "/dev/outbox?q=confirm")],
  "/dev/payments": [on("workbench", "/dev/payments")],
  "/dev/phone": [on("workbench", "/dev/phone")],
  "/dev/push": [on("workbench", "/dev/push")],
  "/dev/webhooks": [on("workbench", "/dev/webhooks")],
  "/docs": [on("api", "/docs")],
  "/docs/:guide": [on("api", "/docs/issuing")],
  "/docs/changelog": [on("api", "/docs/changelog")],
  "/docs/errors": [on("api", "/docs/errors")],
  "/docs/operations/:id": [on("api", "/docs/operations/readIssuer")],
  "/find": [trust("/find")],
  "/governance": [on("foundation", "/governance")],
  "/implementations": [on("foundation", "/implementations")],
  "/k": [trust("/k")],
  "/levels": [trust("/levels")],
  "/log": [trust("/log"), { ...trust("/log?find=3"), name: "entry" }],
  "/log/about": [trust("/log/about")],
  "/marketing": [on("workbench", "/marketing")],
  "/my-record": [trust("/my-record"), { ...holder("/my-record"), name: "holder" }],
  "/my-record/authorize": [holder(({ request }) => `/my-record/authorize?request=${request}`)],
  "/my-record/code": [trust("/my-record/code")],
  "/my-record/correct": [holder("/my-record/correct")],
  "/my-record/declaration": [holder("/my-record/declaration")],
  "/my-record/delete": [holder("/my-record/delete")],
  "/my-record/key": [holder("/my-record/key")],
  "/my-record/link": [trust(link("/my-record/link"))],
  "/my-record/log": [holder("/my-record/log")],
  "/my-record/notifications": [holder("/my-record/notifications")],
  "/my-record/number": [holder("/my-record/number")],
  "/my-record/requests": [holder("/my-record/requests")],
  "/my-record/share": [holder(({ pdf }) => `/my-record/share?document=${pdf}`)],
  "/my-record/undo": [trust(link("/my-record/undo"))],
  "/privacy": [trust("/privacy")],
  "/privacy/stored": [trust("/privacy/stored")],
  "/qualifications/:code": [on("site", "/qualifications/CHC50121")],
  "/runbook": [on("commercial-console", "/runbook")],
  "/s": [trust("/s")],
  "/security": [on("commercial", "/security")],
  "/site": [on("workbench", "/site")],
  "/standard": [on("foundation", "/standard")],
  "/standard/:section": [on("foundation", "/standard/records")],
  "/standard/changelog": [on("foundation", "/standard/changelog")],
  "/standard/complete": [on("foundation", "/standard/complete")],
  "/standard/kit": [on("foundation", "/standard/kit")],
  "/status": [on("commercial", "/status")],
  "/terms": [trust("/terms")],
  "/verifier": [on("foundation", "/verifier")],
  "/verify": [trust(({ ids }) => `/verify?hash=${ids.record}`)],
};

/** The routes with a view of which no picture is taken, with the reason. */
export const WITHOUT_PICTURE: Record<string, string> = {
  "/api/ir/register": "Only POST; it renders the contact form, whose page is /contact.",
  "/console/inbox/:hash/reply": "Only POST; a refused reply is shown on the page of the enquiry.",
  "/console/issuers/:id/pictures/:kind":
    "An image; a refused one is shown on the settings of the issuer.",
  "/console/records/:hash/documents": "Only POST; a refused file is shown on the record's page.",
  "/my-record/authorize/code": "Only POST; a wrong code is shown on the page of the sign-in.",
  "/my-record/sign-in": "Only POST; GET redirects to /my-record.",
};
