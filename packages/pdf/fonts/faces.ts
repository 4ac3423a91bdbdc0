/** Properties that the tables of a font do not have, or that are needed before the font is opened. */
export interface Face {
  /** The approximate width of vertical strokes, in thousandths of the size. */
  stem: number;
  /** Characters of the script that it is for; undefined for Latin, Greek and Cyrillic. */
  script?: RegExp;
}

const HAN = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\uff00-\uffef·]/u;

/** The fonts in this folder, which `tools/wide_fonts.ts` makes. */
export const FACES = {
  "Geist-Regular": { stem: 96 },
  "Geist-Semibold": { stem: 151 },
  "GeistMono-Regular": { stem: 96 },
  "Newsreader-Display": { stem: 106 },
  // It has more letters than the others, and a place for more accents on each.
  "Letters-Regular": { stem: 84 },
  "Mono-Regular": { stem: 96 },
  "Sans-Regular": { stem: 96 },
  "Sans-Semibold": { stem: 146 },
  "Serif-Display": { stem: 84 },
  "Serif-Regular": { stem: 84 },
  Arabic: { stem: 80, script: /\p{scx=Arab}/u },
  Armenian: { stem: 80, script: /\p{scx=Armn}/u },
  Bengali: { stem: 80, script: /\p{scx=Beng}/u },
  Devanagari: { stem: 80, script: /\p{scx=Deva}/u },
  Ethiopic: { stem: 80, script: /\p{scx=Ethi}/u },
  Georgian: { stem: 80, script: /\p{scx=Geor}/u },
  Gujarati: { stem: 80, script: /\p{scx=Gujr}/u },
  Gurmukhi: { stem: 80, script: /\p{scx=Guru}/u },
  "Han-Japanese": { stem: 80, script: HAN },
  "Han-Simplified": { stem: 80, script: HAN },
  "Han-Traditional": { stem: 80, script: HAN },
  Hangul: { stem: 80, script: /\p{scx=Hang}/u },
  Hebrew: { stem: 80, script: /\p{scx=Hebr}/u },
  Kannada: { stem: 80, script: /\p{scx=Knda}/u },
  Khmer: { stem: 80, script: /\p{scx=Khmr}/u },
  Lao: { stem: 80, script: /\p{scx=Laoo}/u },
  Malayalam: { stem: 80, script: /\p{scx=Mlym}/u },
  Myanmar: { stem: 80, script: /\p{scx=Mymr}/u },
  Oriya: { stem: 80, script: /\p{scx=Orya}/u },
  Sinhala: { stem: 80, script: /\p{scx=Sinh}/u },
  Tamil: { stem: 80, script: /\p{scx=Taml}/u },
  Telugu: { stem: 80, script: /\p{scx=Telu}/u },
  Thai: { stem: 80, script: /\p{scx=Thai}/u },
} as const satisfies Record<string, Face>;

export type WideFile = keyof typeof FACES;
