/** The message about an action that succeeded, which a signed URL passes to the page shown next. */
import type { Secrets } from "../../base/secrets.ts";
import { MINUTE_MS } from "../../base/time.ts";

/** The text of a page about an action that succeeded. */
export interface ResultText {
  /** @param name the name of the object */
  title(name: string): string;
  /**
   * How it is taken back. `undo`: with the button of the result. `asks`: not at all, so the page asks
   * first. `later: …`: with another action. `nothing`: there is nothing to take back.
   */
  back: "undo" | "asks" | "nothing" | `later: ${string}`;
  /**
   * The state that the action leaves its object in. The result is not shown once the object is in another one.
   * Default: the state does not matter.
   *
   * @param of what the action concerned, as its result says
   */
  after?(of: string): string;
}

/** The result of an action, as a page shows it. */
export interface ShownResult {
  /** The action, as a short sentence without the full stop. */
  title: string;
  /** A sentence about what happens next. */
  text?: string;
  /** Replaces the text once the action cannot be undone any more. */
  late?: string;
  /** The form that undoes it; null if nothing does. */
  undo?: {
    fields: Readonly<Record<string, string>>;
    /** Milliseconds for which it works. Default: without limit. */
    leftMs?: number;
  } | null;
}

/** An action that the reader of a page has done. */
export interface DoneAction<Done extends string = string> {
  done: Done;
  /** The object of the action, such as an id; empty if the page says it. */
  of: string;
}

/** How long a page shows a result. */
const LIFETIME_MS = 10 * MINUTE_MS;

interface Signer {
  secrets: Pick<Secrets, "sign" | "verify">;
  clock: () => number;
}

/** The text that is signed: the reader, the page, the action, what it concerned, and when it was done. */
const signedText = (reader: string, { pathname, searchParams }: URL): string =>
  JSON.stringify([reader, pathname, ...["done", "of", "at"].map((name) => searchParams.get(name))]);

/**
 * Adds the result of an action to the path of the page that shows it. It has a signature for this reader and
 * page, so the page ignores forged URLs and shows the result to nobody else.
 *
 * @param reader identifies who has done it: an operator's address, or the record of a holder
 * @param of what it concerned, such as an id. Not personal data
 */
export async function withResult(
  { secrets, clock }: Signer,
  reader: string,
  href: string,
  done: string,
  of?: string,
): Promise<string> {
  const query = new URLSearchParams({
    done,
    ...of === undefined ? {} : { of },
    at: String(clock()),
  });
  const path = `${href}${href.includes("?") ? "&" : "?"}${query}`;
  const proof = await secrets.sign(
    "action-result",
    signedText(reader, new URL(path, "http://page")),
  );
  return `${path}&proof=${proof}`;
}

/** Reads the result in the URL of a page; null if there is none for this reader, or it is old. */
export async function readResult(
  { secrets, clock }: Signer,
  reader: string,
  url: URL,
): Promise<DoneAction | null> {
  const [done, of, at, proof] = ["done", "of", "at", "proof"].map((name) =>
    url.searchParams.get(name)
  );
  if (done === null || at === null || proof === null) return null;
  const age = clock() - Number(at);
  if (!(age >= 0 && age < LIFETIME_MS)) return null;
  const isTrue = await secrets.verify("action-result", signedText(reader, url), proof);
  return isTrue ? { done, of: of ?? "" } : null;
}

/**
 * Returns the title of a result; null if its object is in another state now.
 *
 * @param object.states the states of the object that results depend on. Default: none
 */
export function titleOf(
  { title, after }: ResultText,
  { of }: DoneAction,
  { name = "", states = [] }: { name?: string; states?: readonly string[] },
): string | null {
  return after === undefined || states.includes(after(of)) ? title(name) : null;
}
