/** The configured names that titles and purposes contain. */
export interface Names {
  foundation: string;
  commercial: string;
  product: string;
}

export type OrganisationKey = "foundation" | "commercial";

export type SenderKey = "product" | OrganisationKey;

/** A path that a surface serves; `:name` matches one segment and a final `*` all that follow. */
export interface Route {
  path: string;
  /** The things that the route needs from outside, or from the store of sessions; `mail` includes the latter. */
  needs?: "bank" | "payments" | "sessions" | "mail";
  /** Why the route returns 404 on this surface although other surfaces of its kind serve it. */
  off?: string;
}

/** An entry of the navigation bar: a link, or one that depends on the configuration or session. */
export type NavigationEntry =
  | { href: string; text: string; section?: string }
  | "verify"
  | "account"
  | "code"
  | "contact"
  | "my-record";

export interface SignIn {
  /** The name that the sign-in page and the mail use. */
  product: (names: Names) => string;
  /** The sign-in page's headline. */
  headline: string;
  /** Explains below the headline who may sign in, and how. */
  lead: (names: Names) => string;
  /** The sender of the mail with the link. */
  sender: SenderKey;
  landing: string;
  /** True if sign-in returns to the page that required it; otherwise it always leads to `landing`. */
  returns: boolean;
  /** True if only operators (L1 and L2) get a link; otherwise everyone does. */
  operatorsOnly: boolean;
}

/** Everything that distinguishes one surface from the others. */
export interface SurfaceRow {
  /** Groups surfaces that serve the same pages for different organisations. */
  kind: string;
  /** Host names in development, without the port. */
  hosts: readonly string[];
  organisation: OrganisationKey;
  /** A short title for lists and the browser's tab. */
  title: (names: Names) => string;
  /** One sentence for people and agents. */
  purpose: (names: Names) => string;
  /** The name in the bar: the surface's title, or the organisation's name. */
  wordmark: "title" | "organisation";
  /** The paths that it serves besides {@link COMMON_ROUTES} and the sign-in routes; `all` for all. */
  routes: readonly Route[] | "all";
  /** The page at `/`: a key of the homes in `routes/index.tsx`, or a path to redirect to. */
  home: string;
  /** Default: none. */
  navigation?: readonly NavigationEntry[];
  /** Links that the workbench shows for the surface, some only while a stand-in is running. */
  examples: readonly {
    path: string;
    text: string;
    needs?: "outbox" | "phone" | "payments" | "push";
  }[];
  /** Absent on surfaces without sign-in, where requests never read a session. */
  signIn?: SignIn;
  /** True if holders sign in to their records here. Other surfaces never read their sessions. */
  holders?: boolean;
  /** True if its pages call the API, which their policy then allows. */
  callsApi?: boolean;
  /** True if its pages show the contact form, which may load the bot challenge. */
  contactForm?: boolean;
  /** True if its responses advertise the organisation's MCP server to agents (spec 4.4, 4.5). */
  advertisesMcp?: boolean;
  /** The routes that search engines may index. Default: none. */
  indexed?: readonly string[];
}

const COMMON_ROUTES: readonly Route[] = [
  { path: "/" },
  { path: "/robots.txt" },
  { path: "/.well-known/security.txt" },
  { path: "/favicon.ico" },
  { path: "/theme" },
];

/** The routes of every surface on which people sign in. */
export const SIGN_IN_ROUTES: readonly Route[] = [
  { path: "/auth", needs: "sessions" },
  { path: "/auth/verify", needs: "sessions" },
  { path: "/api/auth/request", needs: "mail" },
  { path: "/api/auth/verify", needs: "sessions" },
  { path: "/api/auth/logout", needs: "sessions" },
];

const DISCOVERY_ROUTES: readonly Route[] = [
  { path: "/.well-known/mcp" },
  { path: "/.well-known/mcp/server-card.json" },
  { path: "/.well-known/ai-catalog.json" },
  { path: "/.well-known/mcp-registry-auth" },
];

