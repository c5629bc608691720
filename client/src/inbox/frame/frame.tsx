import { useEffect, useRef } from 'react'
import { Outlet, useParams } from 'react-router-dom'
import { countInWords } from '#shared/inbox/words.ts'
import { useSummary } from '../data/queries.ts'
import { ErasePerson } from '../lead/erase-person.tsx'
import { OpenedLink } from '../sign-in/opened-link.tsx'
import { EndingBar } from './ending-bar.tsx'
import styles from './frame.module.css'
import { MailBar } from './mail-bar.tsx'
import { NoticeArea } from './notice-area.tsx'
import { SessionGate } from './session-gate.tsx'
import { SheetBars } from './sheet-bars.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page of the inbox. */
export function Frame() {
  return (
    <SessionGate>
      <NoticeArea>
        <WaitingInTitle />
        <FocusOnRow />
        <OpenedLink />
        <div className={styles.frame}>
          <TopBar />
          <div>
            <EndingBar role="alert" />
            <MailBar />
          </div>
          <main className={styles.main}>
            <ErasePerson>
              <Outlet />
            </ErasePerson>
          </main>
        </div>
        <Shortcuts />
        <SheetBars />
      </NoticeArea>
    </SessionGate>
  )
}

/** Shows in the window's title how many leads are waiting: "(3) Inbox: Agency". */
function WaitingInTitle() {
  const waiting = useSummary().data?.waiting ?? 0
  useEffect(() => {
    document.title = document.title.replace(
      /^(\([\d+]+\) )?/,
      waiting > 0 ? `(${countInWords(waiting)}) ` : '',
    )
  }, [waiting])
  return null
}

/** When the owner goes back to the list, focuses the row of the lead that was open or, if it is gone, the first row. */
function FocusOnRow() {
  const { reference } = useParams()
  const last = useRef(reference)
  useEffect(() => {
    const left = last.current
    last.current = reference
    // Don't take the focus away if the owner is already in the search field.
    if (reference || !left || document.activeElement instanceof HTMLInputElement) return
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(left)}"]`)
    const other = document.querySelector<HTMLElement>('[data-row]')
    ;(row ?? other)?.focus()
  }, [reference])
  return null
}
