/** The “MCP Enabled” badge of the sites, which explains their MCP servers. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ExplainerDialog } from "./Explainer.tsx";
import type { ConnectProps } from "../../lib/features/mcp/connect.ts";

const SEEN = "mcp-badge-seen";

/**
 * The badge (spec 4.5), which opens the explainer as a dialog. Until its script runs, it is a link
 * to a page with the same content.
 */
export function MCPBadge(props: ConnectProps) {
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
    badge.current!.focus(); // some browsers don't focus a clicked link
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
      <ExplainerDialog {...props} open={open} onClose={close} />
    </>
  );
}

/** Returns false with a modifier key, with which the link opens in a new tab or window. */
function isPlain({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey);
}

/** Returns whether this is the first page of the visit; false if storage is blocked. */
function isFirstLoad(): boolean {
  try {
    if (sessionStorage.getItem(SEEN) !== null) return false;
    sessionStorage.setItem(SEEN, "1");
    return true;
  } catch {
    return false;
  }
}