/** The texts of spec 4.3, for pages where everyone can sign in. */
const OPEN_SIGN_IN = {
  headline: "Sign in or create your account",
  lead: () => "We email you a link that signs you in. No password needed.",
} as const;

const consoleSignIn = (organisation: OrganisationKey): SignIn => ({
  product: (names) => `${names[organisation]} console`,
  sender: organisation,
  headline: "Sign in to the console",
  lead: (names) =>
    `For administrators and board members of ${names[organisation]} only. ` +
    "If your address has access, we email you a link that signs you in. No password needed.",
  landing: "/console",
  returns: true,
  operatorsOnly: true,
});

/** The authorization server of an MCP host. `MCP_OAUTH` selects which metadata it serves. */
const OAUTH_ROUTES: readonly Route[] = [
  { path: "/.well-known/oauth-protected-resource" },
  { path: "/.well-known/oauth-protected-resource/mcp" },
  { path: "/.well-known/oauth-authorization-server" },
  { path: "/.well-known/oauth-authorization-server/oauth" },
  { path: "/oauth/protected-resource" },
  { path: "/register" },
  { path: "/authorize" },
  { path: "/token" },
  { path: "/revoke" },
];

/** Documents of the standard that only its steward serves. */
const STANDARD_DOCUMENTS = [
  "/standard.md",
  "/standard.pdf",
  "/standard/changelog",
  "/standard/complete",
  "/standard/kit",
  "/standard/vectors.json",
] as const;

const FOUNDATION_ONLY = "Only on the foundation's site.";

const MARKETING = {
  kind: "marketing",
  wordmark: "organisation",
  routes: [
    { path: "/sitemap.xml" },
    { path: "/llms.txt" },
    { path: "/contact" },
    { path: "/my-record" },
    { path: "/connect" },
    { path: "/standard" },
    { path: "/standard/:section" },
    ...DISCOVERY_ROUTES,
  ],
  home: "marketing",
  navigation: [
    "verify",
    { href: "/standard", text: "Standard" },
    { href: "/#participate", text: "Participate" },
    { href: "/connect", text: "Connect" },
    "code",
    "contact",
    "my-record",
  ],
  examples: [
    { path: "/", text: "home page" },
    { path: "/#participate", text: "contact form in a dialog" },
    { path: "/contact", text: "contact form as a page" },
    { path: "/standard", text: "the standard, with search" },
    { path: "/connect", text: "how to connect an agent" },
    { path: "/.well-known/mcp/server-card.json", text: "server card for agents" },
    { path: "/nowhere", text: "an error page, which loads no scripts" },
  ],
  callsApi: true,
  contactForm: true,
  advertisesMcp: true,
} as const;

const MCP = {
  kind: "mcp",
  wordmark: "organisation",
  routes: [
    { path: "/mcp" },
    { path: "/mcp/server-card" },
    { path: "/mcp/server.json" },
    ...DISCOVERY_ROUTES,
    ...OAUTH_ROUTES,
  ],
  home: "mcp",
  navigation: [{ href: "/#tools", text: "Tools" }, { href: "/#documents", text: "Documents" }],
  examples: [
    { path: "/", text: "the tools, to read about and to try" },
    { path: "/.well-known/mcp", text: "server descriptor" },
    { path: "/mcp/server-card", text: "server card for catalogues" },
  ],
} as const;

const COMMERCIAL_ONLY = "Only on the commercial console.";

