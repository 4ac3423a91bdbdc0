/** The hook that runs the page of a bank account: it fetches filtered transactions and keeps the URL up to date. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Transaction } from "../../lib/features/bank/mod.ts";
import type { AccountData } from "../../lib/features/bank/console/account.ts";
import { fetchAccount } from "../../lib/features/bank/console/account_client.ts";
import { transactionList } from "../../lib/features/bank/filters.ts";
import {
  type LedgerField,
  ledgerPath,
  type TypedFilters,
} from "../../lib/features/bank/console/ledger_path.ts";

/** The state of an account's page, and its responses to what the user does. */
export interface AccountState {
  data: AccountData;
  /** The fields of the form, which may be ahead of the data. */
  typed: TypedFilters;
  /** The filters of the transactions that are shown. */
  applied: TypedFilters;
  /** True if the transactions match earlier filters, because the latest ones could not be applied. */
  outdated: boolean;
  /** The id of the transaction whose details are open, or an empty text. */
  shown: string;
  open: Transaction | null;
  busy: boolean;
  /** Why the page's data could not be fetched. */
  failure: string | null;
  hydrated: boolean;
  root: RefObject<HTMLDivElement>;
  results: RefObject<HTMLDivElement>;
  panel: RefObject<HTMLElement>;
  onFilter: (name: LedgerField, field: HTMLInputElement | HTMLSelectElement) => void;
  onSubmit: (event: SubmitEvent) => void;
  /** Opens another range or other filters. */
  onRange: (event: MouseEvent) => void;
  onPage: (event: MouseEvent) => void;
  onOpen: (event: MouseEvent, id: string) => void;
  onClose: (event?: MouseEvent) => void;
  /** Shows another transaction's details if some are open. */
  follow: (id: string) => void;
  retry: (event: MouseEvent) => void;
}

/** Typed text is applied after a pause, because a date is valid after each digit of its year. */
const PAUSES_MS = { search: 300, amount: 300, day: 700, choice: null, position: null };
const pauseOf = (name: LedgerField) => PAUSES_MS[transactionList.filters[name].kind];

/** Fetches the page's data by its URLs. A new request replaces one that is running. */
function useAccountData(initial: AccountData, results: RefObject<HTMLDivElement>) {
  const [view, setView] = useState({ data: initial, applied: initial.typed, outdated: false });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const request = useRef(new AbortController());
  /** The URL of the shown data, or of the data being fetched. */
  const current = useRef(
    ledgerPath(initial.path, initial.typed, { offset: initial.ledger?.offset }),
  );

  useEffect(() => () => request.current.abort(), []);

  async function read(href: string, then: (data: AccountData) => void) {
    request.current.abort();
    const { signal } = request.current = new AbortController();
    current.current = href;
    setBusy(true);
    const result = await fetchAccount(href, signal);
    if (signal.aborted) return;
    setBusy(false);
    setFailure(result.ok ? null : result.error);
    if (!result.ok) return setView((before) => ({ ...before, outdated: true }));
    const { data } = result;
    hold(results.current);
    setView((before) => {
      const usable = data.ledger !== null && Object.keys(data.issues).length === 0;
      if (usable || before.data.ledger === null) {
        return { data, applied: data.typed, outdated: false };
      }
      return { ...before, data: { ...data, ledger: before.data.ledger }, outdated: true };
    });
    then(data);
  }
  return { ...view, busy, failure, current, read };
}

/** The state of the page that its URL holds, and the changes of the URL. */
function useAddress(initial: AccountData, results: RefObject<HTMLDivElement>) {
  const [typed, setTyped] = useState(initial.typed);
  const [shown, setShown] = useState(initial.transaction);
  const [hydrated, setHydrated] = useState(false);
  const view = useAccountData(initial, results);
  const { data, applied, current, read } = view;
  const timer = useRef<ReturnType<typeof setTimeout>>();

  useEffect(() => {
    setHydrated(true);
    if (initial.late) load(current.current, { form: false }).catch(reportError);
    const onPop = () => {
      const { searchParams } = new URL(location.href);
      const loaded = pathWithoutTransaction(new URL(current.current, location.href));
      if (pathWithoutTransaction(new URL(location.href)) !== loaded) {
        load(location.pathname + location.search, { form: true }).catch(reportError);
      }
      setShown(searchParams.get("transaction") ?? "");
    };
    addEventListener("popstate", onPop);
    return () => {
      removeEventListener("popstate", onPop);
      clearTimeout(timer.current);
    };
  }, []);

  /** @param options.form whether the form also changes to the URL's filters */
  async function load(href: string, { form }: { form: boolean }) {
    clearTimeout(timer.current);
    await read(href, (data) => {
      if (form) setTyped(data.typed);
    });
  }

  /** Shows a URL's data and adds it to the history. */
  function go(href: string, { form, replace = false }: { form: boolean; replace?: boolean }) {
    if (replace) history.replaceState(null, "", href);
    else history.pushState(null, "", href);
    setShown("");
    load(href, { form }).catch(reportError);
  }

  const listPath = (transaction = "") =>
    ledgerPath(initial.path, applied, { offset: data.ledger?.offset, transaction });

  function show(id: string, { replace }: { replace: boolean }) {
    const href = listPath(id);
    // `own` marks entries that going back would close.
    if (replace) history.replaceState(history.state, "", href);
    else history.pushState({ own: true }, "", href);
    setShown(id);
  }

  function close() {
    setShown("");
    if (history.state?.own) history.back();
    else history.replaceState(null, "", listPath());
  }

  return { ...view, typed, setTyped, shown, setShown, hydrated, timer, load, go, show, close };
}

