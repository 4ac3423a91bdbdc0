/** The search field for a hash or number that also takes a file, on the trust surface and on the log's page. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { HashError, hashFile } from "./hash_file.ts";
import { Field } from "../Field.tsx";
import { FileInput, showFiles } from "../FileInput.tsx";
import { useDrop } from "../useDrop.ts";

export interface FindFormProps {
  method: "get" | "post";
  action: string;
  name: string;
  label: string;
  hint: string;
  button: string;
  maxLength: number;
  /** The label of the field for a file. */
  fileLabel: string;
  /**
   * The page that verifies a saved chain. Without it, the field only takes the hash of the record from such a
   * file.
   */
  chainPage?: string;
  /** The text that was entered, and what is wrong with it. */
  text?: string;
  problem?: string;
  /** The URL of `static/workers/hash_file.js`. */
  workerUrl: string;
}

/** Larger files are not saved chains. */
const MAX_CHAIN_BYTES = 64 * 1024 * 1024;

/**
 * One field for what somebody has: a text, or a file, whose hash the browser enters. A saved chain leads to its
 * record's entry, or to the page that verifies it. Without scripts, only the text can be sent.
 */
export function FindForm(
  {
    method,
    action,
    name,
    label,
    hint,
    button,
    maxLength,
    fileLabel,
    chainPage,
    text,
    problem,
    workerUrl,
  }: FindFormProps,
) {
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [ready, setReady] = useState(false);
  /** The progress of a file, or why it has no hash. */
  const [status, setStatus] = useState<ComponentChildren>("");
  const latest = useRef<AbortController>();
  useEffect(() => setReady(true), []);
  const start = async (files: File[]) => {
    latest.current?.abort();
    const { signal } = latest.current = new AbortController();
    const [file] = files;
    const onProgress = (done: number) =>
      setStatus(`Computing the hash: ${Math.floor(100 * done / Math.max(1, file.size))} %`);
    try {
      onProgress(0);
      const record = await recordIn(file);
      signal.throwIfAborted();
      // The publisher's chain of this record would say nothing about the file.
      if (record !== null && chainPage) return setStatus(<SavedChain page={chainPage} />);
      const found = record ?? await hashFile(file, { workerUrl, onProgress, signal });
      signal.throwIfAborted();
      setStatus("");
      (form.current!.elements.namedItem(name) as HTMLInputElement).value = found;
      form.current!.requestSubmit();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof HashError)) throw error;
      setStatus("The file could not be read. Choose it again, or paste its SHA-256 hash.");
    }
  };
  const over = useDrop((files) => {
    showFiles(input.current!, files);
    start(files).catch(reportError);
  });
  return (
    <form
      class={over ? "find-form full-width over" : "find-form full-width"}
      ref={form}
      method={method}
      action={action}
    >
      <Field name={name} label={label} hint={hint} problem={problem}>
        {(control) => (
          <div class="hash-line find-line flex gap-3">
            <input
              {...control}
              class="mono shrinks"
              {...{ defaultValue: text }}
              // precompiled JSX would render it as an unknown attribute
              required
              maxLength={maxLength}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
            <button type="submit" class="button primary">{button}</button>
          </div>
        )}
      </Field>
      <div class="find-file stack gap-1 above-4 pad-top-4 ruled">
        <label class="bold" for={`${name}-file`}>{fileLabel}</label>
        <FileInput
          id={`${name}-file`}
          inputRef={input}
          disabled={!ready}
          aria-describedby={`${name}-file-hint`}
          onFiles={(files) => void start(files).catch(reportError)}
        />
        <span class="hint muted text-small" id={`${name}-file-hint`}>
          Your browser computes its hash. The file is never uploaded.
        </span>
        <noscript>
          <span class="hint">
            JavaScript is off: compute the file’s SHA-256 hash yourself, and paste it above.
          </span>
        </noscript>
        <p role="status" class="flush">{status}</p>
      </div>
    </form>
  );
}

const SavedChain = ({ page }: { page: string }) => (
  <>
    This file is a saved chain. <a href={page}>Choose it on the page that verifies it</a>.
  </>
);

/** Returns the hash of the record whose saved chain a file is; null if it is none. */
async function recordIn(file: File): Promise<string | null> {
  if (file.size > MAX_CHAIN_BYTES || await file.slice(0, 1).text() !== "{") return null;
  try {
    const { hash, events } = JSON.parse(await file.text());
    return Array.isArray(events) && /^[0-9a-f]{64}$/.test(hash) ? hash : null;
  } catch {
    return null;
  }
}
