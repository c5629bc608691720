import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { isPopoverOpen } from '../../ui/popovers.ts'
import { searchId } from '../list/search-and-views.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './shortcuts.module.css'

const OPEN = 'inbox:shortcuts'
/** The id of the reply button on a lead's page. */
export const replyId = 'reply'
export const openShortcuts = () => document.dispatchEvent(new Event(OPEN))

const keys = [
  ['j', 'Next request'],
  ['k', 'Previous request'],
  ['Enter', 'Open the request'],
  ['r', 'Reply'],
  ['u', 'Back to the list'],
  ['/', 'Search'],
  ['?', 'This list'],
] as const

export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const [isOff, setOff] = useState(isShortcutsOff)
  const navigate = useNavigate()
  const { search } = useLocation()
  const { reference } = useParams()

  useEffect(() => {
    const show = () => setOpen(true)
    document.addEventListener(OPEN, show)
    return () => document.removeEventListener(OPEN, show)
  }, [])

  useEffect(() => {
    if (isOff) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (isNoShortcut(event)) return
      const back = () => navigate(`${inboxPath}${search}`)
      if (runShortcut(event.key, { reference, back, show: () => setOpen(true) })) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOff, navigate, search, reference])

  if (!isOpen) return null
  return (
    <Sheet title="Shortcuts" onClose={() => setOpen(false)}>
      <dl className={styles.keys}>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={!isOff}
          onChange={(event) => setOff(turnShortcuts(event.target.checked ? 'on' : 'off'))}
        />
        Shortcuts are on
      </label>
    </Sheet>
  )
}

/** Whether to ignore a key press: the owner is typing, a dialog or menu is open, or a modifier key is held. */
function isNoShortcut(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return true
  if (
    document.querySelector('dialog[open]') ||
    [...document.querySelectorAll('[popover]')].some(isPopoverOpen)
  )
    return true
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

type Navigation = { reference: string | undefined; back: () => void; show: () => void }

/** Runs the shortcut of a key. Returns false if the key has none. */
function runShortcut(key: string, { reference, back, show }: Navigation): boolean {
  if (key === 'j' || key === 'k') moveInList(key === 'j' ? 1 : -1, reference)
  else if (key === 'r') document.getElementById(replyId)?.click()
  else if (key === 'u') back()
  else if (key === '/') document.getElementById(searchId)?.focus()
  else if (key === '?') show()
  else return false
  return true
}

/** Moves the focus to the next or previous row. If the list is hidden, opens that row's lead instead. */
function moveInList(step: 1 | -1, reference: string | undefined) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const at = focused >= 0 ? focused : rows.findIndex((row) => row.dataset.row === reference)
  const next = rows[at < 0 ? 0 : at + step]
  if (!next) return
  const isVisible = next.getClientRects().length > 0
  if (isVisible) next.focus()
  else next.click()
}

const KEY = 'inbox-shortcuts'

/** Whether shortcuts are off in this browser, for every owner. If the browser can't read the setting, they are on. */
function isShortcutsOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off'
  } catch {
    return false
  }
}

/** Turns shortcuts on or off, and returns whether they are off. */
function turnShortcuts(to: 'on' | 'off'): boolean {
  try {
    if (to === 'off') localStorage.setItem(KEY, to)
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  return to === 'off'
}