export function useAccount(initial: AccountData): AccountState {
  const root = useRef<HTMLDivElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const { data, applied, outdated, busy, failure, typed, shown, hydrated, ...address } = useAddress(
    initial,
    results,
  );
  const { setTyped, setShown, timer, load, go, show, close } = address;
  /** The element to focus after the next render. */
  const focus = useRef<(() => void) | null>(null);
  /** The text field whose changes replace each other in the history. */
  const editing = useRef<LedgerField | null>(null);

  useLayoutEffect(() => {
    release(results.current);
    focus.current?.();
    focus.current = null;
  }, [data, shown]);

  function apply(typed: TypedFilters, name: LedgerField) {
    const replace = editing.current === name;
    editing.current = pauseOf(name) === null ? null : name;
    go(ledgerPath(initial.path, typed), { form: false, replace });
  }

  const link = (event: MouseEvent, then: (href: string) => void | Promise<void>) => {
    if (!hydrated || isModified(event)) return;
    event.preventDefault();
    const { pathname, search } = new URL((event.currentTarget as HTMLAnchorElement).href);
    Promise.resolve(then(pathname + search)).catch(reportError);
  };

  return {
    data,
    typed,
    applied,
    outdated,
    shown,
    open: [...data.ledger?.rows ?? [], data.ledger?.open].find((one) => one?.id === shown) ?? null,
    busy,
    failure,
    hydrated,
    root,
    results,
    panel,
    onFilter(name, field) {
      if (field.validity.badInput) return; // an incomplete date
      const next = { ...typed, [name]: field.value };
      setTyped(next);
      clearTimeout(timer.current);
      const pause = pauseOf(name);
      if (pause === null) apply(next, name);
      else timer.current = setTimeout(() => apply(next, name), pause);
    },
    onSubmit(event) {
      event.preventDefault();
      editing.current = null;
      go(ledgerPath(initial.path, typed), { form: false, replace: true });
    },
    onRange: (event) =>
      link(event, (href) => {
        editing.current = null;
        const { searchParams } = new URL(href, location.href);
        const { offset: _, ...shown } = transactionList.read(searchParams).typed;
        setTyped(shown);
        go(href, { form: true });
      }),
    onPage: (event) =>
      link(event, async (href) => {
        history.pushState(null, "", href);
        setShown("");
        await load(href, { form: true });
        const title = root.current?.querySelector<HTMLElement>("#transactions-title");
        title?.focus({ preventScroll: true });
        if (title && title.getBoundingClientRect().top < 0) title.scrollIntoView();
      }),
    onOpen: (event, id) =>
      link(event, () => {
        focus.current = () => {
          panel.current?.focus({ preventScroll: !isAlone(panel.current) });
        };
        show(id, { replace: shown !== "" });
      }),
    onClose(event) {
      if (event !== undefined) {
        if (!hydrated || isModified(event)) return;
        event.preventDefault();
      }
      const closed = shown;
      focus.current = () => rowLink(root.current, closed)?.focus();
      close();
    },
    follow(id) {
      if (shown !== "" && shown !== id) show(id, { replace: true });
    },
    retry: (event) => link(event, () => load(location.pathname + location.search, { form: true })),
  };
}

/** Returns the link of a transaction's row. */
const rowLink = (root: HTMLElement | null, id: string) =>
  root?.querySelector<HTMLElement>(`.row-link[data-transaction="${CSS.escape(id)}"]`);

/** Returns whether the panel is shown instead of the list. */
const isAlone = (panel: HTMLElement) =>
  panel.closest(".account-page")!.querySelector("#transactions")!.getClientRects().length === 0;

const isModified = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

function pathWithoutTransaction({ pathname, searchParams }: URL): string {
  searchParams.delete("transaction");
  return `${pathname}?${searchParams}`;
}

/**
 * Keeps the height of the results until the next ones are rendered: a shorter page would make the
 * browser scroll.
 */
function hold(results: HTMLElement | null): void {
  if (results !== null) results.style.minHeight = `${results.offsetHeight}px`;
}

/** Keeps only the height that the current scroll position needs. */
function release(results: HTMLElement | null): void {
  if (results === null || results.style.minHeight === "") return;
  const needed = innerHeight - results.getBoundingClientRect().top;
  results.style.minHeight = needed > 0 ? `${Math.ceil(needed)}px` : "";
}
