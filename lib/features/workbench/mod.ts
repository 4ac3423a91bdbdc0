/**
 * The development start page: a tour that follows what was really done, the surfaces in groups, and
 * the inboxes of the stand-ins.
 *
 * @module
 */
export { groupSurfaces, PURPOSES } from "./groups.ts";
export {
  type InboxCounts,
  type InboxFrame,
  inboxFrame,
  LIVE,
  type Live,
  MOST_DELIVERIES,
  readWorkbench,
  searchMails,
  versionOf,
  type WorkbenchView,
} from "./inboxes.ts";
export { readTour, type TourStep } from "./tour.ts";
