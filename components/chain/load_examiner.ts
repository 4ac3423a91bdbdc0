/** Loads what verifies chains and the log. It is large, so pages load it only when they verify something. */
export const loadExaminer = () => import("./examine.ts");

export type Examiner = Awaited<ReturnType<typeof loadExaminer>>;
