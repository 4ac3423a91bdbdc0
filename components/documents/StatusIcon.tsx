import type { DocumentStatus } from "../../lib/features/documents/access/permission.ts";

/** The sign that is drawn on the sheet of paper. */
const SIGNS: Record<DocumentStatus, string> = {
  current: "M29 41h22M29 50h22M29 59h13",
  replaced:
    "M30 46a10.500 10.500 0 0 1 19-4M50 33v10H40M50 52a10.500 10.500 0 0 1-19 4M30 65V55h10",
  withdrawn: "M31 40 49 58M49 40 31 58",
  test: "M32 41h16M40 41v20",
  expired: "M40 37v13l9 5M40 34.500a14.500 14.500 0 1 0 .01 0",
};

/** A sheet of paper with an icon for its state. It has no seal, because nothing was compared. */
export const StatusIcon = ({ status }: { status: DocumentStatus }) => (
  <svg
    class={`status-icon ${status}`}
    viewBox="0 0 80 80"
    width="80"
    height="80"
    aria-hidden="true"
  >
    <path class="status-sheet" d="M17 5h32l14 14v56H17z" />
    <path d="M49 5v14h14" />
    <path class="status-sign" d={SIGNS[status]} />
  </svg>
);
