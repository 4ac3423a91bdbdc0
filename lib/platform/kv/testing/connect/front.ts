/** Passes on connections to a server, and can end them. */
export interface Front {
  port: number;
  /** @param port the one from which the server sees the connection */
  drop(port: number): void;
  close(): void;
}

/** Listens on a free port, unless one is given. */
export function openFront(target: number, port: number): Front {
  const listener = Deno.listen({ hostname: "127.0.0.1", port });
  const drops = new Map<number, () => void>();

  async function pass(client: Deno.TcpConn): Promise<void> {
    const server = await Deno.connect({ hostname: "127.0.0.1", port: target });
    const { port } = server.localAddr;
    drops.set(port, () => {
      drops.delete(port);
      for (const connection of [client, server]) closeQuietly(connection);
    });
    for (const connection of [client, server]) connection.setNoDelay();
    await Promise.allSettled([
      client.readable.pipeTo(server.writable),
      server.readable.pipeTo(client.writable),
    ]);
    drops.get(port)?.();
  }

  (async () => {
    for await (const client of listener) pass(client).catch(() => closeQuietly(client));
  })().catch(reportError);

  return {
    port: listener.addr.port,
    drop: (port) => drops.get(port)?.(),
    close() {
      listener.close();
      drops.forEach((drop) => drop());
    },
  };
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch { /* its stream has closed it */ }
}
