export function Logo() {
  return (
    <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true" focusable="false">
      <rect x="2" y="9" width="10" height="10" rx="2.5" fill="currentColor" />
      <rect
        x="16"
        y="9"
        width="10"
        height="10"
        rx="2.5"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
      />
      <path d="M12 14h4" stroke="currentColor" stroke-width="2" />
    </svg>
  );
}
