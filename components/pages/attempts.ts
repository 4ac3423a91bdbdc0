import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../../lib/discovery/mod.ts";
import type { SurfaceName } from "../../lib/surfaces/mod.ts";

/** Something to try on a surface. */
export interface Attempt {
  path: string;
  what: string;
}

const MARKETING: Attempt[] = [
  { path: "/", what: "the home" },
  { path: "/standard", what: "the standard, to read and to search" },
  { path: "/connect", what: "how a person connects an agent" },
  { path: SERVER_CARD_PATH, what: "what agents read first" },
  { path: "/nowhere", what: "an error page, without scripts" },
];

const MCP: Attempt[] = [
  { path: "/", what: "the tools, for people" },
  { path: SERVER_DESCRIPTOR_PATH, what: "the descriptor" },
];

/** What to try on each surface; the workbench lists it. */
export const ATTEMPTS: Record<SurfaceName, Attempt[]> = {
  "workbench": [
    { path: "/site", what: "the qualification site" },
    { path: "/marketing", what: "the commercial home" },
    { path: "/standard", what: "the standard" },
    { path: "/connect", what: "how a person connects an agent" },
    { path: "/contact", what: "the investor page" },
    { path: "/console", what: "the console" },
    { path: "/terms", what: "a page without scripts" },
    { path: SERVER_CARD_PATH, what: "the server card" },
  ],
  "site": [{ path: "/", what: "the home" }],
  "foundation": MARKETING,
  "commercial": MARKETING,
  "investor": [{ path: "/", what: "the home" }],
  "foundation-mcp": MCP,
  "commercial-mcp": MCP,
  "foundation-console": [{ path: "/console", what: "the console" }],
  "commercial-console": [{ path: "/console", what: "the console" }],
  "api": [{ path: "/", what: "what answers here" }],
  "trust": [
    { path: "/terms", what: "the terms" },
    { path: "/privacy", what: "what is stored" },
  ],
};
