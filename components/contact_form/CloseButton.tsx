import { CONFIG } from "../../lib/contact/config.ts";

/** The cross at the top right. */
export function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="close" aria-label={CONFIG.COPY.CLOSE} onClick={onClick}>
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" stroke-width="1.8" />
      </svg>
    </button>
  );
}
