/** The order in which transactions of one process that count in the same row (`countIn`) take turns. */
import { Scope } from "./scope.ts";

/** Those who count in a row at the moment: one transaction, and the ones that wait for it. */
interface Line {
  at: Turn;
  waiting: { turn: Turn; go: () => void }[];
}

/** The rows of a store in which transactions of this process count at the moment. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /** Lets a transaction count in a row, unless another one does. Returns whether it may. */
  take(row: string, turn: Turn): boolean {
    if (this.#lines.has(row)) return false;
    this.#lines.set(row, { at: turn, waiting: [] });
    return true;
  }

  /** Resolves when a transaction may count in a row. */
  async enter(row: string, turn: Turn): Promise<void> {
    if (this.take(row, turn)) return;
    await new Promise<void>((go) => this.#lines.get(row)!.waiting.push({ turn, go }));
  }

  /** Lets the next transaction count in a row. */
  leave(row: string, turn: Turn): void {
    const line = this.#lines.get(row);
    if (line?.at !== turn) return;
    const next = line.waiting.shift();
    if (next === undefined) this.#lines.delete(row);
    else {
      line.at = next.turn;
      next.go();
    }
  }

  /** Lets all transactions that wait for a row go on, because waiting saves no work. */
  open(row: string, turn: Turn): void {
    const line = this.#lines.get(row);
    if (line?.at !== turn) return;
    this.#lines.delete(row);
    for (const { go } of line.waiting) go();
  }

  /** Returns how many transactions count in a row, or wait to do so. */
  lengthOf(row: string): number {
    const line = this.#lines.get(row);
    return line === undefined ? 0 : 1 + line.waiting.length;
  }
}

/** Ends an attempt of a transaction that must wait for another transaction. It then begins again. */
export class MustWait extends Error {
  override name = "MustWait";
}

/** The rows in which a transaction counts, over all of its attempts. */
export class Turn {
  /** The rows, sorted when they are entered, so that no two transactions wait for each other. */
  readonly #rows = new Map<string, Turns>();
  /** The rows that the current attempt need not wait for. */
  readonly #entered = new Set<string>();

  /** Waits for the rows that earlier attempts have counted in. */
  async begin(): Promise<void> {
    for (const [row, turns] of [...this.#rows].sort(([a], [b]) => a < b ? -1 : 1)) {
      this.#entered.add(row);
      await turns.enter(row, this);
    }
  }

  /** @throws {MustWait} if another transaction counts in the row */
  count(turns: Turns, row: string): void {
    if (this.#entered.has(row)) return;
    this.#rows.set(row, turns);
    if (!turns.take(row, this)) throw new MustWait();
    this.#entered.add(row);
  }

  has = (row: string): boolean => this.#rows.has(row);

  /** Lets others count in the rows of the attempt. */
  end(): void {
    for (const row of this.#entered) this.#rows.get(row)!.leave(row, this);
    this.#entered.clear();
  }

  /** Lets all others that wait for rows of the attempt go on. */
  open(rows: Iterable<string> = this.#entered): void {
    for (const row of rows) this.#rows.get(row)?.open(row, this);
  }
}

/** An attempt of a transaction that can count in rows. */
export class CountingScope extends Scope {
  constructor(readonly turn: Turn) {
    super();
  }
}
