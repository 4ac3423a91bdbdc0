/** Pictures of the product on marketing pages, with sizes and formats for each screen and theme. */
import { asset } from "fresh/runtime";
import { PRODUCT_IMAGES, SHAPES } from "./product_images.ts";

export type ProductImage = keyof typeof PRODUCT_IMAGES;

/** The widths at which phones get their own pictures. The stylesheet has the same limit. */
const PHONES = "(max-width: 639.98px)";

/**
 * A screenshot in a plain window. The stylesheet shows the picture for the page's colours, so it also
 * follows the theme toggle; the other one is not rendered, and so a lazy image is never loaded. Browsers
 * without AVIF get WebP.
 *
 * @param sizes the widths at which the page shows it, as in the `sizes` of an image
 */
export function ProductPicture(
  { name, alt, sizes }: { name: ProductImage; alt: string; sizes: string },
) {
  const shape = PRODUCT_IMAGES[name];
  const { width, height, widths } = SHAPES[shape];
  const { phone } = SHAPES;
  return (
    <div class={`window framed on-card ${shape}`}>
      <span class="window-bar screen-only" aria-hidden="true" />
      {(["light", "dark"] as const).map((scheme) => {
        const file = (pixels: number, format: string) =>
          asset(`/product/${name}-${scheme}-${pixels}.${format}`);
        const srcset = (format: string) =>
          widths.map((pixels) => `${file(pixels, format)} ${pixels}w`).join(", ");
        return (
          <picture key={scheme} class={`window-${scheme}`}>
            {(["avif", "webp"] as const).map((format) => (
              <source
                key={format}
                media={PHONES}
                type={`image/${format}`}
                srcset={`${file(phone.widths[0], format)} ${phone.widths[0]}w`}
                sizes={sizes}
                width={phone.width}
                height={phone.height}
              />
            ))}
            <source
              type="image/avif"
              srcset={srcset("avif")}
              sizes={sizes}
              width={width}
              height={height}
            />
            <img
              class="full-width"
              src={file(widths[0], "webp")}
              srcset={srcset("webp")}
              sizes={sizes}
              width={width}
              height={height}
              alt={alt}
              loading="lazy"
              decoding="async"
            />
          </picture>
        );
      })}
    </div>
  );
}
