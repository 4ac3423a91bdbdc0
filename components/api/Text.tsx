import { mixedText } from "../mixed_text.ts";

/** Text with code in backticks. */
export const Text = ({ text }: { text: string }) =>
  mixedText(
    text.split("`").map((part, i) => i % 2 === 1 ? <code key={i}>{part}</code> : part),
  );
