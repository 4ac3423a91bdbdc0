/**
 * Masks account and routing numbers that people typed into names and notes: the known numbers, and
 * any run of nine or more digits. The last four digits are kept.
 */
export function maskNumbers(text: string, ...known: string[]): string {
  const mask = (digits: string) => `••${digits.slice(-4)}`;
  const masked = known.reduce<string>(
    (rest, number) => number.length > 4 ? rest.replaceAll(number, mask(number)) : rest,
    text,
  );
  return masked.replace(/\d{9,}/g, mask);
}
