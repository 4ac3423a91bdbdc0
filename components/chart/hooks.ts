import { useEffect, useRef, useState } from "preact/hooks";

const PAUSE_MS = 300;

/** The earlier one of two equal values, so that an effect runs for what has changed, not for what was made anew. */
export function useStable<T>(value: T, same: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (!same(kept.current, value)) kept.current = value;
  return kept.current;
}

/** What the value was last while it was not `waiting`; `first` when it always was. */
export function useHeld<T>(value: T, waiting: boolean, first: T): T {
  const held = useRef(first);
  if (!waiting) held.current = value;
  return held.current;
}

/** The value of the last render but painted: for work that a plot must not wait for. */
export function useAfterPaint<T>(value: T): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value));
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}

/** An id that no other island has; undefined on the server and until the island has come to life. */
export function useElementId(): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => setId(`chart-${Math.random().toString(36).slice(2)}`), []);
  return id;
}

/** A text for a live region that waits until there has been a pause in its changes. */
export function useAnnouncement(): [string | undefined, (text: string) => void] {
  const [text, setText] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = (next: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setText(next), PAUSE_MS);
  };
  return [text, announce];
}
