import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation, useParams } from 'react-router-dom'
import { brand } from '#facts/brand.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { countInWords } from '#shared/inbox/words.ts'
import { Mark } from '../../ui/mark.tsx'
import { type LiveState, useLive } from '../data/live.ts'
import { summaryQuery } from '../data/queries.ts'
import { signOut } from '../data/sign-in.ts'
import { Menu } from '../ui/menu.tsx'
import { SheetTop } from '../ui/sheet.tsx'
import { LiveBar, LiveStatus, MailBar } from './bars.tsx'
import styles from './frame.module.css'
import { NoticeArea, useNotify } from './notices.tsx'
import { SessionGate, useOwner } from './session.tsx'
import { besideLast, Shortcuts } from './shortcuts.tsx'
import bar from './top-bar.module.css'

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
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  useTitle()
  useFocusOnRow()
  return (
    <SheetTop value={<LiveBar state={live} />}>
      <div className={styles.frame}>
        <TopBar live={live} onShortcuts={() => setShowsShortcuts(true)} />
        <div>
          <MailBar />
        </div>
        <main className={styles.main}>
          <Outlet />
        </main>
      </div>
      <Shortcuts isOpen={showsShortcuts} setOpen={setShowsShortcuts} />
    </SheetTop>
  )
}

/**
 * Shows in the window's title how many leads are waiting, and which page this is, but no names,
 * because browsers keep titles: "(3) Inbox: Agency", "(3) Inbox, Figures: Agency".
 */
function useTitle() {
  const { pathname } = useLocation()
  const { reference } = useParams()
  const [page] = Object.entries(pages).find(([, path]) => path && pathname === inboxPath + path) ?? []
  const place = reference ?? page
  const waiting = useQuery(summaryQuery).data?.waiting ?? 0
  useEffect(() => {
    const count = waiting > 0 ? `(${countInWords(waiting)}) ` : ''
    document.title = `${count}Inbox${place ? `, ${place}` : ''}: ${brand.name}`
  }, [waiting, place])
}

/**
 * When the owner goes back to the list, focuses the row of the lead
 * that was open or, if it is gone, the one beside it.
 */
function useFocusOnRow() {
  const { reference } = useParams()
  const last = useRef(reference)
  useEffect(() => {
    const left = last.current
    last.current = reference
    // Don't take the focus away if the owner is already in the search field.
    if (reference || !left || document.activeElement instanceof HTMLInputElement) return
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
    const row = rows.find((one) => one.dataset.row === left) ?? besideLast(rows, 1) ?? rows[0]
    row?.focus()
  }, [reference])
}

const pages = { Requests: '', Figures: '/figures', Access: '/access' }

function TopBar({ live, onShortcuts }: { live: LiveState; onShortcuts: () => void }) {
  const notify = useNotify()
  const leave = useMutation({
    mutationFn: signOut,
    onError: ({ message }) => notify({ kind: 'failed', text: `You are still signed in: ${message}` }),
  })
  const entries = (
    <>
      {Object.entries(pages).map(([name, path]) => (
        <li key={name}>
          <NavLink className="touch" to={inboxPath + path} end>
            {name}
          </NavLink>
        </li>
      ))}
      <li className={bar.keys}>
        <button type="button" className="touch" onClick={onShortcuts}>
          Shortcuts
        </button>
      </li>
      <li>
        <button type="button" className="touch" onClick={() => leave.mutate()}>
          Sign out
        </button>
      </li>
    </>
  )
  return (
    <header className={`row ${bar.bar}`}>
      <Link className="brand" to={inboxPath}>
        <Mark />
        Inbox
      </Link>
      <LiveStatus state={live} role="status" />
      {/* A narrow screen shows the menu, a wide one the list. */}
      <nav aria-label="Inbox">
        <Menu label="Menu" className={bar.toggle}>
          {entries}
        </Menu>
        <ul className={bar.entries}>{entries}</ul>
      </nav>
    </header>
  )
}
