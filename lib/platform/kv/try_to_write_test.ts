import { assertEquals, assertRejects } from "@std/assert";
import { type ConnectServer, serveConnect } from "./testing/connect_server.ts";
import { type DenokvServer, findDenokv, serveDenokv } from "./testing/denokv_server.ts";
import { tryToWrite } from "./try_to_write.ts";

const asked = ({ url, token }: Pick<ConnectServer, "url" | "token">, signal?: AbortSignal) =>
  tryToWrite(url, token, signal ?? new AbortController().signal);

Deno.test("a server that is asked whether it accepts writes says why not, and a commit is made only if it does", async () => {
  await using server = serveConnect();
  assertEquals([await asked(server), server.commits], [null, 1]);
  for (
    const [state, problem] of [
      ["full", "disk_full"],
      ["readOnly", "store_read_only"],
      ["refusing", "store_refused"],
    ] as const
  ) {
    server.condition.state = state;
    assertEquals(await asked(server), problem, state);
  }
  assertEquals(server.commits, 1);
});

Deno.test("nothing is said about writes of a server that is dead, does not respond in time, or is not there", async () => {
  const server = serveConnect();
  server.condition.state = "dead";
  await assertRejects(() => asked(server), Error, "status=503");
  server.condition.state = "well";
  const respond = server.hang();
  const late = new AbortController();
  const waiting = asked(server, late.signal);
  late.abort();
  await assertRejects(() => waiting, DOMException);
  respond();
  await server[Symbol.asyncDispose]();
  await assertRejects(() => asked(server), TypeError);
});

const binary = findDenokv();

Deno.test({
  name: "denokv says why it accepts no writes as the imitation does",
  ignore: binary === null,
  async fn() {
    const folder = await Deno.makeTempDir();
    {
      await using server: DenokvServer = await serveDenokv({ binary: binary!, folder });
      assertEquals(await asked(server), null);
      await server.kill("SIGKILL");
      await server.start(["--read-only"]);
      assertEquals(await asked(server), "store_read_only");
      await server.kill("SIGKILL");
      await server.start([], "another-token");
      assertEquals(await asked(server), "store_refused");
    }
    await Deno.remove(folder, { recursive: true });
  },
});
