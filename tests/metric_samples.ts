/** Returns the values in the text format of Prometheus by name and labels, as they are written. */
export const samplesOf = (text: string): Map<string, number> =>
  new Map(
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