const consoleRoutes = (organisation: OrganisationKey): readonly Route[] => {
  const off = organisation === "commercial" ? {} : { off: COMMERCIAL_ONLY };
  return [
    { path: "/console" },
    { path: "/console/report" },
    { path: "/console/finance", needs: "bank" },
    { path: "/console/finance/limits", needs: "bank" },
    { path: "/console/finance/flow", needs: "bank", ...off },
    { path: "/console/finance/:id", needs: "bank", ...off },
    { path: "/console/surfaces" },
    { path: "/console/infra" },
    { path: "/console/search" },
    { path: "/console/alerts" },
    { path: "/console/alerts/count" },
    { path: "/runbook" },
    { path: "/console/inbox" },
    { path: "/console/inbox/:hash" },
    { path: "/console/inbox/:hash/reply" },
    { path: "/console/records" },
    { path: "/console/records/:hash" },
    { path: "/console/records/:hash/documents" },
    { path: "/console/records/:hash/documents/:id" },
    { path: "/console/records/:hash/documents/:id/view" },
    { path: "/console/records/:hash/documents/:id/file" },
    { path: "/console/records/:hash/documents/:id/cover" },
    { path: "/console/records/:hash/documents/:id/printed" },
    { path: "/pdfjs/:version/:file" },
    { path: "/console/issuers" },
    { path: "/console/issuers/:id" },
    { path: "/console/issuers/:id/settings" },
    { path: "/console/issuers/:id/pictures/:kind" },
    { path: "/console/issuers/:id/documents/:document" },
    { path: "/console/issuers/:id/documents/:document/file" },
    { path: "/console/issuers/:id/keys", ...off },
    { path: "/console/issuers/:id/batches", ...off },
    { path: "/console/issuers/:id/batches/new", ...off },
    { path: "/console/issuers/:id/batches/:batch", ...off },
    { path: "/console/issuers/:id/batches/:batch/results", ...off },
    { path: "/console/issuers/:id/batches/:batch/rows/:row", ...off },
    { path: "/console/payments" },
    { path: "/console/payments/:id" },
    { path: "/console/team" },
    { path: "/console/team/join" },
    { path: "/console/team/:person" },
    { path: "/console/audit" },
    { path: "/console/mail" },
    { path: "/console/team/passkeys" },
    { path: "/console/users", ...off },
    { path: "/console/users/:id", ...off },
    { path: "/api/auth/passkey/sign-in" },
    { path: "/api/auth/passkey/confirm" },
    { path: "/api/auth/passkey/register" },
    { path: "/api/bank/summary", needs: "bank" },
    { path: "/api/bank/accounts", needs: "bank" },
    { path: "/api/bank/refresh", needs: "bank" },
    { path: "/api/bank/transactions", needs: "bank", ...off },
    { path: "/api/infra/map" },
    { path: "/api/payments/webhook", needs: "payments" },
    { path: "/api/push/send" },
  ];
};

const CONSOLE = {
  kind: "console",
  wordmark: "title",
  home: "/console",
  examples: [
    { path: "/console", text: "dashboard, after sign-in" },
    { path: "/console/finance", text: "treasury, for full administrators" },
    { path: "/console/surfaces", text: "surfaces and their routes, for full administrators" },
    { path: "/console/infra", text: "services and whether they respond, for full administrators" },
    { path: "/console/inbox", text: "enquiries and replies, for full administrators" },
    { path: "/console/records", text: "records and their levels, for full administrators" },
    { path: "/console/payments", text: "payments, for full administrators" },
    { path: "/console/audit", text: "what administrators did, for full administrators" },
    { path: "/api/bank/summary", text: "the summary as JSON, after sign-in" },
  ],
} as const;

