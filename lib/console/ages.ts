const MINUTE = 60_000;
const STEPS = [["day", 24 * 60 * MINUTE], ["hour", 60 * MINUTE], ["minute", MINUTE]] as const;

/**
 * How long ago something was, in whole minutes, hours or days: `just now`, `1 minute ago`,
 * `3 hours ago`.
 *
 * @param age in milliseconds; what lies ahead, as clocks that differ make it, is just now
 */
export function ageText(age: number): string {
  for (const [unit, length] of STEPS) {
    const count = Math.floor(age / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
