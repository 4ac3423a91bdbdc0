import { publicJson } from "../../../../../lib/http/public_json.ts";
import { METADATA, pushMetadataOfState } from "../../../../../lib/oauth/mod.ts";
import { define, type State } from "../../../../../lib/state.ts";

/** Describes where apps register phones for notifications (RFC 9728, section 3.1). */
export const handler = define.handlers(publicJson<State>(pushMetadataOfState, METADATA));
