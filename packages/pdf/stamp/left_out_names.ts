/** The parts that an issued copy leaves out on purpose, in the order in which they are named. */
const LEFT_OUT = {
  attachments: "attached files",
  scripts: "scripts and other actions",
  links: "links to files, and links that are actions",
  media: "sound, video and 3D",
  fields: "form fields, whose values stay as text",
  comments: "the pop-ups of comments",
  metadata: "metadata",
} as const;

export type LeftOut = keyof typeof LEFT_OUT;

/** In the order in which they are named. */
export const LEFT_OUT_NAMES = Object.keys(LEFT_OUT) as [LeftOut, ...LeftOut[]];

/** Parts so common, and so rarely looked at, that nobody is asked whether they may be left out. */
const UNASKED = new Set<LeftOut>(["metadata"]);

/** Returns what an administrator is asked; undefined if nothing worth a question is left out. */
export const leftOutQuestion = (leftOut: readonly LeftOut[]): string | undefined =>
  leftOut.every((name) => UNASKED.has(name))
    ? undefined
    : `The issued copy will not contain: ${describeLeftOut(leftOut)}.`;

/** Returns what is left out, in one line. */
export const describeLeftOut = (leftOut: readonly LeftOut[]): string =>
  leftOut.map((name) => LEFT_OUT[name]).join("; ");
