import { type InboxDeps, type InboxFrame, inboxFrame } from "./inboxes.ts";
import { readTour, type TourStep } from "./tour.ts";

/** Everything on the start page that is read from the store and the stand-ins. */
export interface WorkbenchView extends InboxFrame {
  tour: TourStep[];
}

export async function readWorkbench(deps: InboxDeps): Promise<WorkbenchView> {
  const [frame, tour] = await Promise.all([inboxFrame("tour", deps), readTour(deps)]);
  return { ...frame, tour };
}
