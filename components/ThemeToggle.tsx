import { useEffect, useState } from "preact/hooks";

type Theme = "dark" | "light";

const YEAR = 365 * 24 * 60 * 60;

/**
 * Switches between dark and light. The choice is stored in a cookie, so that the server renders the
 * next page with it. Without JavaScript the button is hidden and the system's preference applies.
 */
export function ThemeToggle({ theme }: { theme: Theme | null }) {
  const [current, setCurrent] = useState<Theme | null>(null);

  useEffect(() => {
    const prefersLight = matchMedia("(prefers-color-scheme: light)").matches;
    setCurrent(theme ?? (prefersLight ? "light" : "dark"));
  }, []);

  const next: Theme = current === "dark" ? "light" : "dark";
  const change = () => {
    document.documentElement.dataset.theme = next;
    document.cookie = `theme=${next}; Path=/; Max-Age=${YEAR}; SameSite=Lax`;
    setCurrent(next);
  };
  return (
    <button
      type="button"
      class="theme-toggle"
      hidden={current === null}
      aria-label={`Switch to ${next} colours`}
      onClick={change}
    >
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
      </svg>
    </button>
  );
}
