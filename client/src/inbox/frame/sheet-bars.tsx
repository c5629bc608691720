import { createPortal } from 'react-dom'
import { useLive } from '../data/use-live.ts'
import { useSheetSlot } from '../ui/sheet.tsx'
import styles from './bars.module.css'
import { EndingBar } from './ending-bar.tsx'
import { LiveStatus } from './live-status.tsx'

/** Repeats what the open sheet covers: the warning before the session ends and, if the page isn't live, its status. */
export function SheetBars() {
  const slot = useSheetSlot()
  const isLive = useLive() === 'live'
  if (!slot) return null
  const bars = (
    <>
      <EndingBar />
      {!isLive && (
        <div className={styles.status}>
          <LiveStatus />
        </div>
      )}
    </>
  )
  return createPortal(bars, slot)
}
