import { holderPages } from "../../lib/app/middlewares/holder_pages.ts";
import { define } from "../../lib/app/state.ts";

export const handler = define.middleware(holderPages());
