/** A running origin that sends raw bytes. */
export interface RawOrigin extends AsyncDisposable {
  origin: string;
  heads: string[];
}

/** Responds to one request on its connection, which is closed afterwards. */
type RawResponder = (connection: Deno.Conn, head: string) => Promise<void> | void;

/** Starts an origin that sends raw bytes, for responses that Deno's server cannot send. */
export function startRawOrigin(respond: RawResponder | string): RawOrigin {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heads: string[] = [];
  const open = new Set<Deno.Conn>();
  async function handle(connection: Deno.Conn) {
    open.add(connection);
    try {
      const head = await readHead(connection);
      heads.push(head);
      if (typeof respond === "string") await send(connection, respond);
      else await respond(connection, head);
    } catch (error) {
      if (!isEnd(error)) throw error;
    }
    if (open.delete(connection)) connection.close();
  }
  const handling: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const connection of listener) handling.push(handle(connection));
  })();
  return {
    origin: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    heads,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
      await accepting;
      await Promise.all(handling);
    },
  };
}

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
