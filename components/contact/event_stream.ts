/** A reader of server-sent events for the live feed, in place of `EventSource`. */

interface StreamMessage {
  event: string;
  data: unknown;
}

/** The largest message; an event has about 300 characters. */
const MAX_LENGTH = 65_536;

/**
 * Reads the messages of an event stream whose data is JSON (HTML standard, "Server-sent events").
 * An `EventSource` would deliver neither unknown kinds of events nor the status of an error.
 *
 * @param onBytes called whenever something arrives, also for comments
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamMessage> {
  // Some browsers cannot iterate over a stream with `for await`.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let part; !(part = await reader.read()).done;) {
      onBytes();
      // A carriage return at the end may be the first half of a line break.
      text = (text + decoder.decode(part.value, { stream: true })).replace(/\r\n|\r(?!$)/g, "\n");
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      if (text.length > MAX_LENGTH) throw new Error("A message is too long.");
      for (const block of blocks) {
        const valueOf = (field: string) =>
          block.split("\n").filter((line) => line.startsWith(`${field}:`))
            .map((line) => line.slice(field.length + 1).replace(/^ /, "")).join("\n");
        const data = valueOf("data");
        if (data !== "") yield { event: valueOf("event"), data: JSON.parse(data) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
