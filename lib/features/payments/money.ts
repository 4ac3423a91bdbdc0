/** Currencies whose smallest unit is the main unit, as payment providers count them. */
const WHOLE = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const THOUSANDTHS = new Set("BHD JOD KWD OMR TND".split(" "));

/** Returns the number of decimals in which amounts of a currency are counted. */
export function decimalsOf(currency: string): number {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

export const toMajor = (minor: number, currency: string): number =>
  minor / 10 ** decimalsOf(currency);

/** Returns an amount without its currency, for programs: `1234.50`. */
export const decimalText = (minor: number, currency: string): string =>
  toMajor(minor, currency).toFixed(decimalsOf(currency));

/** The formatters by currency. Each takes a hundred times as long to create as an amount to format. */
const formatters = new Map<string, Intl.NumberFormat>();

/** Formats an amount of minor units: `$1,234.50`, or `CHF 12.00` where there is no symbol. */
export function formatMoney(minor: number, currency: string): string {
  let formatter = formatters.get(currency);
  if (formatter === undefined) {
    const digits = decimalsOf(currency);
    formatter = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(currency, formatter); // only codes of three letters get here
  }
  return formatter.format(toMajor(minor, currency));
}
