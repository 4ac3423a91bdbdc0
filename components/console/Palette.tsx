/** The search dialog of the consoles (Ctrl-K), for pages, records, accounts and so on. */
import type { RefObject, TargetedKeyboardEvent } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Layer } from "../../lib/features/operators/mod.ts";
import { type ConsolePage, findPages } from "../../lib/features/console/pages.ts";
import {
  isRecordSearchOpen,
  MAX_TEXT,
  type ResultGroup,
  searchHint,
  type SearchHit,
  type SearchResults,
  unfinished,
} from "../../lib/features/console/search_results.ts";
import { plural } from "../../lib/base/time.ts";
import { Modal } from "../Modal.tsx";
import { type Search, useSearch } from "../useSearch.ts";
import { addRecent, groupsFor, readRecent, searchConsole, SignedOut } from "./palette_search.ts";
import { Icon } from "../Icon.tsx";
import { Skeleton } from "../console_parts.tsx";
import { SearchAllRecords } from "./SearchAllRecords.tsx";

export interface PaletteProps {
  /** The pages that the operator may see. */
  pages: Pick<ConsolePage, "href" | "text" | "words" | "icon">[];
  /** The operator's address. */
  operator: string;
  layer: Layer;
}

/**
 * The button of the sidebar that opens the search, as Ctrl-K and Cmd-K do. Without scripts, it is a
 * link to the search page.
 */
export function Palette(props: PaletteProps) {
  const [ready, setReady] = useState(false);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    setReady(true);
    const onKeyDown = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey, key } = event;
      // Exactly one of Ctrl and Cmd, and no other modifier.
      if (ctrlKey === metaKey || shiftKey || altKey || key.toLowerCase() !== "k") return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  const show = (event: Event) => {
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <a
        class="console-search gap-3"
        href="/console/search"
        aria-current="false"
        {...ready && {
          role: "button",
          "aria-haspopup": "dialog",
          "aria-keyshortcuts": "Control+K Meta+K",
        }}
        onClick={(event) => isPlain(event) && show(event)}
        onKeyDown={(event) => event.key === " " && show(event)}
      >
        <Icon name="search" />
        <span>Search</span>
        {ready && (
          <kbd aria-hidden="true">{/Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K"}</kbd>
        )}
      </a>
      <Modal open={open} onClose={() => setOpen(false)} title="Search" focus={input}>
        {open && <Finder {...props} input={input} />}
      </Modal>
    </>
  );
}

/** Returns false with a modifier key, with which the link opens in a new tab or window. */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  !(ctrlKey || metaKey || shiftKey || altKey);

function Finder(
  { pages, operator, layer, input }: PaletteProps & { input: RefObject<HTMLInputElement> },
) {
  const id = useId();
  const text = useSignal("");
  const active = useSignal(0);
  const [recent] = useState(() => readRecent(operator));
  const finding = useSearch<SearchResults | null>(null);
  const wanted = text.value.trim();
  const groups = groupsFor(wanted, recent, findPages(pages, wanted), finding.results.value);
  const hits = groups.flatMap(({ results }) => results);
  const current = Math.min(active.value, hits.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  const find = (typing = false) => {
    const wanted = text.value.trim();
    if (wanted === "") finding.show(null);
    else finding.search((signal) => searchConsole(wanted, signal), typing).catch(reportError);
  };

  useEffect(() => {
    document.getElementById(optionId(current))?.scrollIntoView({ block: "nearest" });
  }, [current]);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || hits.length === 0) return;
    if (step !== undefined) active.value = (current + step + hits.length) % hits.length;
    else if (event.key === "Enter") document.getElementById(optionId(current))!.click();
    else return;
    event.preventDefault();
  };
  return (
    <div class="palette text-medium">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={layer === "L1"
          ? "Search pages, accounts, records, documents and payments"
          : "Search pages"}
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={hits.length > 0 ? optionId(current) : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        placeholder="Search"
        maxlength={MAX_TEXT}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          text.value = value;
          active.value = 0;
          find(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label="Results">
        <Groups
          {...{ groups, pages, current, optionId }}
          onOpen={(hit) => addRecent(operator, hit)}
        />
      </div>
      <FinderNote {...{ finding, layer, wanted }} found={hits.length} onRetry={() => find()} />
    </div>
  );
}

function FinderNote({ finding, layer, wanted, found, onRetry }: {
  finding: Search<SearchResults | null>;
  layer: Layer;
  wanted: string;
  found: number;
  onRetry: () => void;
}) {
  const results = finding.results.value;
  const busy = finding.busy.value;
  const error = finding.error.value;
  return (
    <>
      {busy && results === null && <Skeleton lines={2} />}
      <div class="wrap gap-1-4 palette-note muted text-small ruled">
        <p class="flush" role="status">
          {busy ? "Searching…" : found === 0 ? `Nothing found. ${searchHint(layer)}` : ""}
          {!busy && found > 0 && wanted !== "" && plural(found, "result")}
          {!busy && results !== null && results.incomplete.length > 0 &&
            `. ${unfinished(results.incomplete)}`}
        </p>
        {!busy && results !== null && isRecordSearchOpen(wanted, results) && (
          <SearchAllRecords text={wanted} />
        )}
        <p class="palette-keys rigid" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </p>
        {error instanceof SignedOut
          ? (
            <p role="alert" class="flush problem">
              You are signed out. <a href="/auth?next=/console">Sign in again</a>
            </p>
          )
          : error !== null && (
            <p role="alert" class="flush problem">
              The search failed.{" "}
              <button type="button" class="button small" onClick={onRetry}>Try again</button>
            </p>
          )}
      </div>
    </>
  );
}

function Groups({ groups, pages, current, optionId, onOpen }: {
  groups: readonly ResultGroup[];
  pages: PaletteProps["pages"];
  current: number;
  optionId: (index: number) => string;
  onOpen: (hit: SearchHit) => void;
}) {
  let index = 0;
  return groups.map(({ title, results }) => (
    <div key={title} role="group" aria-label={title}>
      <p class="flush muted bold" aria-hidden="true">{title}</p>
      {results.map((hit) => {
        const at = index++;
        return (
          <a
            key={`${hit.href} ${at}`}
            id={optionId(at)}
            class="cluster gap-3 rounded ink"
            role="option"
            aria-selected={at === current}
            tabindex={-1}
            href={hit.href}
            onClick={() => onOpen(hit)}
          >
            <Icon name={iconOf(hit, pages)} />
            <span class="rigid digits">{hit.title}</span>
            {hit.detail !== undefined && <small class="cut">{hit.detail}</small>}
          </a>
        );
      })}
    </div>
  ));
}

/** Returns the icon of the page that a result is on, or is below. */
function iconOf({ href }: SearchHit, pages: PaletteProps["pages"]): ConsolePage["icon"] {
  const path = href.split("?")[0];
  const owner = pages.findLast((page) => `${path}/`.startsWith(`${page.href}/`));
  return owner?.icon ?? "dashboard";
}
