import { publicJson } from "../../../../../lib/platform/http/public_json.ts";
import { METADATA, pushMetadataOfState } from "../../../../../lib/features/oauth/mod.ts";
import { define, type State } from "../../../../../lib/app/state.ts";

/** Describes where apps register phones for notifications (RFC 9728, section 3.1). */
export const handler = define.handlers(publicJson<State>(pushMetadataOfState, METADATA));
