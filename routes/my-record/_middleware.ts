import { holderPages } from "../../lib/middlewares/holder_pages.ts";
import { define } from "../../lib/state.ts";

export const handler = define.middleware(holderPages());
