/**
 * Reading chains from where they are not trusted: a server's pages, a publisher's keys, a saved
 * file. For browser and server alike; what was read is then for `verifyChain` to judge.
 *
 * @module
 */
export { fetchChain, type FetchedChain, type FetchOptions, MAX_EVENTS } from "./fetch_chain.ts";
export { fetchKeys, KEYS_PATH, keysOf, keysUrl } from "./fetch_keys.ts";
export {
  ChainReadError,
  type ReadFault,
  readJson,
  type ReadOptions,
  readText,
} from "./read_json.ts";
export { formatSavedChain, type ParsedChain, parseSavedChain, type SavedChain } from "./saved.ts";
export { verifierSupport } from "./support.ts";
