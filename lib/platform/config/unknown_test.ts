import { assertEquals } from "@std/assert";
import { unknownVariables } from "./unknown.ts";

const KNOWN = ["APP_ENV", "APP_SECRET", "HOST", "MAIL_FROM", "MAIL_TRANSPORT", "PORT", "RELAYS"];

const CASES: [given: string, line: string | undefined][] = [
  ["MAIL_FRM", "MAIL_FRM: unknown; did you mean MAIL_FROM?"],
  ["mail_from", "mail_from: unknown; did you mean MAIL_FROM?"],
  ["APPSECRET", "APPSECRET: unknown; did you mean APP_SECRET?"],
  ["RELAY", undefined],
  ["MAIL_SENDER", "MAIL_SENDER: unknown"],
  ["MAIL_FROM", undefined],
  ["MAIL", undefined],
  ["APP_NAME", undefined],
  ["HOSTNAME", undefined],
  ["HOSTS", undefined],
  ["MAIL_SERVICE_HOST", undefined],
  ["MAIL_PORT_25_TCP_ADDR", undefined],
  ["LOGNAME", undefined],
];

for (const [given, line] of CASES) {
  Deno.test(`unknownVariables() ${line === undefined ? "accepts" : "names"} ${given}`, () => {
    assertEquals(unknownVariables([given], KNOWN), line === undefined ? [] : [line]);
  });
}

Deno.test("the environment of a shell and of a systemd unit has no unknown variables", () => {
  const usual = "HOME LANG LC_ALL LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TERM TMPDIR USER _ " +
    "CREDENTIALS_DIRECTORY INVOCATION_ID JOURNAL_STREAM MEMORY_PRESSURE_WATCH NOTIFY_SOCKET " +
    "STATE_DIRECTORY SYSTEMD_EXEC_PID DENO_DIR DENO_NO_UPDATE_CHECK OTEL_SERVICE_NAME";
  assertEquals(unknownVariables(usual.split(" "), KNOWN), []);
});
