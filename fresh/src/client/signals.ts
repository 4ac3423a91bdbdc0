/** Loaded by pages with signals in their islands' props, to recreate the signals. */
export { signal } from "@preact/signals";
