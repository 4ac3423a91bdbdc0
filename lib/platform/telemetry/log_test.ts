import { assertEquals } from "@std/assert";
import type { LogLevel } from "./variables.ts";
import { createLog, withoutAddresses } from "./log.ts";

function lines(level: LogLevel, entries: Record<string, unknown>[]) {
  const written: [LogLevel, Record<string, unknown>][] = [];
  const log = createLog({
    clock: () => 0,
    level,
    instance: "a1",
    requestId: () => "request-1",
    write: (level, line) => written.push([level, JSON.parse(line)]),
  });
  for (const entry of entries) log(entry);
  return written;
}

Deno.test("a log line has time, level, event, request and process before its own members", () => {
  const [[level, line]] = lines("info", [{ level: "warn", event: "x", n: 1, instance: "b" }]);
  assertEquals(level, "warn");
  assertEquals(Object.entries(line), [
    ["time", "1970-01-01T00:00:00.000Z"],
    ["level", "warn"],
    ["event", "x"],
    ["request_id", "request-1"],
    ["instance", "b"],
    ["n", 1],
  ]);
});

Deno.test("LOG_LEVEL leaves out lower levels; a line without a level is info", () => {
  const entries = ["debug", "info", undefined, "warn", "error"].map((level, i) => ({
    ...level === undefined ? {} : { level },
    event: String(i),
  }));
  const events = (level: LogLevel) => lines(level, entries).map(([, { event }]) => event).join("");
  assertEquals(
    (["debug", "info", "warn", "error"] as const).map(events),
    ["01234", "1234", "34", "4"],
  );
});

const TEXTS = [
  [
    "TypeError: error sending request for url (https://u:p@mail.example/send?key=s3cret): refused",
    "TypeError: error sending request for url (https://mail.example/…): refused",
  ],
  [
    "http://10.0.0.1:4512/v2#t and https://a.example",
    "http://10.0.0.1:4512/… and https://a.example",
  ],
  ["550 <ada.l@mail.example>: unknown", "550 <(address)>: unknown"],
  [
    "at file:///npm/nodemailer@10.6.0/lib/x.js:1:2",
    "at file:///npm/nodemailer@10.6.0/lib/x.js:1:2",
  ],
  [
    "at f (https://jsr.io/@fresh/core/2.3.3/src/app.ts:12:3)",
    "at f (https://jsr.io/@fresh/core/2.3.3/src/app.ts:12:3)",
  ],
  ["at https://a.example/x.ts?token=s:1:2", "at https://a.example/…"],
];

for (const [text, expected] of TEXTS) {
  Deno.test(`the error text ${JSON.stringify(text)} is logged without addresses`, () => {
    assertEquals(withoutAddresses(text), expected);
    assertEquals(lines("info", [{ event: "x", reason: text }])[0][1].reason, expected);
  });
}