/** The surfaces by name, each with what its host serves. */
export const SURFACES = {
  "workbench": {
    kind: "workbench",
    hosts: ["localhost", "127.0.0.1", "[::1]"],
    organisation: "commercial",
    title: () => "Workbench",
    purpose: () => "Every surface, for development.",
    wordmark: "title",
    routes: "all",
    home: "workbench",
    examples: [
      { path: "/site", text: "qualification site" },
      { path: "/marketing", text: "commercial home page, without the badge" },
      { path: "/standard", text: "the standard" },
      { path: "/connect", text: "how to connect an agent" },
      { path: "/contact", text: "investor page with the contact form" },
      { path: "/auth", text: "sign-in page" },
      { path: "/dev/outbox", text: "email that was not sent", needs: "outbox" },
      { path: "/dev/phone", text: "codes that were not sent by SMS or call", needs: "phone" },
      { path: "/dev/push", text: "notifications that were not sent to phones", needs: "push" },
      { path: "/dev/webhooks", text: "deliveries to webhooks, and how they ended" },
      {
        path: "/dev/payments",
        text: "payment events, genuine and forged",
        needs: "payments",
      },
      { path: "/console", text: "console, for admin@example.org and board@example.org" },
      { path: "/terms", text: "a page that loads no scripts" },
      { path: "/.well-known/mcp/server-card.json", text: "server card" },
      { path: "/dev/components", text: "every component in each state" },
      { path: "/dev/charts", text: "the chart in each type and state" },
    ],
    signIn: {
      product: ({ product }) => product,
      ...OPEN_SIGN_IN,
      sender: "product",
      landing: "/account",
      returns: true,
      operatorsOnly: false,
    },
    holders: true,
    callsApi: true,
    contactForm: true,
  },
  "site": {
    kind: "site",
    hosts: ["site.localhost"],
    organisation: "commercial",
    title: ({ product }) => product,
    purpose: () => "A searchable register of Australian qualifications.",
    wordmark: "title",
    routes: [
      { path: "/account" },
      { path: "/account/saved" },
      { path: "/account/export" },
      { path: "/compare" },
      { path: "/qualifications/:code" },
      { path: "/api/qualifications" },
      { path: "/sitemap.xml" },
    ],
    home: "site",
    navigation: [
      { href: "/", text: "Qualifications", section: "/qualifications" },
      "account",
      "my-record",
    ],
    examples: [
      { path: "/", text: "search" },
      { path: "/?q=care&level=3&status=current", text: "a search with filters" },
      { path: "/qualifications/CHC50121", text: "a qualification and its succession" },
      { path: "/compare?a=TAE40110&b=TAE40122", text: "two qualifications, compared" },
      { path: "/auth", text: "sign-in page" },
      { path: "/account", text: "account with what was saved, after sign-in" },
    ],
    // Spec 4.3: a sign-in leads to the account page.
    signIn: {
      product: ({ product }) => product,
      ...OPEN_SIGN_IN,
      sender: "product",
      landing: "/account",
      returns: false,
      operatorsOnly: false,
    },
    indexed: ["/", "/qualifications/:code"],
  },
  "foundation": {
    ...MARKETING,
    hosts: ["foundation.localhost"],
    organisation: "foundation",
    title: ({ foundation }) => `${foundation}: site`,
    purpose: ({ foundation }) => `What ${foundation} does, and for whom.`,
    routes: [
      ...MARKETING.routes,
      { path: "/verify" },
      { path: "/governance" },
      { path: "/implementations" },
      { path: "/verifier" },
      { path: "/verifier/versions.json" },
      { path: "/verifier/:version/:file" },
      ...STANDARD_DOCUMENTS.map((path) => ({ path })),
    ],
    navigation: [
      "verify",
      { href: "/standard", text: "Standard" },
      { href: "/governance", text: "Governance" },
      { href: "/implementations", text: "Implementations" },
      { href: "/connect", text: "Connect" },
      "code",
      "contact",
      "my-record",
    ],
    examples: [
      ...MARKETING.examples,
      { path: "/verify", text: "chain verifier, in the browser" },
      { path: "/governance", text: "how the standard is governed" },
      { path: "/implementations", text: "implementations of the standard" },
      { path: "/verifier", text: "the verifier for pages and programs of others" },
    ],
    indexed: [
      "/",
      "/verify",
      "/governance",
      "/implementations",
      "/verifier",
      "/connect",
      "/contact",
      "/standard",
      "/standard/:section",
      "/standard/complete",
      "/standard/changelog",
      "/standard/kit",
    ],
  },
  "commercial": {
    ...MARKETING,
    hosts: ["commercial.localhost"],
    organisation: "commercial",
    title: ({ commercial }) => `${commercial}: site`,
    purpose: ({ commercial }) => `What ${commercial} does, and for whom.`,
    routes: [
      ...MARKETING.routes,
      { path: "/security" },
      { path: "/status" },
      ...STANDARD_DOCUMENTS.map((path) => ({ path, off: FOUNDATION_ONLY })),
    ],
    navigation: [
      "verify",
      { href: "/#product", text: "Product" },
      { href: "/security", text: "Security" },
      { href: "/standard", text: "Standard" },
      { href: "/connect", text: "Connect" },
      "contact",
      "my-record",
    ],
    examples: [
      { path: "/", text: "home page, with a document's path and screenshots" },
      { path: "/security", text: "what is stored and how it is protected" },
      { path: "/status", text: "whether the services respond, for everyone" },
      { path: "/#participate", text: "contact form in a dialog" },
      { path: "/connect", text: "how to connect an agent" },
      { path: "/nowhere", text: "an error page, which loads no scripts" },
    ],
    // The standard's canonical URL is on the foundation's site.
    indexed: ["/", "/connect", "/contact", "/security", "/status"],
  },
  "investor": {
    kind: "investor",
    hosts: ["investor.localhost"],
    organisation: "commercial",
    title: () => "Investors",
    purpose: () => "Contact for investors and partners.",
    wordmark: "title",
    routes: [{ path: "/my-record" }],
    home: "investor",
    navigation: ["my-record"],
    examples: [
      { path: "/", text: "live figures, documents and the contact form" },
      { path: "/?request=finance#contact", text: "the form with a request for documents" },
    ],
    callsApi: true,
    contactForm: true,
  },
  "foundation-mcp": {
    ...MCP,
    hosts: ["mcp.foundation.localhost"],
    organisation: "foundation",
    title: ({ foundation }) => `${foundation}: MCP server`,
    purpose: ({ foundation }) => `The MCP server of ${foundation}, for agents.`,
  },
  "commercial-mcp": {
    ...MCP,
    hosts: ["mcp.commercial.localhost"],
    organisation: "commercial",
    title: ({ commercial }) => `${commercial}: MCP server`,
    purpose: ({ commercial }) => `The MCP server of ${commercial}, for agents.`,
  },
  "foundation-console": {
    ...CONSOLE,
    hosts: ["ops.foundation.localhost"],
    organisation: "foundation",
    title: ({ foundation }) => `${foundation} console`,
    purpose: ({ foundation }) => `The operations console of ${foundation}.`,
    routes: consoleRoutes("foundation"),
    signIn: consoleSignIn("foundation"),
  },
  "commercial-console": {
    ...CONSOLE,
    hosts: ["ops.commercial.localhost"],
    organisation: "commercial",
    title: ({ commercial }) => `${commercial} console`,
    purpose: ({ commercial }) => `The operations console of ${commercial}.`,
    routes: consoleRoutes("commercial"),
    signIn: consoleSignIn("commercial"),
  },
  "api": {
    kind: "api",
    hosts: ["api.localhost"],
    organisation: "commercial",
    title: () => "API",
    purpose: () => "Endpoints for other pages and programs.",
    wordmark: "organisation",
    routes: [
      { path: "/components/contact-form.js" },
      { path: "/components/contact-form/:version" },
      { path: "/verifier/:version/:file" },
      { path: "/api/ir/register" },
      { path: "/api/chain/:hash" },
      { path: "/api/chain/:hash/log" },
      { path: "/api/qualifications" },
      { path: "/api/documents" },
      { path: "/api/documents/check" },
      { path: "/api/documents/issuer" },
      { path: "/api/documents/batches" },
      { path: "/api/documents/batches/check" },
      { path: "/api/documents/batches/:id" },
      { path: "/api/documents/batches/:id/send" },
      { path: "/api/documents/batches/:id/cancel" },
      { path: "/api/documents/batches/:id/results" },
      { path: "/api/documents/webhooks" },
      { path: "/api/documents/webhooks/:id" },
      { path: "/api/documents/webhooks/:id/deliveries" },
      { path: "/api/documents/webhooks/:id/deliveries/:delivery/replay" },
      { path: "/api/documents/webhooks/:id/pause" },
      { path: "/api/documents/webhooks/:id/replay" },
      { path: "/api/documents/webhooks/:id/resume" },
      { path: "/api/documents/webhooks/:id/rotate" },
      { path: "/api/documents/webhooks/:id/test" },
      { path: "/api/documents/:id" },
      { path: "/api/documents/:id/file" },
      { path: "/api/documents/:id/versions" },
      { path: "/api/documents/:id/withdraw" },
      { path: "/api/documents/:id/resend" },
      { path: "/api/documents/:id/simulate" },
      { path: "/api/keys/revoke" },
      { path: "/api/mail/events" },
      { path: "/openapi.json" },
      { path: "/docs" },
      { path: "/docs/:guide" },
      { path: "/docs/errors" },
      { path: "/docs/changelog" },
      { path: "/docs/operations/:id" },
      { path: "/docs/:guide/:file" },
      { path: "/sitemap.xml" },
    ],
    home: "api",
    navigation: [
      { href: "/docs", text: "Reference", section: "/" },
      { href: "/docs/issuing", text: "Issue documents" },
      { href: "/docs/contact-form", text: "Embed the form" },
      { href: "/docs/feed", text: "Live feed" },
      { href: "/docs/app", text: "Apps" },
      { href: "/docs/errors", text: "Errors" },
    ],
    examples: [
      { path: "/", text: "the endpoints" },
      { path: "/docs", text: "the reference, with examples" },
      { path: "/docs/issuing", text: "how to issue documents with an API key" },
      { path: "/docs/contact-form", text: "how to embed the contact form, with the form" },
      { path: "/openapi.json", text: "the same as OpenAPI 3.1" },
      { path: "/components/contact-form.js", text: "contact form script for other pages" },
    ],
    indexed: ["/", "/docs", "/docs/:guide", "/docs/errors", "/docs/changelog"],
  },
  "trust": {
    kind: "trust",
    hosts: ["trust.localhost"],
    organisation: "commercial",
    title: () => "Trust",
    purpose: () => "Checks of records and documents, and the publisher's terms.",
    wordmark: "title",
    routes: [
      { path: "/verify" },
      { path: "/check" },
      { path: "/check/verified" },
      { path: "/confirm" },
      { path: "/accept" },
      { path: "/accept/:document" },
      { path: "/accept/:document/file" },
      { path: "/keys/revoke" },
      { path: "/keys/stop" },
      { path: "/.well-known/chain-keys.json" },
      { path: "/log" },
      { path: "/log/about" },
      { path: "/log/checkpoint" },
      { path: "/log/checkpoints" },
      { path: "/log/tile/*" },
      { path: "/log/policy" },
      { path: "/log/previous" },
      { path: "/log/keys/:n" },
      { path: "/terms" },
      { path: "/privacy" },
      { path: "/privacy/stored" },
      { path: "/levels" },
      { path: "/k" },
      { path: "/k/verified" },
      { path: "/find" },
      { path: "/d" },
      { path: "/d/:id" },
      { path: "/d/:id/:page" },
      { path: "/pdfjs/:version/:file" },
      { path: "/d/:id/request" },
      { path: "/d/request" },
      { path: "/s" },
      { path: "/my-record" },
      { path: "/my-record/*" },
      { path: "/api/auth/register-passkey" },
      { path: "/api/auth/verify-passkey" },
      { path: "/api/auth/otp/send" },
      { path: "/api/auth/otp/verify" },
      { path: "/api/push/register" },
      { path: "/api/push/subscribe" },
      { path: "/.well-known/oauth-protected-resource/api/push/register" },
      { path: "/api/codes/status" },
      { path: "/api/codes/voice" },
      { path: "/.well-known/webauthn" },
      { path: "/.well-known/apple-app-site-association" },
      { path: "/.well-known/assetlinks.json" },
      { path: "/sitemap.xml" },
    ],
    home: "trust",
    navigation: [
      { href: "/verify", text: "Verify a record" },
      { href: "/check", text: "Check a document" },
      { href: "/levels", text: "Levels" },
      "my-record",
    ],
    examples: [
      { path: "/", text: "leads from a number, hash, key, link or file to its check" },
      { path: "/check", text: "compares a file with the registered documents" },
      { path: "/terms", text: "terms, with version and hash" },
      { path: "/privacy", text: "what is stored" },
      { path: "/verify", text: "chain verifier, in the browser" },
      { path: "/levels", text: "what each trust level means" },
      { path: "/log", text: "the public log: finds entries, and names who has countersigned it" },
      { path: "/log/about", text: "who could cheat, and who would notice" },
      { path: "/k", text: "key service, for the key on a holder's card" },
      { path: "/s", text: "opens a document that its holder shares" },
      { path: "/my-record", text: "sign-in for holders of records" },
    ],
    holders: true,
    callsApi: true,
    // Documents and records are not listed, and their pages say `noindex`, which crawlers have to read.
    indexed: [
      "/",
      "/check",
      "/levels",
      "/terms",
      "/privacy",
      "/privacy/stored",
      "/log",
      "/log/about",
    ],
  },
  "witness": {
    kind: "witness",
    hosts: ["witness.localhost"],
    organisation: "foundation",
    title: () => "Witness",
    purpose: ({ foundation }) => `${foundation} countersigns public logs here.`,
    wordmark: "organisation",
    routes: [
      { path: "/add-checkpoint" },
      { path: "/monitor/:log/checkpoint" },
      { path: "/monitor/:log/refused" },
    ],
    home: "witness",
    navigation: [
      { href: "/#logs", text: "Logs" },
      { href: "/#use", text: "Use this witness" },
    ],
    examples: [{ path: "/", text: "the logs that it countersigns" }],
  },
} as const satisfies Record<string, SurfaceRow>;

