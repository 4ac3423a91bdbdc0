import type { ComponentChildren } from "preact";

export function StateNote(
  { kind, title, children }: {
    kind: "empty" | "error";
    title: string;
    children?: ComponentChildren;
  },
) {
  return (
    <div class={`state ${kind}`} role={kind === "error" ? "alert" : undefined}>
      <svg viewBox="0 0 24 24" width="32" height="32" aria-hidden="true">
        <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path
          d={kind === "error" ? "M12 7v6M12 16.500v.1" : "M8 12h8"}
          fill="none"
          stroke="currentColor"
          stroke-width="1.800"
          stroke-linecap="round"
        />
      </svg>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
