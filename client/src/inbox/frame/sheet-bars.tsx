import { createPortal } from 'react-dom'
import { useLive } from '../data/use-live.ts'
import { useSheetSlot } from '../ui/sheet.tsx'
import styles from './bars.module.css'
import { EndingBar } from './ending-bar.tsx'
import { LiveStatus } from './live-status.tsx'

/** Repeats what the open sheet covers: the warning before the session ends and, if the page may be out of date or is saving, its status. */
export function SheetBars() {
  const slot = useSheetSlot()
  const isCalm = ['connecting', 'live'].includes(useLive())
  if (!slot) return null
  const bars = (
    <>
      <EndingBar />
      {!isCalm && (
        <div className={styles.status}>
          <LiveStatus />
        </div>
      )}
    </>
  )
  return createPortal(bars, slot)
}
