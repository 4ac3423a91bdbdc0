import { assertEquals } from "@std/assert";
import { isLoopback } from "./loopback.ts";

Deno.test("isLoopback() accepts the machine's own names only", () => {
  const own = ["localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]"];
  const others = [
    "localhost.example",
    "evil-localhost",
    "127.0.0.1.example",
    "128.0.0.1",
    "[::2]",
    "",
  ];
  assertEquals([...own, ...others].filter(isLoopback), own);
});
