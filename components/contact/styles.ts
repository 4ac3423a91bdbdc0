import FEED from "../../static/styles/feed.css" with { type: "text" };
import { CONFIG } from "../../lib/features/contact/config.ts";

/**
 * The module's style sheet. On other sites it has its own palette, on ours that of the page
 * (`static/styles/tokens.css`). Sizes are in pixels, because the host page defines the `rem`.
 * `!important` in `:host` overrides the page's `!important`.
 */
export const STYLES = `
:host {
  all: initial !important;
  direction: ltr !important;
  display: block !important;
  color-scheme: light dark !important;
}
:host(:not([data-tokens])) {
  --bg: light-dark(#f8fafb, #0f1622) !important;
  --raised: light-dark(#ffffff, #151e2c) !important;
  --card: light-dark(#ffffff, #1a2332) !important;
  --line: light-dark(rgba(26, 35, 50, 0.16), rgba(255, 255, 255, 0.12)) !important;
  --edge: light-dark(#808894, #7a8493) !important;
  --text: light-dark(#1a2332, #e9eef5) !important;
  --muted: light-dark(#556070, #a3adbb) !important;
  --accent: light-dark(#0f766e, #4ecdc4) !important;
  --accent-text: light-dark(#0f6b64, #4ecdc4) !important;
  --on-accent: light-dark(#ffffff, #08201f) !important;
  --warn: light-dark(#8a5a00, #f7b731) !important;
  --bad: light-dark(#b3261e, #ff8f87) !important;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif !important;
  --display: 700 26px/1.15 var(--sans) !important;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace !important;
  --corner: 6px !important;
  --large-corner: 16px !important;
}
/* Uses the theme selected with the page's toggle. */
:host([data-scheme="page"]) { color-scheme: inherit !important; }
/* Our own pages: the organisation's tokens. Those with the same names are inherited. */
:host([data-tokens]) {
  --raised: var(--bg-raised);
  --card: var(--bg-card);
  --edge: color-mix(in srgb, var(--text-muted) 75%, transparent);
  --muted: var(--text-muted);
  --warn: var(--warn-text);
  --bad: var(--bad-text);
  --sans: var(--font-text);
  --display: var(--display-weight) 26px/1.15 var(--font-display);
  --mono: var(--font-mono);
  --corner: var(--radius-small);
  --large-corner: var(--radius-large);
}

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none; }
.root { color: var(--text); font: 400 16px/1.5 var(--sans); text-align: start; text-rendering: geometricPrecision; -webkit-text-size-adjust: 100%; }
h2, p, dl, dd, ol, ul, fieldset { margin: 0; padding: 0; border: 0; list-style: none; }
a { color: var(--accent-text); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.sheet:focus-visible, .paper:focus-visible { outline: none; }

/* The dialog fills the screen; the sheet in it looks like the modal. */
dialog {
  position: fixed; inset: 0; width: 100%; height: 100%; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; background: transparent; color: inherit;
  overflow: hidden auto; overscroll-behavior: contain; outline: none;
}
dialog::backdrop { background: transparent; }
dialog[open] { display: block; }
.over[data-mode="modal"][open] { display: grid; }
.over[data-mode="modal"] { background: rgba(0, 0, 0, 0.7); padding: 32px 20px; place-items: center; }
.sheet { position: relative; outline: none; container-type: inline-size; }
.sheet.modal {
  width: 100%; max-width: 640px; padding: 36px 40px 28px; border: 1px solid var(--line);
  border-radius: var(--large-corner); background: var(--card); box-shadow: 0 18px 50px rgba(0, 0, 0, 0.45);
}
/* The form has its own background, because the page can have any colour. */
.sheet.page { padding: 28px; border: 1px solid var(--line); border-radius: var(--large-corner); background: var(--card); }
:host([data-scheme="page"]) .sheet.page { padding: 0; border: 0; background: none; }
.eyebrow { margin-bottom: 8px; color: var(--accent-text); font: 500 13px/1.4 var(--mono); }
h2 { font: var(--display); letter-spacing: -0.015em; }
.intro { margin: 8px 0 24px; color: var(--muted); }
.close {
  position: absolute; top: 14px; right: 14px; display: grid; place-items: center; width: 40px;
  height: 40px; padding: 0; border: 1px solid var(--line); border-radius: 50%; background: none;
  color: var(--muted); cursor: pointer;
}
.close:hover { color: var(--text); }

form { display: block; }
.fields { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 20px; }
.wide { grid-column: 1 / -1; }
.field { display: block; min-width: 0; margin-bottom: 18px; }
label, legend { display: block; margin-bottom: 6px; padding: 0; font: 600 14px/1.4 var(--sans); }
.optional { margin-left: 4px; color: var(--muted); font: 400 12px/1.4 var(--mono); }
input, select, textarea {
  display: block; width: 100%; min-width: 0; min-height: 44px; margin: 0; padding: 9px 12px;
  border: 1px solid var(--edge); border-radius: var(--corner); background: var(--raised); color: var(--text);
  font: 400 16px/1.4 var(--sans);
}
textarea { resize: vertical; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; }
[aria-invalid="true"] { border-color: var(--bad); }
fieldset[aria-invalid="true"] .chip span { border-color: var(--bad); }
.problem { display: block; margin-top: 6px; color: var(--bad); font: 400 14px/1.4 var(--sans); }
.mobile { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px; }
.dial { position: relative; }
.dial select { position: absolute; inset: 0; height: 100%; opacity: 0; cursor: pointer; }
.dial span {
  display: flex; align-items: center; justify-content: space-between; min-height: 44px;
  padding: 9px 12px; border: 1px solid var(--edge); border-radius: var(--corner); background: var(--raised);
  white-space: nowrap; pointer-events: none;
}
.dial span::after { content: ""; width: 6px; height: 6px; margin: -4px 0 0 8px; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.dial select:focus-visible + span { outline: 2px solid var(--accent); }
.chips { display: grid; grid-template-columns: repeat(4, auto); gap: 8px; }
.chip { position: relative; margin: 0; font-weight: 400; cursor: pointer; }
.chip input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.chip span {
  display: grid; place-items: center; min-height: 44px; padding: 6px 12px;
  border: 1px solid var(--edge); border-radius: var(--corner); background: var(--raised); text-align: center;
}
.chip input:checked + span {
  border-color: var(--accent); background: color-mix(in srgb, var(--accent) 14%, var(--raised));
  box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600;
}
.chip input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; margin: 0;
  padding: 8px 20px; border: 1px solid var(--line); border-radius: var(--corner); background: transparent;
  color: var(--text); font: 600 16px/1.3 var(--sans); text-decoration: none; cursor: pointer;
}
.button:hover { border-color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { background: color-mix(in srgb, var(--accent) 86%, var(--text)); }
.small { min-height: 40px; padding: 4px 14px; font-size: 14px; }
form > .primary { width: 100%; }
[aria-disabled="true"] { opacity: 0.6; cursor: progress; }
.footer { margin-top: 14px; color: var(--muted); font-size: 13px; }
.summary {
  margin-bottom: 22px; padding: 14px 18px; border: 1px solid var(--bad); border-radius: var(--corner);
  background: color-mix(in srgb, var(--bad) 8%, var(--raised));
}
.summary p, .summary ul { margin-top: 6px; }
.summary .button { margin-top: 12px; }
.summary a { color: var(--text); }
slot[name="challenge"] { display: block; margin-bottom: 18px; }

.receipt { padding: 12px 0; text-align: center; font: 400 14px/1.6 var(--mono); color: var(--muted); }
.stand-by { color: var(--warn); font: 600 clamp(32px, 9cqi, 48px)/1.2 var(--mono); letter-spacing: 0.12em; text-indent: 0.12em; }
.hold { height: 2px; margin: 20px auto; max-width: 320px; background: var(--line); }
.hold div { height: 100%; background: var(--warn); transform-origin: left; animation: hold ${CONFIG.STANDBY_HOLD}ms linear both; }
@keyframes hold { from { transform: scaleX(0); } }
.receipt dl { display: inline-grid; grid-template-columns: auto auto; gap: 4px 20px; margin-top: 20px; text-align: left; }
.receipt dd { color: var(--text); }

.done { padding: 8px 0; }
.modal .done h2 { padding-right: 44px; }
.done p { margin-top: 12px; color: var(--muted); }
.hash { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 16px; margin-top: 14px; }
.hash code { flex: 1 1 260px; max-width: 32.5ch; color: var(--text); font: 400 14px/1.6 var(--mono); overflow-wrap: anywhere; user-select: all; }
.hash .blocked { flex-basis: 100%; font-size: 14px; }
.hash .blocked:empty { display: none; }
.facts { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px 24px; margin-top: 18px; }
.facts dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 20px; align-content: start; font: 400 14px/1.6 var(--mono); }
.facts dt { color: var(--muted); }
.facts .qr { flex: none; width: 132px; }
.earlier { margin-top: 20px; border-top: 1px solid var(--line); font-size: 14px; }
.earlier a { font: 400 13px/1.8 var(--mono); overflow-wrap: anywhere; }
.done .actions { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 20px; }
.done .primary, .note .primary { color: var(--on-accent); }

/* The note with the record. On our own pages its height, folded, is kept free below the footer. */
:host([data-scheme="page"]) aside { height: 72px; }
.note {
  position: fixed; left: 16px; bottom: 16px; z-index: 2147483647; width: 420px;
  max-width: calc(100vw - 32px); padding: 0 18px; border: 1px solid var(--line); border-radius: var(--corner);
  background: var(--card); box-shadow: 0 8px 28px rgba(0, 0, 0, 0.35);
}
.note:not([open]) { width: auto; }
.note[open] { padding-bottom: 16px; }
.note summary { padding: 9px 0; font: 600 14px/1.6 var(--sans); cursor: pointer; }
.note p { color: var(--muted); font-size: 14px; }
.note .hash { margin-top: 8px; }
.note .hash code { flex-basis: 230px; font-size: 13px; }
.note .actions { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 14px; }

/* The sequence is black in both themes. */
.fading { overflow: hidden; }
.fading .bar { display: none; }
.black {
  position: fixed; inset: 0; background: #000;
  animation: black ${CONFIG.FADE_TO_BLACK}ms linear both;
}
@keyframes black { from { opacity: 0; } }
.full {
  color-scheme: dark; --text: #dfe6ee; --muted: #8b95a5; --line: rgba(255, 255, 255, 0.16);
  --accent: #4ecdc4; --accent-text: #4ecdc4; background: #000; color: var(--text);
}
.full .black { display: none; }
.full .bar {
  position: sticky; top: 0; z-index: 1; height: 68px;
  background: linear-gradient(#000 70%, transparent); pointer-events: none;
}
.full .close { pointer-events: auto; background: #000; }
.fading .paper { position: absolute; }
.paper {
  position: relative; width: 100%; max-width: 760px; margin: 0 auto;
  padding: 8px 32px 32px; font: 400 15px/1.6 var(--mono);
  font-variant-ligatures: none; outline: none;
}
.paper .title { margin-bottom: 14px; color: var(--accent); letter-spacing: 0.08em; padding-right: 190px; }
.line { padding-right: 190px; overflow-wrap: anywhere; white-space: pre-line; }
.labelled { display: grid; grid-template-columns: 96px minmax(0, 1fr); }
.label { color: var(--muted); }
.qr-link { position: absolute; top: 8px; right: 32px; display: block; width: 164px; }
.qr { display: block; width: 100%; height: auto; }
.qr-link + .line { margin-top: 14px; }
.ends { margin-top: 14px; color: #f7b731; letter-spacing: 0.08em; }
.feed { margin-top: 28px; }

/* The container may be a narrow column of a wide page. */
@container (max-width: 479.98px) {
  .fields { grid-template-columns: minmax(0, 1fr); }
  .chips { grid-template-columns: 1fr 1fr; }
}
@media (max-width: 639.98px) {
  .over[data-mode="modal"] { padding: 0; align-items: start; }
  .sheet.modal { min-height: 100%; padding: 24px 20px; border: 0; border-radius: 0; }
  .sheet.page { padding: 20px; }
  .sheet.modal.held { display: grid; align-content: center; }
  .paper { padding: 0 20px 24px; font-size: 13px; }
  .paper .title, .line { padding-right: 0; }
  .labelled { grid-template-columns: 80px minmax(0, 1fr); }
  .qr-link { position: static; width: 132px; margin-top: 14px; }
  .feed { margin-top: 20px; }
}

@media (prefers-reduced-motion: no-preference) {
  dialog.over[data-mode="modal"] { animation: appear 200ms ease-out; }
  @keyframes appear { from { opacity: 0; } }
}
@media (prefers-reduced-motion: reduce) {
  .hold div, .black { animation: none; }
}
@media print { aside, button { display: none !important; } }
@media (forced-colors: active) {
  .chip input:checked + span { outline: 2px solid Highlight; }
  .qr { forced-color-adjust: none; }
}
${FEED}`;
