import type { ConnectProps } from "../../lib/discovery/connect.ts";

/** What the two organisations say differently. */
interface Words {
  /** What a connected assistant does for its user here. */
  why: (entityName: string) => string;
  /** Something to ask it first. */
  ask: string;
  /** What the organisation has to do with MCP. */
  relation: (entityName: string) => string;
}

export const WORDS: Record<ConnectProps["entity"], Words> = {
  foundation: {
    why: (entityName) =>
      "Ask an assistant what a standard requires, and it may answer from memory, from a summary " +
      `or from an old draft. Connected to ${entityName}, it reads the text that holds today, ` +
      "quotes the section it found, and checks a chain of events by the published procedure.",
    ask:
      "What does the standard for verifiable records require of a signed head? Name the section.",
    relation: (entityName) =>
      `${entityName} has no part in governing it. The standard that we look after is another one: it is ` +
      "about records, and MCP is one of the ways to read it.",
  },
  commercial: {
    why: (entityName) =>
      "Ask an assistant whether a qualification is still current, and it may answer from " +
      `something it read long ago. Connected to ${entityName}, it looks the qualification up in ` +
      "the catalogue, reads what the standard requires of a record, and checks a chain of events " +
      "by the published procedure.",
    ask: "Is CHC30121 in early childhood education still current, and if not, what replaced it?",
    relation: (entityName) =>
      `${entityName} has no part in governing it. We offer a server that speaks MCP, as anybody may.`,
  },
};

/** Assistants and editors that connect to servers over Streamable HTTP, alphabetically. */
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
