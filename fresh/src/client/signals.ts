/** What makes a page's signals anew; one that is given to several islands stays one. */
export { signal } from "@preact/signals";
