import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './show-more.module.css'

type Props = { isLoading: boolean; onMore: () => void }

/** Loads more leads when the owner scrolls near the end of the list. The button is for keyboard users and for retries. */
export function ShowMore({ isLoading, onMore }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isLoading || !place.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '600px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isLoading, onMore])
  return (
    <div ref={place} className={styles.more}>
      <Button kind="plain" disabled={isLoading} onClick={onMore}>
        {isLoading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}
