/**
 * A client that measures response times over one connection. It runs in a worker, because in the
 * server's own thread it would also measure the work that follows the response.
 *
 * @module
 */

/** Posts JSON, and returns the milliseconds until the whole response has arrived. */
export interface TimingClient {
  post(path: string, body: string): Promise<number>;
  close(): void;
}

type Request = { port: number; host: string } | { path: string; body: string };
type Answer = { ready: true } | { took: number } | { failed: string };

export async function startClient(port: number, host: string): Promise<TimingClient> {
  const worker = new Worker(import.meta.url, { type: "module", name: "timing-client" });
  const ask = (request: Request) =>
    new Promise<Answer>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(request);
    });
  await ask({ port, host });
  return {
    async post(path, body) {
      const answer = await ask({ path, body });
      if (!("took" in answer)) throw new Error("failed" in answer ? answer.failed : "No answer.");
      return answer.took;
    },
    close: () => worker.terminate(),
  };
}

const buffer = new Uint8Array(64 * 1024);
const decoder = new TextDecoder("latin1"); // one character per byte

async function post(connection: Deno.Conn, host: string, path: string, body: string) {
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n`;
  const bytes = new TextEncoder().encode(head + body);
  const start = performance.now();
  await connection.write(bytes);
  let text = "";
  for (;;) {
    const size = await connection.read(buffer);
    if (size === null) throw new Error("The server closed the connection.");
    text += decoder.decode(buffer.subarray(0, size));
    const end = text.indexOf("\r\n\r\n");
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (end !== -1 && text.length >= end + 4 + length) break;
  }
  const took = performance.now() - start;
  if (!text.startsWith("HTTP/1.1 200")) throw new Error(text);
  return took;
}

/** Answers the messages of {@linkcode startClient}. */
function serveMessages(worker: {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(answer: Answer): void;
}) {
  let connection: Deno.TcpConn;
  let host: string;
  worker.onmessage = async ({ data }) => {
    try {
      if ("port" in data) {
        host = data.host;
        connection = await Deno.connect({ port: data.port, hostname: "127.0.0.1" });
        connection.setNoDelay();
        worker.postMessage({ ready: true });
      } else worker.postMessage({ took: await post(connection, host, data.path, data.body) });
    } catch (error) {
      worker.postMessage({ failed: String(error) });
    }
  };
}

if ("DedicatedWorkerGlobalScope" in globalThis) serveMessages(globalThis as never);
