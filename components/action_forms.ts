/** After an action, clicks do nothing for this time: they may be the second of a double click. */
const QUIET_MS = 500;

const NO_RESPONSE = "The site did not respond. Check your connection and try again.";

/**
 * Shows the results of forms without loading the page again. A form that is sent with a button
 * `[data-inline]` in an element `[data-card]` is sent in the background. The result of the page that
 * the site returns then covers the card, which keeps its height, so that the next card does not move
 * under the pointer. "Undo" uncovers the card. Every other form is sent as usual, but only once.
 *
 * @returns how to stop
 */
export function handleForms(): () => void {
  const stopped = new AbortController();
  const options = { capture: true, signal: stopped.signal };
  let quietUntil = document.querySelector("[data-result]") === null ? 0 : soon();
  let busy = false;

  async function send(card: HTMLElement, form: HTMLFormElement, button: HTMLElement) {
    const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { accept: "text/html" },
    }).catch(() => null);
    if (response === null) return showProblem(card, NO_RESPONSE);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // The page asks for a passkey. The browser has to open it.
    if (page.querySelector("[data-resume]") !== null) return sendAsUsual(form, button);
    const result = page.querySelector<HTMLElement>("[data-result]");
    const problem = page.querySelector("main [role=alert]")?.textContent;
    if (response.ok && result !== null) {
      if (card.hasAttribute("data-acted")) uncover(card, result);
      else cover(card, document.importNode(result, true), form);
    } else if (!response.ok && problem) showProblem(card, problem);
    else location.assign(response.url); // such as the sign-in page
  }

  document.addEventListener("click", (event) => {
    if (performance.now() >= quietUntil || !event.isTrusted) return;
    const control = (event.target as Element).closest("button, summary");
    if (control === null || control.closest("main") === null) return;
    event.preventDefault();
    event.stopPropagation();
  }, options);

  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== "post" || form.closest("main") === null) return;
    if (busy || performance.now() < quietUntil) return event.preventDefault();
    quietUntil = soon();
    const card = form.closest<HTMLElement>("[data-card]");
    const button = event.submitter;
    if (card === null || button?.dataset.inline === undefined) return;
    event.preventDefault();
    busy = true;
    send(card, form, button).catch(reportError).finally(() => {
      busy = false;
      quietUntil = soon();
    });
  }, { signal: stopped.signal });

  for (const result of document.querySelectorAll<HTMLElement>("[data-result]")) endUndo(result);
  return () => stopped.abort();
}

/** Sends a form as a browser without scripts does. */
function sendAsUsual(form: HTMLFormElement, button: HTMLElement): void {
  const { name, value } = button as HTMLButtonElement;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  form.append(field);
  HTMLFormElement.prototype.submit.call(form);
}

/** Shows a result over a card, in place of the end of the form, so that nothing moves or scrolls. */
function cover(card: HTMLElement, result: HTMLElement, form: HTMLElement): void {
  const end = form.getBoundingClientRect().bottom - card.getBoundingClientRect().top;
  for (const child of card.children) (child as HTMLElement).inert = true;
  const height = card.offsetHeight;
  card.toggleAttribute("data-acted", true);
  card.prepend(result);
  const space = result.offsetTop;
  result.style.top = `${Math.max(space, end - result.offsetHeight)}px`;
  card.style.minHeight = `${Math.max(height, result.offsetHeight + 2 * space)}px`;
  endUndo(result);
  focusOn(result);
}

/** Shows a card again whose result was undone. */
function uncover(card: HTMLElement, { textContent }: Element): void {
  card.querySelector("[data-result]")?.remove();
  card.querySelector(".action-problem")?.remove();
  card.toggleAttribute("data-acted", false);
  card.style.minHeight = "";
  for (const child of card.children) (child as HTMLElement).inert = false;
  const status = document.querySelector("[data-announce]");
  if (status !== null) status.textContent = textContent;
  focusOn(card.querySelector<HTMLElement>("h2, h3") ?? card);
}

const soon = () => performance.now() + QUIET_MS;

/** Removes "Undo" from a result when it no longer works. */
function endUndo(result: HTMLElement): void {
  const left = result.dataset.left;
  if (left === undefined) return;
  setTimeout(() => {
    const form = result.querySelector("form");
    if (form === null || !result.isConnected) return;
    const hadFocus = form.contains(document.activeElement);
    form.remove();
    result.querySelector("[data-early]")?.remove();
    result.querySelector("[data-late]")?.removeAttribute("hidden");
    if (hadFocus) focusOn(result);
  }, Number(left));
}

function showProblem(card: HTMLElement, text: string): void {
  card.querySelector(".action-problem")?.remove();
  const problem = document.createElement("p");
  problem.className = "action-problem problem";
  problem.role = "alert";
  problem.textContent = text;
  (card.querySelector("[data-result]") ?? card).append(problem);
  focusOn(problem);
}

function focusOn(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}
