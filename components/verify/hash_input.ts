const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/;

/**
 * The record's hash in what somebody pasted: with capitals, with its label, within a whole address;
 * or with blanks between its digits.
 *
 * @returns undefined where there is none
 */
export function hashIn(text: string): string | undefined {
  const plain = text.slice(0, 500).toLowerCase();
  const [hash] = HASH.exec(plain) ?? HASH.exec(plain.replace(/\s+/g, "")) ?? [];
  return hash;
}
