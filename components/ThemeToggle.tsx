import { useEffect, useState } from "preact/hooks";
import { THEME_LIFETIME_S } from "../lib/platform/http/theme.ts";

const THEMES = { system: "System", dark: "Dark", light: "Light" };
type Choice = keyof typeof THEMES;

/**
 * Chooses the colours: the system's, dark or light. A choice other than the system's is stored in a
 * cookie, so that the server renders the next page with it. Without JavaScript the control is
 * hidden, and the system's preference applies.
 */
export function ThemeToggle({ theme }: { theme: "dark" | "light" | null }) {
  const [current, setCurrent] = useState<Choice | null>(null);
  useEffect(() => setCurrent(theme ?? "system"), []);
  useEffect(() => {
    document.addEventListener("keydown", closeMenu);
    return () => document.removeEventListener("keydown", closeMenu);
  }, []);

  const change = (next: Choice) => {
    const { dataset } = document.documentElement;
    if (next === "system") delete dataset.theme;
    else dataset.theme = next;
    const kept = next === "system"
      ? "theme=; Max-Age=0"
      : `theme=${next}; Max-Age=${THEME_LIFETIME_S}`;
    document.cookie = `${kept}; Path=/; SameSite=Lax`;
    setCurrent(next);
  };
  return (
    <label class="theme-toggle" hidden={current === null}>
      <span class="visually-hidden">Colours</span>
      <Icon choice={current ?? "system"} />
      <select onChange={(event) => change(event.currentTarget.value as Choice)}>
        {Object.entries(THEMES).map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === current}>{text}</option>
        ))}
      </select>
    </label>
  );
}

/** Closes the bar's menu on Escape. This is the only script that every page with a bar loads. */
function closeMenu(event: KeyboardEvent) {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const menu = document.querySelector<HTMLDetailsElement>(":is(.nav-narrow, .console-menu)[open]");
  if (menu === null) return;
  menu.open = false;
  menu.querySelector("summary")!.focus();
}

/** Half a disc for the system's colours, a moon for dark, a sun for light. */
function Icon({ choice }: { choice: Choice }) {
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
