import { useEffect, useState } from 'react'

/**
 * The elements that match the selector and are in the window, extended by `rootMargin`. Undefined
 * until that is known.
 */
export function useInView(selector: string, rootMargin: string): Element[] | undefined {
  const [inView, setInView] = useState<Element[]>()
  useEffect(() => {
    const observer = new IntersectionObserver(
      (changes) => {
        const changed = changes.map(({ target }) => target)
        const entered = changes.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target)
        setInView((before = []) => [...before.filter((element) => !changed.includes(element)), ...entered])
      },
      { rootMargin },
    )
    const observe = () => {
      observer.disconnect()
      for (const element of document.querySelectorAll(selector)) observer.observe(element)
    }
    observe()
    // On a busy machine, Chromium sometimes doesn't report where a smooth scroll has ended.
    addEventListener('scrollend', observe)
    return () => {
      removeEventListener('scrollend', observe)
      observer.disconnect()
    }
  }, [selector, rootMargin])
  return inView
}