export type SurfaceName = keyof typeof SURFACES;
export type SurfaceKind = typeof SURFACES[SurfaceName]["kind"];
export type SurfaceTable = Readonly<Record<string, SurfaceRow>>;

/** The surfaces' values of `home` that are not redirects. */
export type HomeName = Exclude<typeof SURFACES[SurfaceName]["home"], `/${string}`>;

/** The names of all surfaces, in the order of the table. */
export const SURFACE_NAMES = Object.keys(SURFACES) as SurfaceName[];

/** Only the workbench serves these: other surfaces' home pages, and development pages. */
const WORKBENCH_ROUTES: readonly Route[] = [
  { path: "/site" },
  { path: "/marketing" },
  { path: "/dev/*" },
];

/** Returns the routes of a row, including those that are off, each path once. */
export function routesOf({ routes, signIn }: SurfaceRow, table: SurfaceTable): Route[] {
  if (routes === "all") {
    const others = Object.values(table).filter((row) => row.routes !== "all");
    const served = others.flatMap((row) => routesOf(row, table)).filter(({ off }) => !off);
    return uniquePaths([...served, ...SIGN_IN_ROUTES, ...WORKBENCH_ROUTES]);
  }
  return uniquePaths([...COMMON_ROUTES, ...signIn === undefined ? [] : SIGN_IN_ROUTES, ...routes]);
}

const uniquePaths = (
  routes: Route[],
): Route[] => [...new Map(routes.map((route) => [route.path, route])).values()];

/**
 * Returns a function that tests whether a surface serves a path. A path that is off is not served,
 * even if a pattern matches it.
 *
 * @example
 * ```ts
 * const serves = createRouteMatcher([{ path: "/d/:id" }, { path: "/dev/*" }]);
 * serves("/d/x1"); // true
 * serves("/d/x1/2"); // false
 * ```
 */
export function createRouteMatcher(routes: readonly Route[]): (pathname: string) => boolean {
  const open = routes.filter(({ off }) => off === undefined).map(({ path }) => path);
  const exact = new Set(open.filter((path) => !/[:*]/.test(path)));
  const off = new Set(routes.filter((route) => route.off !== undefined).map(({ path }) => path));
  const patterns = open.filter((path) => /[:*]/.test(path)).map(compile);
  return (pathname) =>
    exact.has(pathname) ||
    !off.has(pathname) && patterns.some((pattern) => pattern.test(pathname));
}

function compile(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:\w+/g, "[^/]+")
    .replace(/\*$/, ".+");
  return new RegExp(`^${source}$`);
}
