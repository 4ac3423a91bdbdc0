/** The log of the process: JSON lines, from which addresses are removed. */
import type { LogLevel } from "./variables.ts";
import { counter } from "./metric.ts";
import { LOG_LEVELS } from "./variables.ts";

export const logLines = counter("log_lines", "Written log lines.", { level: LOG_LEVELS });

/** A log line. It must not contain secrets, addresses or other personal data. */
type LogEntry = Record<string, unknown>;

export type Log = (entry: LogEntry) => void;

export interface LogOptions {
  clock: () => number;
  /** Lines below this level are not written. */
  level: LogLevel;
  /** Identifies the process. */
  instance?: string;
  requestId?: () => string | undefined;
  /** Called for each written line. */
  onLine?: (level: LogLevel) => void;
  /** Default: the console, where OpenTelemetry reads the level. */
  write?: (level: LogLevel, line: string) => void;
}

/** The members that may contain the message of a foreign error. */
const ERROR_TEXTS = ["stack", "reason", "error", "message"];

/**
 * Creates the function that writes one JSON line per event: time, level, event, request id, and the
 * other members of the entry.
 */
export function createLog(options: LogOptions): Log {
  const { clock, level: lowest, instance, requestId, onLine, write = writeToConsole } = options;
  const threshold = LOG_LEVELS.indexOf(lowest);
  return ({ level: given = "info", event, ...rest }) => {
    const level = given as LogLevel;
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const entry: LogEntry = {
      time: new Date(clock()).toISOString(),
      level,
      event,
      request_id: requestId?.(),
      instance,
      ...rest,
    };
    for (const name of ERROR_TEXTS) {
      const text = entry[name];
      if (typeof text === "string") entry[name] = withoutAddresses(text);
    }
    onLine?.(level);
    write(level, JSON.stringify(entry));
  };
}

const URLS = /\b(https?:\/\/[^\s/?#"'<>()]*)([^\s"'<>()]*)/g;
const SOURCE_POSITION = /^[^?#]*\.[cm]?[jt]sx?:\d+:\d+$/;
const MAIL_ADDRESSES = /[^\s"'<>(),:;/]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi;

/**
 * Removes the paths and queries of URLs and all email addresses from a text, because messages of errors
 * repeat what they failed for. Positions in source files are kept.
 */
export function withoutAddresses(text: string): string {
  return text.replace(
    URLS,
    (url, origin, rest) =>
      rest === "" || SOURCE_POSITION.test(rest) ? url : `${withoutUser(origin)}/…`,
  )
    .replace(MAIL_ADDRESSES, "(address)");
}

const withoutUser = (origin: string) => origin.replace(/\/\/.*@/, "//");

function writeToConsole(level: LogLevel, line: string): void {
  console[level](line);
}
