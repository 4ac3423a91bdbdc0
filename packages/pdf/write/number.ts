/** Returns a number as PDF syntax allows it: without an exponent. */
export const num = (value: number): string =>
  String(+value.toFixed(6) || 0).includes("e") ? "0" : String(+value.toFixed(6) || 0);
