/** Not in TypeScript's library yet (https://drafts.csswg.org/scroll-animations-1/). */
type ScrollTimelineConstructor = new (options: { source: Element }) => AnimationTimeline

// Degrees at even steps from the top to the bottom of the page.
const SWINGS = [0, 8, -7, 5, -4, 2.5, -1.5, 0, 0, 0]

/** Swings the bob with scrolling and settles it before the form, if the browser has scroll timelines. */
export function swingWithScrolling(bob: Element): (() => void) | undefined {
  const { ScrollTimeline } = window as { ScrollTimeline?: ScrollTimelineConstructor }
  if (!ScrollTimeline || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined
  const timeline = new ScrollTimeline({ source: document.documentElement })
  const animation = bob.animate(
    { rotate: SWINGS.map((degrees) => `${degrees}deg`) },
    { timeline, fill: 'both' },
  )
  return () => animation.cancel()
}
