import { chainEvents, heads } from "./store/page.ts";
import { generatedKeys, publishedKeys, withdrawnKeys } from "./store/signing_key.ts";

export const chainTables = [heads, chainEvents, publishedKeys, withdrawnKeys, generatedKeys];
