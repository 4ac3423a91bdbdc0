/** The island of the page `/check`: the choice of a file, its progress, and the result. */
import { useEffect, useRef, useState } from "preact/hooks";
import { FileInput, showFiles } from "../FileInput.tsx";
import { useDrop } from "../useDrop.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { CheckOutcome } from "./CheckOutcome.tsx";
import { type CheckResult, formatSize, headingOf, leadOf, printedHeading } from "./check_texts.ts";
import type { NumberTools } from "./printed_number.ts";
import { type FileCheck, useFileCheck } from "./useFileCheck.ts";

export interface CheckFileProps extends NumberTools {
  workerUrl: string;
  /** The publisher's log. */
  log: PageLog | null;
}

/** Compares a file with the registered documents. The file stays in the browser. */
export function CheckFile({ workerUrl, log, ...tools }: CheckFileProps) {
  const { check, start, retry, cancel } = useFileCheck(workerUrl, tools);
  const [ready, setReady] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setReady(true);
    fetch(workerUrl).catch(() => {}); // into the cache, for a connection that is lost later
  }, []);
  const over = useDrop((files) => {
    showFiles(input.current!, files);
    start(files);
  });
  const isOver = check.phase === "answered" || check.phase === "failed";
  useEffect(() => {
    if (isOver) top.current!.scrollIntoView({ block: "nearest" });
  }, [isOver]);
  const result = resultOf(check);
  return (
    <div class="check-file" ref={top}>
      <p role="status" class="visually-hidden">{announcementOf(check)}</p>
      {(check.phase === "hashing" || check.phase === "asking") && (
        <Progress
          check={check}
          onCancel={() => {
            cancel();
            showFiles(input.current!, []);
            input.current!.focus(); // the button is gone
          }}
        />
      )}
      {result !== null && (
        <CheckOutcome
          result={result}
          of="file"
          file={"file" in check && check.file !== null ? nameOf(check.file) : undefined}
          sha256={check.phase === "failed" ? check.sha256 : undefined}
          trace={check.phase === "answered" ? check.trace : undefined}
          printed={check.phase === "answered" ? check.printed : undefined}
          log={log}
          documentsUrl={tools.documentsUrl}
          onRetry={check.phase === "failed" && check.file !== null ? retry : undefined}
        />
      )}
      <div class={over ? "drop over" : "drop"}>
        <label for="check-file">
          {result === null ? "Drop a file here, or choose one" : "Check another file"}
        </label>
        <span class="hint muted" id="check-file-hint">
          Any type and size. The file is not uploaded: only its hash is sent, and if a PDF without a
          match prints the number of a document, this number.
        </span>
        <FileInput
          class="above-3"
          inputRef={input}
          id="check-file"
          aria-describedby="check-file-hint"
          disabled={!ready}
          onFiles={start}
        />
      </div>
    </div>
  );
}

const nameOf = ({ name, size }: File) => `${name}, ${formatSize(size)}`;

function resultOf(check: FileCheck): CheckResult | null {
  if (check.phase === "answered") return { report: check.report };
  return check.phase === "failed" ? { failure: check.message } : null;
}

function announcementOf(check: FileCheck): string {
  const result = resultOf(check);
  if (result !== null) {
    const heading = `${headingOf(result, "file")}.`;
    if ("failure" in result) return `${heading} ${result.failure}`;
    const lead = leadOf(result.report);
    if (lead !== null) return `${heading} ${lead.first}. ${lead.verdict}`;
    const printed = check.phase === "answered" ? check.printed : null;
    return printed === null || printed === "pending"
      ? heading
      : `${heading} ${printedHeading(printed)}.`;
  }
  return check.phase === "none" ? "" : "Checking the file…";
}

function Progress(
  { check, onCancel }: {
    check: Extract<FileCheck, { phase: "hashing" | "asking" }>;
    onCancel: () => void;
  },
) {
  const { file } = check;
  const done = check.phase === "hashing" ? check.done : file.size;
  return (
    <section class="box check-progress below-5 pad-5" aria-label="Progress">
      <p class="anywhere">
        <strong>{file.name}</strong>
      </p>
      <progress aria-label="Bytes hashed" max={file.size} value={done} />
      <p class="muted">
        {check.phase === "hashing"
          ? `Computing the hash in your browser: ${formatSize(done)} of ${formatSize(file.size)}`
          : "Looking up the hash…"}
      </p>
      <p class="actions">
        <button type="button" class="button small" onClick={onCancel}>Cancel</button>
      </p>
    </section>
  );
}
