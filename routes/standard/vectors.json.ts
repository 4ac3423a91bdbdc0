import { publicJson } from "../../lib/http/public_json.ts";
import { VECTORS } from "../../lib/standard/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Returns the standard's test vectors to any origin. */
export const handler = define.handlers(publicJson<State>(() => VECTORS));
