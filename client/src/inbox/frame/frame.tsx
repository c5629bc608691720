import { useEffect } from 'react'
import { Outlet } from 'react-router-dom'
import { useSummary } from '../data/queries.ts'
import { countInWords } from '../words/count-in-words.ts'
import { EndingBar } from './ending-bar.tsx'
import styles from './frame.module.css'
import { MailBar } from './mail-bar.tsx'
import { NoticeArea } from './notice-area.tsx'
import { SessionGate } from './session-gate.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page of the inbox. */
export function Frame() {
  return (
    <SessionGate>
      <NoticeArea>
        <WaitingInTitle />
        <div className={styles.frame}>
          <TopBar />
          <div>
            <EndingBar />
            <MailBar />
          </div>
          <main className={styles.main}>
            <Outlet />
          </main>
        </div>
        <Shortcuts />
      </NoticeArea>
    </SessionGate>
  )
}

/** "(3) Inbox: Plumbline" */
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
