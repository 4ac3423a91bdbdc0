/** The theme menu in the navigation bar of pages with scripts; `ThemeForm.tsx` is its form without them. */
import { useEffect, useState } from "preact/hooks";
import { type ThemeChoice, themeCookie } from "../lib/platform/http/theme.ts";
import { type Choice, ThemeForm, ThemeIcon } from "./ThemeForm.tsx";

const THEMES: Record<Choice, string> = { system: "System", dark: "Dark", light: "Light" };

/**
 * Chooses the colours: the system's, dark or light. A choice other than the system's is stored in a
 * cookie, so that the server renders the next page with it. Until its script runs, it is a form.
 */
export function ThemeToggle({ theme, returns }: ThemeChoice) {
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
    document.cookie = themeCookie(next === "system" ? null : next);
    setCurrent(next);
  };
  if (current === null) return <ThemeForm theme={theme} returns={returns} />;
  return (
    <label class="theme-toggle">
      <span class="visually-hidden">Colours</span>
      <ThemeIcon choice={current} />
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
