import { assertEquals } from "@std/assert";
import { wantsJson } from "./audience.ts";
import { clientAddress } from "./client_address.ts";
import { cookieValues } from "./cookies.ts";
import { COOKIE_LIMIT, HEADER_LIMIT, readHeader } from "./header.ts";
import { themeOf } from "./theme.ts";

const request = (headers: Record<string, string>) => new Request("http://x.example/", { headers });

Deno.test("a header at the limit is read, and a longer one counts as absent", () => {
  const longest = "a".repeat(HEADER_LIMIT);
  assertEquals(readHeader(request({ accept: longest }), "accept"), longest);
  assertEquals(readHeader(request({ accept: `${longest}a` }), "accept"), null);
  assertEquals(readHeader(request({}), "accept"), null);
});

Deno.test("Accept and Cookie headers over the limit are not searched", () => {
  const json = "application/json";
  assertEquals(wantsJson(request({ accept: json })), true);
  assertEquals(wantsJson(request({ accept: json + ",".repeat(HEADER_LIMIT) })), false);
  const cookie = "a=1; theme=dark; x=";
  const most = request({ cookie: cookie.padEnd(COOKIE_LIMIT, "x") });
  assertEquals([cookieValues(most, "a"), themeOf(most)], [["1"], "dark"]);
  const more = request({ cookie: cookie.padEnd(COOKIE_LIMIT + 1, "x") });
  assertEquals([cookieValues(more, "a"), themeOf(more)], [[], null]);
});

Deno.test("only the end of a long X-Forwarded-For is split", () => {
  const info = {
    remoteAddr: { transport: "tcp", hostname: "10.0.0.9", port: 1 },
    completed: Promise.resolve(),
  } as Deno.ServeHandlerInfo;
  const long = request({ "x-forwarded-for": `${"6.6.6.6, ".repeat(20_000)}1.1.1.1, 10.0.0.1` });
  const { split } = String.prototype;
  const lengths: number[] = [];
  String.prototype.split = function (this: string, separator: unknown) {
    lengths.push(this.length);
    return split.call(this, separator as never);
  };
  try {
    assertEquals(clientAddress(long, info, 2), "1.1.1.1");
  } finally {
    String.prototype.split = split;
  }
  assertEquals(lengths.map((length) => length <= 2_000), [true]);
});
