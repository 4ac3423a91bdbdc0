/**
 * The record's hash in what somebody pasted: with blanks or capitals, or within a whole address.
 *
 * @returns undefined where there is none
 */
export function hashIn(text: string): string | undefined {
  const plain = text.slice(0, 500).replace(/\s+/g, "").toLowerCase();
  return /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(plain)?.[0];
}
