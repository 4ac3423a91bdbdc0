/** The button for light, dark or system colours on pages without scripts, and the icons of these choices. */
import type { ThemeChoice } from "../lib/platform/http/theme.ts";

export type Choice = "system" | "dark" | "light";

/** The choice that follows each. */
const NEXT: Record<Choice, Choice> = { system: "dark", dark: "light", light: "system" };

/** Changes the theme without scripts, where the page can be opened again. */
export function ThemeForm({ theme, returns }: ThemeChoice) {
  if (!returns) return null;
  const current = theme ?? "system";
  return (
    <form method="post" action="/theme">
      <button class="theme-toggle" type="submit" name="theme" value={NEXT[current]}>
        <span class="visually-hidden">Colours: {current}, switch to {NEXT[current]}</span>
        <ThemeIcon choice={current} />
      </button>
    </form>
  );
}

/** Half a disc for the system's colours, a moon for dark, a sun for light. */
export function ThemeIcon({ choice }: { choice: Choice }) {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      {choice === "system" && (
        <>
          <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
        </>
      )}
      {choice === "dark" && (
        <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" fill="currentColor" />
      )}
      {choice === "light" && (
        <>
          <circle cx="12" cy="12" r="4.2" fill="currentColor" />
          <path
            d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1"
            stroke="currentColor"
            stroke-width="1.6"
            stroke-linecap="round"
          />
        </>
      )}
    </svg>
  );
}
