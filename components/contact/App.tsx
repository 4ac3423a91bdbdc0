import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CONFIG, titleOf } from "../../lib/contact/config.ts";
import { createChainClient } from "./chain_client.ts";
import { Form } from "./Form.tsx";
import { CloseButton, DoneNote, StandbyCard } from "./Panels.tsx";
import type { Receipt } from "./responses.ts";
import { useSequence } from "./run_sequence.ts";
import { isClosable } from "./sequence.ts";
import { Teletype } from "./Teletype.tsx";
import { useDialog } from "./useDialog.ts";
import { type InitialDraft, useSubmission } from "./useSubmission.ts";

const { COPY } = CONFIG;

export interface Handle {
  open: () => void;
  close: () => void;
}

export interface AppProps {
  host: HTMLElement;
  mode: "modal" | "page";
  endpoint: string;
  /** The name of the organisation in the form's title. */
  organisation?: string;
  siteKey?: string;
  initial: InitialDraft;
  /** Aborted when the module is destroyed. */
  signal: AbortSignal;
  /** Its functions are assigned on render. */
  handle: Handle;
}

/** The module: the form, in a dialog or in the page, then the full-page sequence (spec 3). */
export function App(
  { host, mode, endpoint, organisation, siteKey, initial, signal, handle }: AppProps,
) {
  const inPage = mode === "page";
  const title = titleOf(organisation);
  const [open, setOpen] = useState(inPage);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  /** In page mode, the registration whose feed was closed. */
  const [done, setDone] = useState<Receipt | null>(null);
  const section = useRef<HTMLElement>(null);

  const submission = useSubmission({
    host,
    endpoint,
    siteKey,
    active: open,
    initial,
    signal,
    onRegistered: setReceipt,
  });
  const chain = useMemo(
    () => receipt && createChainClient(receipt.chain_url, { fetch, signal }),
    [receipt],
  );
  const moment = useSequence(receipt, chain);
  const phase = receipt === null ? undefined : moment?.state.phase;
  const full = phase !== undefined && phase !== "standby";
  const running = receipt !== null && !(moment && isClosable(moment.state));
  const blocked = submission.busy || running;

  const close = () => {
    if (blocked) return;
    if (receipt !== null) {
      setReceipt(null);
      if (inPage) setDone(receipt);
      submission.clear();
    }
    setOpen(inPage);
  };
  const { dialog, events, isReady } = useDialog({
    shown: inPage ? full : open,
    hasBackdrop: !full,
    onClose: close,
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

  // When the form disappears, the focused element does too, so the section gets the focus.
  useLayoutEffect(() => {
    if (receipt !== null || done !== null) section.current?.focus();
  }, [receipt, done]);

  const again = () => {
    setDone(null);
    submission.reopen();
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
        {submission.busy && COPY.SUBMITTING}
        {phase === "standby" && `${COPY.STAND_BY}. ${COPY.STAND_BY_NOTE}`}
      </div>
      {receipt !== null
        ? <StandbyCard receipt={receipt} />
        : done !== null
        ? <DoneNote receipt={done} onAgain={again} />
        : (
          <>
            {!inPage && (
              <header>
                <p class="eyebrow">{COPY.EYEBROW}</p>
                <h2>{title}</h2>
                <p class="intro">{COPY.INTRO}</p>
              </header>
            )}
            <Form submission={submission} />
          </>
        )}
    </section>
  );
  return (
    <div class="root" lang="en">
      {inPage && inside}
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
        {full && isReady && chain && moment && (
          <>
            <div class="bar">{!running && <CloseButton onClick={close} />}</div>
            <Teletype receipt={receipt!} chain={chain} moment={moment} />
          </>
        )}
      </dialog>
    </div>
  );
}
