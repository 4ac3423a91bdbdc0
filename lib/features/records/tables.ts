import { accessLog } from "./access_log/access_log.ts";
import { corrections, correctionTimes } from "./correction/work.ts";
import { deletions } from "./deletion/erase.ts";
import { keyTimes, recordKeys } from "./keys/keys.ts";
import { linkCodes } from "./sign_in/link_codes.ts";
import { mailboxLinks } from "./sign_in/link_requests.ts";
import { storedLinks } from "./sign_in/mailed_link.ts";
import { readingTables } from "./readers/reader_events.ts";
import { recoveryTables } from "./recovery/table.ts";
import { holderSessions } from "./sessions/table.ts";
import { signOuts } from "./sessions/sign_outs.ts";
import { recordRows } from "./record/store.ts";
import { undoLinks } from "./notices/undo_links.ts";

export const recordTables = [
  recordRows,
  recordKeys,
  keyTimes,
  correctionTimes,
  storedLinks,
  linkCodes,
  mailboxLinks,
  holderSessions,
  signOuts,
  accessLog,
  ...readingTables,
  undoLinks,
  ...recoveryTables,
  corrections,
  deletions,
];
