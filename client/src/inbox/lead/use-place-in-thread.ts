import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { isCovered } from '../../ui/popovers.ts'

const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'click'] as const
// By then, everything has loaded. A screen reader moves without any of these events.
const SETTLED_MS = 3_000

/**
 * Calls `act` once an owner does something there, or after a time. Call the result to stop.
 * The press that has led here doesn't count.
 */
export function whenMoved(there: EventTarget, act: () => void, afterMs: number): () => void {
  const options = { capture: true, passive: true }
  const timer = setTimeout(act, afterMs)
  for (const move of moves) there.addEventListener(move, act, options)
  return () => {
    clearTimeout(timer)
    for (const move of moves) there.removeEventListener(move, act, options)
  }
}

/** The page of the lead that an element is on. */
const pageOf = (element: Element | null) => element?.closest('article')

/** Shows the end of the page: the last message stands above the buttons. */
const showEnd = (element: Element | null) => pageOf(element)?.scrollIntoView({ block: 'end' })

/**
 * Opens a thread at its element with `data-new` or, if there is none, at its end. Until the owner
 * moves, it stays there, although heights change.
 */
export function useOpenAtNew(thread: RefObject<HTMLElement | null>, isAtTop: boolean): void {
  useLayoutEffect(() => {
    const element = thread.current
    if (!element || isAtTop) return
    const show = () => {
      const news = element.querySelector('[data-new]')
      if (news) news.scrollIntoView()
      else showEnd(element)
    }
    show()
    const observer = new ResizeObserver(show)
    observer.observe(element)
    const stop = () => {
      observer.disconnect()
      stopWaiting()
    }
    const stopWaiting = whenMoved(window, stop, SETTLED_MS)
    return stop
  }, [])
}

// As high as the buttons at the bottom, which cover the end of the page.
const COVERED = '0px 0px -80px'
// How soon something counts as seen after a sheet or a menu that covered it has closed.
const LOOK_AGAIN_MS = 500

/**
 * While the end of a thread is in view, stays there when something comes. Returns a ref for an
 * element at the end, and the newest event that the owner can have seen there.
 */
export function useEndInView(newest: number) {
  const end = useRef<HTMLDivElement>(null)
  const isInView = useRef(false)
  const [seenUpTo, setSeenUpTo] = useState(newest)
  const look = () => {
    if (isInView.current && !isCovered()) setSeenUpTo(newest)
  }
  useLayoutEffect(() => {
    if (isInView.current) showEnd(end.current)
    look()
  }, [newest])
  useEffect(() => {
    if (seenUpTo === newest) return
    const timer = setInterval(look, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [seenUpTo, newest])
  const onMove = useEffectEvent((entries: IntersectionObserverEntry[]) => {
    isInView.current = entries.at(-1)?.isIntersecting ?? false
    look()
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => onMove(entries), { rootMargin: COVERED })
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return { end, seenUpTo, goToEnd: () => showEnd(end.current) }
}

/**
 * Returns a function to call right before something is added above the first event: what the owner
 * reads stays in place.
 */
export function useKeptPlace(thread: RefObject<HTMLElement | null>, first: number | undefined) {
  const kept = useRef<{ item: Element; top: number }>(undefined)
  useLayoutEffect(() => {
    const { item, top = 0 } = kept.current ?? {}
    kept.current = undefined
    if (item) scrollerOf(item)?.scrollBy(0, item.getBoundingClientRect().top - top)
  }, [first])
  return () => {
    const item = thread.current?.querySelector(`[data-item="${first}"]`)
    if (item) kept.current = { item, top: item.getBoundingClientRect().top }
  }
}

/** What scrolls: the pane in a wide window, or else the whole page. */
function scrollerOf(element: Element): Element | null {
  const pane = pageOf(element)?.parentElement
  return pane && getComputedStyle(pane).overflowY === 'auto' ? pane : document.scrollingElement
}
