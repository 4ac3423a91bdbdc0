/** The positions of boxes and lines in the diagram of the infrastructure page. */
import type { InfraMap, InfraNode, NodeGroup } from "./map.ts";

/** A node with its place in the diagram. */
export interface Box {
  node: InfraNode;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The name, cut so that it fits into the box. */
  label: string;
}

interface Diagram {
  width: number;
  height: number;
  boxes: Box[];
  /** Lines between boxes, as the data of SVG paths. */
  lines: { to: InfraNode; path: string }[];
}

const WIDTH = 226;
const HEIGHT = 46;
const GAP = 12;
const MARGIN = 2;
/** Space between the columns. */
const CHANNEL = 64;
/** Space above the relays. */
const SECTION_GAP = 28;
/** The number of letters `e` that fit into a box beside its mark, in 13 px of a wide typeface. */
const LABEL_UNITS = 22;

const COLUMNS: Record<NodeGroup, number> = {
  surfaces: 0,
  relays: 0,
  process: 1,
  services: 2,
  origins: 2,
};

/**
 * Places the nodes of a map in three columns: surfaces, the process, and the services that it uses.
 * Each relay is below them, in one row with its origin, so that no lines cross.
 */
export function layOut({ nodes, edges }: InfraMap): Diagram {
  const of = (group: NodeGroup) => nodes.filter((node) => node.group === group);
  const rows = Math.max(of("surfaces").length, of("services").length, 1);
  const top = heightOf(rows);
  const column = (group: NodeGroup, from: number) =>
    of(group).map((node, i) => boxOf(node, from + i * (HEIGHT + GAP)));
  const centred = (group: NodeGroup) =>
    column(group, MARGIN + (top - heightOf(of(group).length)) / 2);
  const below = MARGIN + top + SECTION_GAP;
  const boxes = [
    ...centred("surfaces"),
    ...centred("process"),
    ...centred("services"),
    ...column("relays", below),
    ...column("origins", below),
  ];
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const lines = edges.flatMap(({ from, to }) => {
    const [start, end] = [byId.get(from), byId.get(to)];
    return start && end ? [{ to: end.node, path: lineBetween(start, end) }] : [];
  });
  const relays = of("relays").length;
  return {
    width: 3 * WIDTH + 2 * CHANNEL + 2 * MARGIN,
    height: top + (relays === 0 ? 0 : SECTION_GAP + heightOf(relays)) + 2 * MARGIN,
    boxes,
    lines,
  };
}

const heightOf = (rows: number) => Math.max(0, rows * (HEIGHT + GAP) - GAP);

const boxOf = (node: InfraNode, y: number): Box => ({
  node,
  x: MARGIN + COLUMNS[node.group] * (WIDTH + CHANNEL),
  y,
  width: WIDTH,
  height: HEIGHT,
  label: shorten(node.name, LABEL_UNITS),
});

/** Draws a curve from the right side of a box to the left side of another. */
function lineBetween(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

const LETTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The widths of letters, compared with the letter `e`. Others are as wide as Chinese characters. */
const WIDTHS: [letter: RegExp, width: number][] = [
  [/^[ !'(),./:;fijlrtI|-]/, 0.6],
  [/^[MWmw@%]/, 1.6],
  [/^[A-ZÀ-ÞĀ-ž]/, 1.1],
  [/^[\u0020-\u04ff]/, 1],
];
const widthOf = (letter: string) => WIDTHS.find(([pattern]) => pattern.test(letter))?.[1] ?? 2;

/** Cuts a text that is wider than a number of letters `e`. */
export function shorten(text: string, units: number): string {
  const letters = [...LETTERS.segment(text)].map(({ segment }) => segment);
  const widths = letters.map(widthOf);
  if (widths.reduce((sum, width) => sum + width, 0) <= units) return text;
  let used = 1; // the ellipsis
  const end = widths.findIndex((width) => (used += width) > units);
  return letters.slice(0, end).join("").trimEnd() + "…";
}
