/** The texts about MCP of each organisation, and the names of the clients that can connect. */
import type { ConnectProps } from "../../lib/features/mcp/connect.ts";

/** The parts of the explainer that differ between the two organisations. */
interface Texts {
  /** For whom the server is, and what an assistant gains from it. */
  lead: string;
  /** The tool that answers the first question. */
  tool: string;
  /** The reason to connect an assistant. */
  why: (entityName: string) => string;
  /** A first question to ask it. */
  question: string;
  /** How the organisation relates to MCP. */
  relation: (entityName: string) => string;
}

export const TEXTS: Record<ConnectProps["entity"], Texts> = {
  foundation: {
    lead:
      "For everyone who works with the standard for verifiable records and asks an AI assistant " +
      "about it. Connected to this server, the assistant reads the current text and verifies chains, " +
      "instead of answering from memory.",
    tool: "search_standard",
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
    lead:
      "For everyone who asks an AI assistant about Australian qualifications or about a record. " +
      "Connected to this server, the assistant looks them up and verifies chains, instead of " +
      "answering from memory.",
    tool: "get_qualification",
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
