/** The background video of the sign-in page, with its pause button. */
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * The video behind the sign-in card. Its sources have a media condition, so with reduced motion it
 * is neither shown nor downloaded. It loops, so there is a button to pause it (WCAG 2.2, 2.2.2).
 */
export function Backdrop({ webm, mp4 }: { webm: string; mp4: string }) {
  const ref = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<"unknown" | "playing" | "paused">("unknown");
  useEffect(() => {
    const video = ref.current!;
    const observe = () => setState(video.paused ? "paused" : "playing");
    // The video may have started before this script, or autoplay may be blocked.
    if (video.readyState > 0) observe();
    for (const event of ["playing", "pause"]) video.addEventListener(event, observe);
    return () => {
      for (const event of ["playing", "pause"]) video.removeEventListener(event, observe);
    };
  }, []);

  const toggle = () => state === "playing" ? ref.current!.pause() : ref.current!.play();
  const motion = "(prefers-reduced-motion: no-preference)";
  return (
    <>
      <video
        ref={ref}
        class="backdrop-video full-width"
        autoplay
        loop
        muted
        playsInline
        aria-hidden="true"
        tabindex={-1}
      >
        <source src={webm} type="video/webm" media={motion} />
        <source src={mp4} type="video/mp4" media={motion} />
      </video>
      {state !== "unknown" && (
        <button type="button" class="backdrop-toggle" onClick={toggle}>
          {state === "playing" ? "Pause the background" : "Play the background"}
        </button>
      )}
    </>
  );
}
