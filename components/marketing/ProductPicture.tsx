import { asset } from "fresh/runtime";
import { PHONE_IMAGE, PRODUCT_IMAGES } from "./product_images.ts";

export type ProductImage = keyof typeof PRODUCT_IMAGES;

/** The widths at which phones get their own pictures. The stylesheet has the same limit. */
const PHONES = "(max-width: 35.98rem)";

/**
 * A screenshot in a plain window. The stylesheet shows the picture for the page's colours, so it also
 * follows the theme toggle; the other one is not rendered, and so a lazy image is never loaded.
 *
 * @param sizes the widths at which the page shows it, as in the `sizes` of an image
 */
export function ProductPicture(
  { name, alt, sizes }: { name: ProductImage; alt: string; sizes: string },
) {
  const { width, height, widths } = PRODUCT_IMAGES[name];
  const source = (scheme: string, pixels: number) =>
    asset(`/product/${name}-${scheme}-${pixels}.webp`);
  return (
    <div class="window">
      <span class="window-bar" aria-hidden="true" />
      {(["light", "dark"] as const).map((scheme) => (
        <picture key={scheme} class={`window-${scheme}`}>
          <source
            media={PHONES}
            srcset={source(scheme, PHONE_IMAGE.pixels)}
            width={PHONE_IMAGE.width}
            height={PHONE_IMAGE.height}
          />
          <img
            src={source(scheme, widths[0])}
            srcset={widths.map((pixels) =>
              `${source(scheme, pixels)} ${pixels}w`
            ).join(", ")}
            sizes={sizes}
            width={width}
            height={height}
            alt={alt}
            loading="lazy"
            decoding="async"
          />
        </picture>
      ))}
    </div>
  );
}
