import { signal } from "@preact/signals";

/** Signals arrive as their values; one signal given to several islands stays one. */
export const revivers = { Signal: ([value]: [unknown]) => signal(value) };
