/** The pace of the sequence after an enquiry, and how much of a text is typed at a time. */
import { CONFIG } from "../../lib/features/contact/config.ts";

/** How long the parts of the sequence take, in milliseconds. */
export interface Pace {
  /** The hold before the fade. */
  standby: number;
  fade: number;
  /** For each character that is typed. */
  char: number;
  /** After each line. */
  step: number;
}

export const FULL_PACE: Pace = {
  standby: CONFIG.STANDBY_HOLD,
  fade: CONFIG.FADE_TO_BLACK,
  char: CONFIG.CHAR_SPEED,
  step: CONFIG.STEP_DELAY,
};

/** For users who prefer reduced motion: the same states, without the fade or the typing. */
export const REDUCED_PACE: Pace = { standby: CONFIG.STANDBY_HOLD, fade: 0, char: 0, step: 0 };

/** Returns how long it takes to type lines, with a step after each. */
export function duration(lengths: readonly number[], { char, step }: Pace): number {
  return lengths.reduce((total, length) => total + length * char + step, 0);
}

/** Returns the line that is being typed, and how many of its characters are typed. */
export function progress(
  lengths: readonly number[],
  elapsed: number,
  { char, step }: Pace,
): { line: number; chars: number } {
  let start = 0;
  for (const [line, length] of lengths.entries()) {
    const end = start + length * char + step;
    if (elapsed < end) {
      const chars = char === 0 ? length : Math.floor((elapsed - start) / char);
      return { line, chars: Math.min(length, chars) };
    }
    start = end;
  }
  return { line: lengths.length, chars: 0 };
}
