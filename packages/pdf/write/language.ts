/** Scripts that mostly one language uses, and others, whose language a text does not say. */
const LANGUAGES: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{sc=Hang}/u, "ko"],
  [/[\p{sc=Hira}\p{sc=Kana}]/u, "ja"],
  [/\p{sc=Hani}/u, "zh"],
  [/\p{sc=Grek}/u, "el"],
  [/\p{sc=Hebr}/u, "he"],
  [/\p{sc=Guru}/u, "pa"],
  [/\p{sc=Gujr}/u, "gu"],
  [/\p{sc=Taml}/u, "ta"],
  [/\p{sc=Telu}/u, "te"],
  [/\p{sc=Knda}/u, "kn"],
  [/\p{sc=Mlym}/u, "ml"],
  [/\p{sc=Orya}/u, "or"],
  [/\p{sc=Sinh}/u, "si"],
  [/\p{sc=Thai}/u, "th"],
  [/\p{sc=Laoo}/u, "lo"],
  [/\p{sc=Khmr}/u, "km"],
  [/\p{sc=Mymr}/u, "my"],
  [/\p{sc=Geor}/u, "ka"],
  [/\p{sc=Armn}/u, "hy"],
  [/\p{sc=Ethi}/u, "und-Ethi"],
  [/\p{sc=Cyrl}/u, "und-Cyrl"],
  [/\p{sc=Arab}/u, "und-Arab"],
  [/\p{sc=Deva}/u, "und-Deva"],
  [/\p{sc=Beng}/u, "und-Beng"],
];

/** The languages of Han characters in the countries of these domains. */
const HAN: Readonly<Record<string, string>> = {
  jp: "ja",
  kr: "ko",
  tw: "zh-Hant",
  hk: "zh-Hant",
  mo: "zh-Hant",
};

/** Latin letters, accents and punctuation, of which most texts consist. */
const LATIN = /^[\0-\u036f\u1e00-\u1eff\u2000-\u206f]*$/;

/**
 * Returns the language of a text whose script says it, as far as it does; undefined for one in Latin letters.
 *
 * @param domain the domain of who wrote it, whose country decides between the languages that write Han
 */
export function languageOf(text: string, domain = ""): string | undefined {
  if (LATIN.test(text)) return undefined;
  const found = LANGUAGES.find(([script]) => script.test(text))?.[1];
  return found === "zh" ? HAN[domain.slice(domain.lastIndexOf(".") + 1)] ?? "zh-Hans" : found;
}
