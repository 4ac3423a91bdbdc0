import { consoleAccess } from "../../../lib/app/middlewares/console_access.tsx";
import { define } from "../../../lib/app/state.ts";

export const handler = define.middleware(consoleAccess({ formPage: "/console/finance" }));
