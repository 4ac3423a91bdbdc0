import { useEffect, useRef, useState } from "preact/hooks";
import { ConnectOverlay } from "../components/connect/ConnectOverlay.tsx";
import type { ConnectProps } from "../lib/discovery/connect.ts";

const SEEN = "mcp-badge-seen";

/**
 * The badge of spec 4.5: it opens the explainer over the page. Until its script runs, and on pages
 * without scripts, it is a link to the same content.
 */
export default function MCPBadge(props: ConnectProps) {
  const badge = useRef<HTMLAnchorElement>(null);
  const [state, setState] = useState<"link" | "first" | "again">("link");
  const [open, setOpen] = useState(false);
  useEffect(() => setState(isFirstLoad() ? "first" : "again"), []);
  if (state === "link") return <a class="mcp-badge" href="/connect">MCP Enabled ↓</a>;

  const show = (event: Event) => {
    event.preventDefault();
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    badge.current!.focus(); // some browsers do not focus a link that was clicked
  };
  return (
    <>
      <a
        ref={badge}
        class={state === "first" ? "mcp-badge pulse" : "mcp-badge"}
        href="/connect"
        role="button"
        aria-haspopup="dialog"
        onClick={(event) => isPlain(event) && show(event)}
        onKeyDown={(event) => event.key === " " && show(event)}
      >
        MCP Enabled ↓
      </a>
      <ConnectOverlay {...props} open={open} onClose={close} />
    </>
  );
}

/** With a modifier the badge is still the link, for a tab or a window of its own. */
function isPlain({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey);
}

/** Whether this is the visit's first page; where nothing may be remembered, it is not. */
function isFirstLoad(): boolean {
  try {
    if (sessionStorage.getItem(SEEN) !== null) return false;
    sessionStorage.setItem(SEEN, "1");
    return true;
  } catch {
    return false;
  }
}
