/**
 * The decorative icons of the consoles and their buttons.
 *
 * @module
 */

/** The width and height of the grid on which the icons are drawn. */
const GRID = 20;
/** The size of an icon on the page, in CSS pixels: a little more than the height of the text beside it. */
const SIZE = 18;

/**
 * The lines of each icon on the grid, as the path of an SVG image. Most lie on halves, so that their edges are sharp. A
 * line of `.1` is a dot, because its ends are round. `.icon` in `components.css` sets the lines' width and ends, so that
 * pages are shorter.
 */
const PATHS = {
  dashboard: "M3 3h6v7H3zM11 3h6v4h-6zM11 10h6v7h-6zM3 13h6v4H3z",
  finance:
    "M10 2v16M14 6.200C13.400 5 12 4.300 10 4.300c-2.300 0-4 1-4 2.700 0 4.200 8.300 1.700 8.300 " +
    "6 0 1.700-1.800 2.800-4.300 2.800-2.200 0-3.900-.8-4.500-2.200",
  inbox:
    "M2.500 11.500 5 4h10l2.500 7.500V16h-15zM2.500 11.500h4.500l1.200 2.200h3.600l1.200-2.200h4.500",
  surfaces:
    "M10 2.500 17.500 6.500 10 10.500 2.500 6.500zM3 10l7 3.800L17 10M3 13.500l7 3.800 7-3.800",
  alerts:
    "M10 2.500a5 5 0 0 1 5 5v3.500l1.500 3h-13l1.500-3V7.500a5 5 0 0 1 5-5zM8 16.500a2 2 0 0 0 4 0",
  records: "M4.500 2.500h8l3 3v12h-11zM12.500 2.500v3h3M7.500 9.500h5M7.500 13h5",
  issuers: "M3 8h14L10 3zM5 8v7M10 8v7M15 8v7M3 17h14",
  payments: "M2.500 4.500h15v11h-15zM2.500 8.200h15M5.500 12.300h4",
  users:
    "M10 10a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600zM3.500 17c.6-3 3-4.500 6.500-4.500s5.900 1.500 6.500 4.500",
  mail: "M2.500 4.500h15v11h-15zM3 5l7 5.500L17 5",
  team:
    "M7 9.500a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400zM2 16c.5-2.700 2.400-4 5-4s4.500 1.300 5 4M13.200 9.200a2.300 2.300 0 1 0-.8-4.400M14.500 11.900c1.900.3 3.100 1.500 3.500 3.600",
  audit:
    "M7.500 4.500h9.500M7.500 10h9.500M7.500 15.500h9.500M3.300 4.500h.1M3.300 10h.1M3.300 15.500h.1",
  infra: "M3 3.500h14v5H3zM3 11.500h14v5H3zM6 6h.1M6 14h.1M10 6h4M10 14h4",
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM13.500 13.500 17.500 17.500",
  menu: "M3 5.500h14M3 10h14M3 14.500h14",
  refresh: "M16.500 10a6.500 6.500 0 1 1-2-4.700M16.500 2.500v3.800h-3.800",
  download: "M10 3v9M6.200 8.500 10 12.300l3.800-3.800M3.500 16.500h13",
};

/** An icon in the colour of the text, always next to a label. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      viewBox={`0 0 ${GRID} ${GRID}`}
      width={SIZE}
      height={SIZE}
      class="icon rigid"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
