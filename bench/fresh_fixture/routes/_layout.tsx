import type { PageProps } from "fresh";

export default function Layout({ Component }: PageProps) {
  return (
    <main class="page">
      <nav>
        <a href="/">Home</a> <a href="/plain">Plain</a>
      </nav>
      <Component />
    </main>
  );
}
