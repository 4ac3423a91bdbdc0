import { accessLog } from "./access_log.ts";
import { corrections } from "./correction_work.ts";
import { deletions } from "./erase.ts";
import { recordKeys } from "./keys.ts";
import { correctionTimes, keyTimes, mailboxLinks } from "./limits.ts";
import { linkCodes } from "./link_codes.ts";
import { storedLinks } from "./mailed_link.ts";
import { readingTables } from "./reader_events.ts";
import { recoveryTables } from "./recovery.ts";
import { holderSessions } from "./sessions.ts";
import { signOuts } from "./sign_outs.ts";
import { recordRows } from "./store.ts";
import { undoLinks } from "./undo.ts";

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
