/**
 * Answers what readers ask, by their own trust: is a record, a document or a statement in the public log, and
 * what follows from it. `public.ts` is the part of the package that is published for others.
 *
 * @module
 */
export { documentInLog, type ReportedDocument } from "./document_log.ts";
export { chainStatements, documentStatement } from "./statements.ts";
export {
  checkLog,
  type Countersignature,
  LOG_DELAY_MS,
  type LogFault,
  type LogFinding,
  type LogQuestion,
  type ReaderTrust,
  type Statement,
  suggestedKeys,
} from "./check_log.ts";
export { type Contradiction, findContradiction, isProof } from "./compare.ts";
export { type RecordAddresses, watchNewRecord } from "./new_record.ts";
export { type LogReader, logUrl, readLogAt } from "./log_reader.ts";
export { createMemory, type LogMemory, type RememberedLog, storageMemory } from "./memory.ts";
export { openingFault } from "./opening.ts";
export { checkPublisherLog, isContradicted, isOtherKey, type LogAccess } from "./publisher_log.ts";
export { type LogSentence, logSentence, type LogTone } from "./sentence.ts";
export { type DocumentQuestion, type DocumentResult, verifyDocument } from "./verify_document.ts";
export { type RecordQuestion, type RecordResult, verifyRecord } from "./verify_record.ts";
