import { consoleAccess } from "../../../lib/middlewares/console_access.tsx";
import { define } from "../../../lib/state.ts";

export const handler = define.middleware(consoleAccess({ formPage: "/console/finance" }));
