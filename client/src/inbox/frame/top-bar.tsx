import { useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { Mark } from '../../ui/mark.tsx'
import { closePopover } from '../../ui/popovers.ts'
import type { LiveState } from '../data/live.ts'
import { signOut } from '../data/sign-in.ts'
import { LiveStatus } from './bars.tsx'
import { useNotify } from './notices.tsx'
import { openShortcuts } from './shortcuts.tsx'
import styles from './top-bar.module.css'

const menuId = 'inbox-menu'
const closeMenu = (event: MouseEvent<HTMLElement>) => closePopover(event.currentTarget)

export function TopBar({ live }: { live: LiveState }) {
  const notify = useNotify()
  const leave = useMutation({
    mutationFn: signOut,
    onError: ({ message }) => notify({ kind: 'failed', text: `You are still signed in: ${message}` }),
  })
  return (
    <header className={styles.bar}>
      <Link className={styles.brand} to={inboxPath}>
        <Mark className={styles.bob} />
        Inbox
      </Link>
      <LiveStatus state={live} role="status" />
      <button type="button" className={styles.toggle} popoverTarget={menuId}>
        Menu
      </button>
      {/* On a narrow screen, the button above opens this menu. On a wide screen, the menu is part of the bar. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a button or link in the menu also fires a click event. */}
      <nav id={menuId} className={styles.menu} popover="auto" aria-label="Inbox" onClick={closeMenu}>
        <NavLink to={inboxPath} end>
          Requests
        </NavLink>
        <NavLink to={`${inboxPath}/figures`}>Figures</NavLink>
        <NavLink to={`${inboxPath}/access`}>Access</NavLink>
        <button type="button" className={styles.keys} onClick={openShortcuts}>
          Shortcuts
        </button>
        <button type="button" onClick={() => leave.mutate()}>
          Sign out
        </button>
      </nav>
    </header>
  )
}
