import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet, useParams } from 'react-router-dom'
import { countInWords } from '#shared/inbox/count-in-words.ts'
import { useLive } from '../data/live.ts'
import { summaryQuery } from '../data/queries.ts'
import { EndingBar, MailBar, SheetBars } from './bars.tsx'
import styles from './frame.module.css'
import { NoticeArea } from './notices.tsx'
import { SessionGate, useOwner } from './session.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page of the inbox. */
export function Frame() {
  return (
    <NoticeArea>
      <SessionGate>
        <SignedIn />
      </SessionGate>
    </NoticeArea>
  )
}

function SignedIn() {
  const live = useLive(useOwner().isSignedIn)
  useWaitingInTitle()
  useFocusOnRow()
  return (
    <>
      <div className={styles.frame}>
        <TopBar live={live} />
        <div>
          <EndingBar role="alert" />
          <MailBar />
        </div>
        <main className={styles.main}>
          <Outlet />
        </main>
      </div>
      <Shortcuts />
      <SheetBars live={live} />
    </>
  )
}

/** Shows in the window's title how many leads are waiting: "(3) Inbox: Agency". */
function useWaitingInTitle() {
  const waiting = useQuery(summaryQuery).data?.waiting ?? 0
  useEffect(() => {
    document.title = document.title.replace(
      /^(\([\d+]+\) )?/,
      waiting > 0 ? `(${countInWords(waiting)}) ` : '',
    )
  }, [waiting])
}

/** When the owner goes back to the list, focuses the row of the lead that was open or, if it is gone, the first row. */
function useFocusOnRow() {
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
}
