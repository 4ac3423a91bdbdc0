import type { ComponentChildren } from "preact";

/** The layout around every page. */
export function Layout({ children }: { children: ComponentChildren }) {
  return (
    <main class="page">
      <nav>
        <a href="/">Home</a> <a href="/plain">Plain</a>
      </nav>
      {children}
    </main>
  );
}
