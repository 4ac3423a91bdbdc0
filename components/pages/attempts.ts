import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../../lib/discovery/mod.ts";
import type { SurfaceName } from "../../lib/surfaces/mod.ts";

/** Something to try on a surface. */
export interface Attempt {
  path: string;
  what: string;
}

const MARKETING: Attempt[] = [
  { path: "/", what: "the home" },
  { path: "/#participate", what: "the contact form, over the page" },
  { path: "/standard", what: "the standard, to read and to search" },
  { path: "/connect", what: "how a person connects an agent" },
  { path: "/my-record", what: "what “My record →” leads to" },
  { path: SERVER_CARD_PATH, what: "what agents read first" },
  { path: "/nowhere", what: "an error page, without scripts" },
];

const MCP: Attempt[] = [
  { path: "/", what: "the tools, for people" },
  { path: SERVER_DESCRIPTOR_PATH, what: "the descriptor" },
];

const CONSOLE: Attempt[] = [
  { path: "/console", what: "the console, which asks who it is" },
  { path: "/console/finance", what: "the treasury, for full administrators" },
  { path: "/console/surfaces", what: "the surfaces and their routes" },
  { path: "/api/bank/summary", what: "the summary as JSON, once signed in" },
];

/** What to try on each surface; the workbench lists it. */
export const ATTEMPTS: Record<SurfaceName, Attempt[]> = {
  "workbench": [
    { path: "/site", what: "the qualification site" },
    { path: "/marketing", what: "the commercial home; its badge and tags stand on its own host" },
    { path: "/standard", what: "the standard" },
    { path: "/connect", what: "how a person connects an agent" },
    { path: "/contact", what: "the investor page, with the contact form" },
    { path: "/auth", what: "the sign-in page" },
    { path: "/dev/outbox", what: "the mails that were not sent" },
    { path: "/console", what: "the console; admin@example.org and board@example.org may enter" },
    { path: "/terms", what: "a page without scripts" },
    { path: SERVER_CARD_PATH, what: "the server card" },
    { path: "/dev/components", what: "every component, in each state" },
    { path: "/dev/charts", what: "the chart, in each type and state" },
  ],
  "site": [
    { path: "/", what: "the search" },
    { path: "/?q=care&level=3&status=current", what: "a search with filters" },
    { path: "/qualifications/CHC50121", what: "a qualification and its succession" },
    { path: "/auth", what: "the sign-in page" },
    { path: "/account", what: "the account, once signed in" },
  ],
  "foundation": MARKETING,
  "commercial": MARKETING,
  "investor": [{ path: "/", what: "the contact form, in the page" }],
  "foundation-mcp": MCP,
  "commercial-mcp": MCP,
  "foundation-console": CONSOLE,
  "commercial-console": CONSOLE,
  "api": [
    { path: "/", what: "what answers here" },
    { path: "/components/contact-form.js", what: "the contact form, for any page" },
  ],
  "trust": [
    { path: "/terms", what: "the terms" },
    { path: "/privacy", what: "what is stored" },
    { path: "/verify", what: "the verifier of chains, in the browser" },
  ],
};
