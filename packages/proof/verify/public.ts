/**
 * The code that is published for others, as one file with the types of `verifier.d.ts` (`release/mod.ts`). It is a
 * part of `mod.ts`: what verifies records, documents and the log, without what only our pages and commands
 * need.
 *
 * @module
 */
export { verifyRecord } from "./verify_record.ts";
export { watchNewRecord } from "./new_record.ts";
export { verifyDocument } from "./verify_document.ts";
export { createMemory, storageMemory } from "./memory.ts";
export { EMPTY_POLICY, parsePolicy, PolicyError } from "../log/mod.ts";
export { ChainReadError, verifierSupport } from "../chain/mod.ts";

export { fetchChain, fetchKeys, parseSavedChain, recordHash, verifyChain } from "../chain/mod.ts";

export { checkLog } from "./check_log.ts";
export { isContradicted } from "./publisher_log.ts";
export { logSentence } from "./sentence.ts";
export { logUrl, readLogAt } from "./log_reader.ts";
export { chainStatements, documentStatement } from "./statements.ts";
export { isProof } from "./compare.ts";
export { documentEntry, eventEntry, verifyCheckpoint, verifyProof } from "../log/mod.ts";
export { VERSION } from "./version.ts";
