import { useEffect, useState } from 'react'

// The current section is the one that crosses a line just above the middle of the window.
const READING_LINE = '-45% 0px -54% 0px'

/** The id of the section that the visitor is reading. */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>()

  useEffect(() => {
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { isIntersecting, target } of changes) {
          if (isIntersecting) setCurrent(target.id)
          else setCurrent((id) => (id === target.id ? undefined : id))
        }
      },
      { rootMargin: READING_LINE },
    )
    for (const id of ids) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])

  return current
}
