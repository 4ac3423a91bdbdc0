/**
 * Writes the operators of what a page shows.
 *
 * @module
 */
import { num } from "./number.ts";
import type { Box, Matrix } from "./geometry.ts";
import { OUR_LANGUAGE, type Tag } from "./tags.ts";
import type { FontSet } from "../fonts/font_set.ts";
import type { Direct } from "../fonts/fonts.ts";

/** From 0, black, to 1, white. */
type Gray = number;

/** The style of a text. `size` is in points. */
export interface TextStyle<Name extends string> extends Direct {
  font: Name;
  size: number;
  gray?: Gray;
}

/** Collects the operators of a page's content. Lengths are in points. */
export class Drawing<Name extends string> {
  readonly fonts: FontSet<Name>;
  /** The parts for screen readers, in the order of their ids. */
  readonly tags: Tag[] = [];
  readonly #firstId: number | undefined;
  readonly #operators: string[] = [];

  /**
   * @param firstId the id of the first tag; undefined if the document has no structure tree
   * @param suffix the end of the names that the content uses besides those of fonts
   */
  constructor(fonts: FontSet<Name>, firstId: number | undefined, suffix = "") {
    this.fonts = fonts;
    this.#firstId = firstId;
    this.faintName = `Faint${suffix}`;
  }

  widthOf(text: string, style: TextStyle<Name>): number {
    return this.fonts.widthOf(style.font, text, style.size, style);
  }

  text(text: string, x: number, y: number, style: TextStyle<Name>): void {
    const { font, size, gray = 0 } = style;
    const shown = this.fonts.show(font, text, size, style);
    this.add(`BT ${num(gray)} g ${num(x)} ${num(y)} Td ${shown} ET`);
  }

  rule(x: number, y: number, width: number, gray: Gray = 0.55): void {
    this.add(`q ${num(gray)} G 0.5 w ${num(x)} ${num(y)} m ${num(x + width)} ${num(y)} l S Q`);
  }

  box(x: number, y: number, width: number, height: number): void {
    this.add(`q 0.55 G 0.5 w ${[x, y, width, height].map(num).join(" ")} re S Q`);
  }

  /** Draws something in the coordinates that `matrix` sets up. */
  within(matrix: Matrix, draw: () => void): void {
    this.add(`q ${cm(matrix)}`);
    draw();
    this.add("Q");
  }

  /** True if something is translucent. The graphics state of the page with this name then says how much. */
  hasFaint = false;
  readonly faintName: string;

  /** Draws something translucent, through which one can read. */
  faint(draw: () => void): void {
    this.hasFaint = true;
    this.add(`q /${this.faintName} gs`);
    draw();
    this.add("Q");
  }

  /** Draws a part of a layer, which the resources of the page name. */
  layer(name: string, draw: () => void): void {
    this.add(`/OC /${name} BDC`);
    draw();
    this.add("EMC");
  }

  /** Shows nothing outside a box of what is drawn until {@link Drawing.within} ends. */
  clip({ left, bottom, width, height }: Box): void {
    this.add(`${[left, bottom, width, height].map(num).join(" ")} re W n`);
  }

  /** Draws a part of the page for screen readers. */
  tagged(tag: Tag, draw: () => void): void {
    const index = this.tags.push(tag) - 1;
    // Without a structure tree, the language has no other place.
    const properties = this.#firstId === undefined
      ? `/Lang (${OUR_LANGUAGE})`
      : `/MCID ${this.#firstId + index}`;
    this.add(`/${tag.type} <<${properties}>> BDC`);
    draw();
    this.add("EMC");
  }

  /** Draws decoration, or a header or footer, which screen readers skip. */
  artifact(draw: () => void, properties = ""): void {
    this.add(`/Artifact <<${properties}>> BDC`);
    draw();
    this.add("EMC");
  }

  add(operators: string): void {
    this.#operators.push(operators);
  }

  toString(): string {
    return this.#operators.join("\n");
  }
}

/** Returns the operator that applies a matrix. */
const cm = (matrix: Matrix): string => `${matrix.map(num).join(" ")} cm`;
