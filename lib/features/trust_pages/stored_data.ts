import type { CodesConfig } from "../codes/variables.ts";
import type { PrivacySection, PrivacyText, TableDescription } from "../../platform/kv/mod.ts";
import type { PageSettings } from "./context.ts";
import type { Item } from "./markdown.ts";

/** A part of the privacy page: what is stored when a person does something. */
interface StoredSection {
  heading: string;
  items: Item[];
}

interface Outline {
  heading: string;
  /** The labels of texts in the order of the page, and texts that belong to no table. */
  items: readonly (string | Item)[];
  if?: (config: { codes: CodesConfig }) => boolean;
}

/** The parts of the page in their order. Texts that are not named here are at the end of their part. */
const OUTLINE: Record<PrivacySection, Outline> = {
  sign_in: {
    heading: "What is stored when you sign in",
    items: ["Your account", "What you save"],
  },
  enquiry: {
    heading: "What is stored when you send an enquiry",
    items: ["Your record", "Counts", "Its chain"],
  },
  record: {
    heading: "What is stored when you use your record",
    items: [
      "Signing in",
      "Signing in to connect an app",
      "Sessions",
      "Access log",
      "Limits",
      "Level",
      "Declaration",
      "Your key",
      "Passkeys",
      "Requests for passkeys",
      "Notifications",
      "Security notices",
      "Identity check",
      "Recovery",
      "Documents",
    ],
  },
  open_document: {
    heading: "What is stored when you open a document",
    items: [{
      label: "The public page",
      text: "If you see only the public page, which shows who issued the document, we store " +
        "nothing. The number of documents opened from your network address is kept in memory for " +
        "a minute.",
    }],
  },
  check: {
    heading: "What is stored when you verify a record or check a document",
    items: ["Access log", "Repeated checks", {
      label: "The file",
      text: "The file and its name stay in your browser. It sends the file's hash (SHA-256) and, " +
        "if it matches, a second hash, which proves that your browser has the file. We store " +
        "neither. If the file matches no document, or if you only paste a hash, we store nothing.",
    }, {
      label: "What your browser remembers of the public log",
      text:
        "Your browser keeps the key and the newest state of each public log that it has checked, so " +
        "that nobody can show it another one later, and your own policy if you save one. This stays in " +
        "its storage for this site; it is not sent to us, and does not say which records you checked.",
    }],
  },
  document_access: {
    heading: "What is stored when you ask for access to a document",
    items: [],
  },
  codes: {
    heading: "What is stored when we send you a code",
    items: [],
    if: ({ codes }) => codes.provider !== undefined,
  },
  agents: { heading: "What is stored when you connect an app", items: [] },
  payments: { heading: "What is stored when you pay", items: [] },
  consoles: {
    heading: "What is stored when you work in one of our consoles",
    items: ["Operators", "Invitations"],
  },
};

/** Data that is not about people, which is in the tables without a text. */
export const STORED_FOR_OPERATION =
  "Our own keys, the state of background work, totals such as the number of accounts or of codes " +
  "sent to a country, our own bank's figures, and the published versions of pages such as this " +
  "one. None of it is about you.";

/** Returns what the tables of this deployment store about people, as the privacy page shows it. */
export function storedSections(
  tables: readonly TableDescription[],
  config: PageSettings,
): StoredSection[] {
  const texts = [...new Set(tables.flatMap(({ privacy }) => privacy))]
    .filter((text): text is PrivacyText & Item => text.text !== undefined)
    .filter((text) => text.if?.(config as never) ?? true);
  return Object.entries(OUTLINE)
    .filter(([, outline]) => outline.if?.(config) ?? true)
    .map(([section, { heading, items }]) => {
      const left = texts.filter((text) => text.section === section);
      const first = items.flatMap((item) => {
        if (typeof item !== "string") return item;
        const at = left.findIndex(({ label }) => label === item);
        if (at === -1) throw new Error(`No table has the text "${item}" of the privacy page.`);
        return left.splice(at, 1);
      });
      return { heading, items: [...first, ...left] };
    });
}
