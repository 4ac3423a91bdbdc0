import type { ConnectProps } from "../../lib/features/mcp/connect.ts";

/** The parts of the explainer that differ between the two organisations. */
interface Texts {
  /** The reason to connect an assistant. */
  why: (entityName: string) => string;
  /** A first question to ask it. */
  question: string;
  /** How the organisation relates to MCP. */
  relation: (entityName: string) => string;
}

export const TEXTS: Record<ConnectProps["entity"], Texts> = {
  foundation: {
    why: (entityName) =>
      `From memory, an assistant may quote an old draft. Connected to ${entityName}, it reads the ` +
      "current standard and verifies chains.",
    question:
      "What does the standard for verifiable records require of a signed head? Name the section.",
    relation: (entityName) =>
      `${entityName} has no role in governing it. The standard that we maintain is a different ` +
      "one: it is about records, and MCP is one way to read it.",
  },
  commercial: {
    why: (entityName) =>
      `From memory, an assistant may call a superseded qualification current. Connected to ` +
      `${entityName}, it looks it up and verifies chains.`,
    question:
      "Is CHC30121 in early childhood education still current, and if not, what replaced it?",
    relation: (entityName) =>
      `${entityName} has no role in governing it. We run an MCP server, as anyone can.`,
  },
};

/** Assistants and editors that connect over Streamable HTTP, in alphabetical order. */
export const WORKS_WITH = [
  "ChatGPT",
  "Claude",
  "Cline",
  "Codex",
  "Cursor",
  "Gemini CLI",
  "GitHub Copilot",
  "Goose",
  "JetBrains AI Assistant",
  "LM Studio",
  "VS Code",
  "Zed",
];
