import { publicJson } from "../../lib/platform/http/public_json.ts";
import { VECTORS } from "../../lib/features/standard/mod.ts";
import { define, type State } from "../../lib/app/state.ts";

/** Returns the standard's test vectors to any origin. */
export const handler = define.handlers(publicJson<State>(() => VECTORS));
