/** The root component of the contact form that other sites embed, from the empty form to the record's live feed. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CONFIG, titleOf } from "../../lib/features/contact/config.ts";
import { createChainClient } from "./chain_client.ts";
import { Form } from "./Form.tsx";
import { CloseButton, DoneNote, RecordNote, SkipButton, StandbyCard } from "./Panels.tsx";
import { loadRecords, type Records, saveRecords } from "./records.ts";
import { readReceipt, type Receipt } from "./responses.ts";
import { useSequence } from "./run_sequence.ts";
import { completeText } from "./sequence.ts";
import type { LoadVerifier } from "./LogLine.tsx";
import { Teletype } from "./Teletype.tsx";
import { useDialog } from "./useDialog.ts";
import { type InitialDraft, useSubmission } from "./useSubmission.ts";

const { COPY } = CONFIG;

export interface Handle {
  open: () => void;
  close: () => void;
}

interface AppProps {
  host: HTMLElement;
  mode: "modal" | "page";
  endpoint: string;
  /** The name of the organisation in the form's title. */
  organisation?: string;
  /** False if the page has a heading of its own. */
  heading: boolean;
  siteKey?: string;
  /** The page that says what is stored. */
  privacy?: string;
  loadVerifier: LoadVerifier;
  initial: InitialDraft;
  /** Aborted when the form is removed from the page. */
  signal: AbortSignal;
  /** Its functions are assigned on render. */
  handle: Handle;
}

/**
 * The contact form that other sites embed (spec 3): the form, in a dialog or in the page, then the full-page sequence.
 */
export function App(
  {
    host,
    mode,
    endpoint,
    organisation,
    heading,
    siteKey,
    privacy,
    loadVerifier,
    initial,
    signal,
    handle,
  }: AppProps,
) {
  const inPage = mode === "page";
  const title = titleOf(organisation);
  const [open, setOpen] = useState(inPage);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [records, setRecords] = useState(() => loadRecords(endpoint, readReceipt));
  /** True if the form is shown although there is a receipt, for another enquiry. */
  const [again, setAgain] = useState(false);
  const section = useRef<HTMLElement>(null);
  const showsForm = receipt === null && (again || records.receipts.length === 0);

  const keep = (change: Partial<Records>) => {
    const changed = { ...records, ...change };
    setRecords(changed);
    saveRecords(endpoint, changed);
  };

  const submission = useSubmission({
    host,
    endpoint,
    siteKey,
    active: open && showsForm,
    initial,
    signal,
    onRegistered(receipt) {
      setReceipt(receipt);
      setAgain(false);
      const earlier = records.receipts.filter(({ hash }) => hash !== receipt.hash);
      keep({ receipts: [receipt, ...earlier], folded: false });
    },
  });
  const chain = useMemo(
    () => receipt && createChainClient(receipt.chain_url, { fetch, signal }),
    [receipt],
  );
  const sequence = useSequence(receipt, chain);
  const phase = sequence?.phase.value;
  const full = phase !== undefined && phase !== "standby";
  const running = phase !== undefined && phase !== "watch";
  const blocked = submission.busy.value || running;

  const close = () => {
    if (blocked) return;
    if (receipt !== null) {
      setReceipt(null);
      submission.clear();
    }
    setOpen(inPage);
  };
  const { dialog, events, isReady } = useDialog({
    shown: inPage ? full : open,
    hasBackdrop: !full,
    onClose() {
      if (running) sequence!.change(completeText);
      else close();
    },
  });

  useLayoutEffect(() => {
    handle.close = close;
    handle.open = () => {
      if (receipt !== null) return;
      if (inPage) return section.current!.querySelector<HTMLElement>("input, button")?.focus();
      if (open) return;
      submission.reopen();
      setOpen(true);
    };
  });

  // When the focused element disappears, the section that contained it gets the focus.
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) section.current?.focus();
    isFirst.current = false;
  }, [receipt, again]);

  const showForm = () => {
    setAgain(true);
    submission.reopen();
  };
  const openReceipt = () => {
    setAgain(false);
    handle.open();
  };
  const inside = (
    <section
      ref={section}
      class={receipt ? `sheet ${mode} held` : `sheet ${mode}`}
      tabindex={-1}
      aria-label={title}
    >
      {!inPage && !blocked && <CloseButton onClick={close} />}
      <div class="away" role="status">
        {submission.busy.value && COPY.SUBMITTING}
        {phase === "standby" && `${COPY.STAND_BY}. ${COPY.STAND_BY_NOTE}`}
      </div>
      {receipt !== null
        ? <StandbyCard receipt={receipt} />
        : !showsForm
        ? <DoneNote records={records.receipts} onAgain={showForm} />
        : (
          <>
            {heading && (
              <header>
                <p class="eyebrow">{COPY.EYEBROW}</p>
                <h2>{title}</h2>
                <p class="intro">{COPY.INTRO}</p>
              </header>
            )}
            <Form submission={submission} privacy={privacy} />
          </>
        )}
    </section>
  );
  return (
    <div class="root" lang="en">
      {inPage && inside}
      {!inPage && records.receipts.length > 0 && (
        <RecordNote
          hidden={receipt !== null}
          receipt={records.receipts[0]}
          folded={records.folded}
          onFold={(folded) => keep({ folded })}
          onOpen={openReceipt}
        />
      )}
      <dialog
        ref={dialog}
        {...events}
        class={!full ? "over" : phase === "fade" ? "over fading" : "full"}
        aria-label={title}
        data-phase={phase}
        data-mode={mode}
      >
        {!inPage && (!full || phase === "fade") && inside}
        {full && <div class="black" />}
        {full && isReady && chain && (
          <>
            <div class="bar">
              {phase !== "fade" && (
                <p>{COPY.NEXT.replace("{email}", () => receipt!.masked.email!)}</p>
              )}
              {!running ? <CloseButton onClick={close} /> : phase !== "fade" && (
                <SkipButton
                  done={phase !== "teletype"}
                  onClick={() => sequence!.change(completeText)}
                />
              )}
            </div>
            <Teletype
              receipt={receipt!}
              chain={chain}
              sequence={sequence!}
              load={loadVerifier}
            />
          </>
        )}
      </dialog>
    </div>
  );
}
