import { serveThread } from "../../../platform/thread.ts";
import { createMaker } from "./make.ts";

// Not awaited here: a thread without a listener would end.
const maker = createMaker();
serveThread(async (input: Parameters<Awaited<typeof maker>>[0]) => await (await maker)(input));
