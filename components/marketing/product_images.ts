/** The pictures in `static/product`, by shape. Written by `deno task screenshots`. */
export const PRODUCT_IMAGES = {
  record: "tall",
  shared: "tall",
  check: "tall",
  verify: "tall",
  qualifications: "wide",
} as const;

/** The sizes of each shape in CSS pixels, and the widths of the files in pixels. */
export const SHAPES = {
  wide: { width: 1116, height: 696, widths: [744, 1488] },
  tall: { width: 744, height: 780, widths: [496, 992] },
  phone: { width: 400, height: 460, widths: [600] },
} as const;
