/** The text of the page with everything that is stored, from the tables of all features. */
import type { CodesConfig } from "../../codes/variables.ts";
import type { PrivacySection, PrivacyText, TableDescription } from "../../../platform/kv/mod.ts";
import type { PageSettings } from "./context.ts";
import type { Item } from "./markdown.ts";

/** A part of the privacy page: what is stored when a person does something. */
interface StoredSection {
  heading: string;
  /** The part in short, for the page for people. */
  summary: string;
  items: Item[];
}

interface Outline {
  heading: string;
  summary: string;
  /** The labels of texts in the order of the page, and texts that belong to no table. */
  items: readonly (string | Item)[];
  if?: (config: { codes: CodesConfig }) => boolean;
}

/** The parts of the page in their order. Texts that are not named here are at the end of their part. */
const OUTLINE: Record<PrivacySection, Outline> = {
  sign_in: {
    heading: "When you sign in",
    summary:
      "Your email address and last sign-in, until you ask us to delete the account; what you save and, " +
      "for 90 days, the qualifications that you opened. Sign-in links work once, for 15 minutes, and " +
      "are stored only as fingerprints. Sessions last 30 days, or until you sign out.",
    items: ["Your account", "What you save"],
  },
  enquiry: {
    heading: "When you send an enquiry",
    summary:
      "What you entered, our notes and replies, until you delete the record or ask us to. The chain and " +
      "the public log stay: they contain only hashes and times, nothing about you, and after the " +
      "deletion only people who kept the record’s hash can connect them to it.",
    items: ["Your record", "Counts", "Its chain"],
  },
  record: {
    heading: "When you use your record",
    summary:
      "Your level, declaration, documents, passkeys and devices, until you remove them or delete the " +
      "record. The access log shows you for 365 days who read what, with network and browser. Name, " +
      "address and file of an issued document that you do not accept are erased after 90 days.",
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
    heading: "When you open a document",
    summary:
      "Of its public page, nothing. If somebody gave you access: each view, download and print, which " +
      "the holder sees with your network and browser for 365 days.",
    items: [{
      label: "The public page",
      text: "If you see only the public page, which shows who issued the document, we store " +
        "nothing. The number of documents opened from your network address is kept in memory for " +
        "a minute.",
    }],
  },
  check: {
    heading: "When you verify a record or check a document",
    summary:
      "The file stays in your browser, which sends only its hash. If it matches, or you check the " +
      "key of a record, the holder sees the time, your network and your browser, for 365 days.",
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
    heading: "When you ask for access to a document",
    summary:
      "Your name, address and reason, which the holder and administrators see once you confirm the " +
      "address, until 90 days after the request was refused or expired, or the access ended.",
    items: [],
  },
  codes: {
    heading: "When we send you a code",
    summary:
      "Your number, encrypted, with a hash of the code, for 10 minutes. A confirmed number stays " +
      "with your record as a hash.",
    items: [],
    if: ({ codes }) => codes.provider !== undefined,
  },
  agents: {
    heading: "When you connect an app",
    summary:
      "The app’s name, what it may do and when it was used, until you disconnect it or no longer use it.",
    items: [],
  },
  payments: {
    heading: "When you pay",
    summary:
      "What the payment provider reports (such as amount, date, name, address), for 7 years. We " +
      "never receive card numbers. If you delete the record, your name and address go with it.",
    items: [],
  },
  consoles: {
    heading: "When you work in our consoles",
    summary:
      "For administrators and board members: your address, sessions and passkeys until you leave; " +
      "your changes for a year.",
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
    .map(([section, { heading, summary, items }]) => {
      const left = texts.filter((text) => text.section === section);
      const first = items.flatMap((item) => {
        if (typeof item !== "string") return item;
        const at = left.findIndex(({ label }) => label === item);
        if (at === -1) throw new Error(`No table has the text "${item}" of the privacy page.`);
        return left.splice(at, 1);
      });
      return { heading, summary, items: [...first, ...left] };
    });
}
