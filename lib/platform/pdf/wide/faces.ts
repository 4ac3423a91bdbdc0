import { WideFace } from "./face.ts";

/** The fonts in this folder, which `tools/wide_fonts.ts` makes. */
export type WideFile =
  | "Geist-Regular"
  | "Geist-Semibold"
  | "GeistMono-Regular"
  | "Newsreader-Display"
  | "SourceCode-Regular"
  | "SourceSans-Regular"
  | "SourceSans-Semibold"
  | "SourceSerif-Display"
  | "SourceSerif-Regular";

/** Reads what is known of a font. A face is kept, because this takes longer than measuring many texts. */
export const openFace = (file: WideFile): WideFace =>
  new WideFace(JSON.parse(Deno.readTextFileSync(new URL(`./${file}.json`, import.meta.url))));
