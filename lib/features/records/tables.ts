import { accessLog } from "./access_log/access_log.ts";
import { corrections } from "./correction/work.ts";
import { deletions } from "./deletion/erase.ts";
import { recordKeys } from "./keys/keys.ts";
import { correctionTimes, keyTimes, mailboxLinks } from "./limits.ts";
import { linkCodes } from "./sign_in/link_codes.ts";
import { storedLinks } from "./sign_in/mailed_link.ts";
import { readingTables } from "./readers/reader_events.ts";
import { recoveryTables } from "./recovery/recovery.ts";
import { holderSessions } from "./sessions/sessions.ts";
import { signOuts } from "./sessions/sign_outs.ts";
import { recordRows } from "./record/store.ts";
import { undoLinks } from "./notices/undo.ts";

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
