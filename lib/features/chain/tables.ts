import { chainEvents, heads } from "./page.ts";
import { generatedKeys, publishedKeys, withdrawnKeys } from "./signing_key.ts";

export const chainTables = [heads, chainEvents, publishedKeys, withdrawnKeys, generatedKeys];
