/** Not in TypeScript's library yet (https://drafts.csswg.org/scroll-animations-1/). */
type ScrollTimelineConstructor = new (options: { source: Element }) => AnimationTimeline

// Degrees at even distances down the page; each swing is smaller than the one before.
const SWINGS = [0, 8, -7, 5, -4, 2.5, -1.5, 0, 0, 0]

/** Lets the bob swing as the page is scrolled and settle before the form, where the browser can tie one to the other. */
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
