/** The messages that the library's two halves receive. */
type Listener = (event: { data: unknown }) => void;

/** A message from one half of the library to the other. */
interface Message {
  chunk?: unknown;
  action?: unknown;
  data?: unknown;
}

/** The kinds of objects that only drawing needs, and nothing is drawn. */
const FOR_DRAWING = new Set<unknown>(["Font", "FontPath"]);

/**
 * A port whose messages arrive at all who listen to it, apart from fonts. Both halves of the library are in this
 * thread, where copying each message, as the library does by itself, would take a quarter of the time.
 */
export class Port {
  readonly #listeners = new Set<Listener>();
  readonly #ready = Promise.resolve();

  postMessage(message: Message): void {
    if (isForDrawing(message)) return;
    const data = "chunk" in message ? { ...message, chunk: withOwnLists(message.chunk) } : message;
    this.#ready.then(() => {
      for (const listener of this.#listeners) listener({ data });
    }).catch(reportError);
  }

  addEventListener(_: "message", listener: Listener, { signal }: { signal?: AbortSignal } = {}) {
    this.#listeners.add(listener);
    signal?.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  removeEventListener(_: "message", listener: Listener): void {
    this.#listeners.delete(listener);
  }

  terminate(): void {
    this.#listeners.clear();
  }
}

const isForDrawing = ({ action, data }: Message): boolean =>
  action === "commonobj" && Array.isArray(data) && FOR_DRAWING.has(data[1]);

/** Copies the lists of a chunk of operators, which the library empties and fills again. */
function withOwnLists(chunk: unknown): unknown {
  if (typeof chunk !== "object" || chunk === null || !("fnArray" in chunk)) return chunk;
  return Object.fromEntries(
    Object.entries(chunk).map(([key, value]) => [key, Array.isArray(value) ? [...value] : value]),
  );
}
