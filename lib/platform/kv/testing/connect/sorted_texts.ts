/** Small enough to insert fast, and large enough that a million texts have few blocks. */
const MAX_BLOCK = 512;

/**
 * A sorted set of texts. It consists of sorted blocks, because inserting into one array of a million texts
 * would move half of them each time.
 */
export class SortedTexts {
  /** In order. None is empty, except if the set is. */
  readonly #blocks: string[][] = [[]];

  /** Adds a text that the set does not have. */
  add(text: string): void {
    const at = this.#blockOf(text);
    const block = this.#blocks[at];
    block.splice(indexOf(block, text), 0, text);
    if (block.length > MAX_BLOCK) this.#blocks.splice(at + 1, 0, block.splice(MAX_BLOCK / 2));
  }

  /** Removes a text that the set has. */
  delete(text: string): void {
    const at = this.#blockOf(text);
    const block = this.#blocks[at];
    block.splice(indexOf(block, text), 1);
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(at, 1);
  }

  /** Yields the texts from `start` to before `end`. */
  *between(start: string, end: string): Generator<string> {
    const blocks = this.#blocks;
    for (let at = this.#blockOf(start), first = true; at < blocks.length; at++, first = false) {
      const block = blocks[at];
      for (let i = first ? indexOf(block, start) : 0; i < block.length; i++) {
        if (block[i] >= end) return;
        yield block[i];
      }
    }
  }

  /** Yields the texts from before `end` down to `start`. */
  *reversed(start: string, end: string): Generator<string> {
    const blocks = this.#blocks;
    for (let at = this.#blockOf(end), first = true; at >= 0; at--, first = false) {
      const block = blocks[at];
      for (let i = (first ? indexOf(block, end) : block.length) - 1; i >= 0; i--) {
        if (block[i] < start) return;
        yield block[i];
      }
    }
  }

  /** Returns the block that has a text, or to which it would be added. */
  #blockOf(text: string): number {
    const blocks = this.#blocks;
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (blocks[middle][0] <= text) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the place of a text in sorted ones, or where it would be inserted. */
function indexOf(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
