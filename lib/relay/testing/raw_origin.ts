/** An origin that says exactly these bytes, running. */
export interface RawOrigin extends AsyncDisposable {
  origin: string;
  /** The head of each request that arrived. */
  heads: string[];
}

/** Answers one request on its connection, which is closed afterwards. */
export type RawAnswer = (connection: Deno.Conn, head: string) => Promise<void> | void;

/**
 * Starts an origin on the loopback address that answers in bytes of the test's own, for what a
 * server of Deno's would put right.
 */
export function startRawOrigin(answer: RawAnswer | string): RawOrigin {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heads: string[] = [];
  const open = new Set<Deno.Conn>();
  async function converse(connection: Deno.Conn) {
    open.add(connection);
    try {
      const head = await readHead(connection);
      heads.push(head);
      if (typeof answer === "string") await send(connection, answer);
      else await answer(connection, head);
    } catch (error) {
      if (!isEnd(error)) throw error;
    }
    if (open.delete(connection)) connection.close();
  }
  const conversations: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const connection of listener) conversations.push(converse(connection));
  })();
  return {
    origin: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    heads,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
      await accepting;
      await Promise.all(conversations);
    },
  };
}

/** Writes all of it. */
export async function send(connection: Deno.Conn, bytes: string | Uint8Array): Promise<void> {
  let left = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  while (left.length > 0) left = left.subarray(await connection.write(left));
}

/** Waits until the other side has closed the connection. */
export async function closed(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1024);
  try {
    while (await connection.read(buffer) !== null);
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
}

async function readHead(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(64 << 10);
  let filled = 0;
  for (;;) {
    const count = await connection.read(buffer.subarray(filled));
    const text = new TextDecoder("latin1").decode(buffer.subarray(0, filled += count ?? 0));
    if (count === null || text.includes("\r\n\r\n")) return text;
  }
}

function isEnd(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted;
}
