import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { isPopoverOpen } from '../../ui/popovers.ts'
import { isOn, SettingBox } from '../ui/setting.tsx'
import { Sheet } from '../ui/sheet.tsx'

const SETTING = 'inbox-shortcuts'
/** The ids of what a shortcut presses. */
export const shortcutIds = {
  search: 'search',
  endSelection: 'end-selection',
  reply: 'reply',
  later: 'follow-up-later',
  nothingToAnswer: 'nothing-to-answer',
  won: 'won',
  lost: 'lost',
  spam: 'mark-spam',
  note: 'add-note',
} as const
/** The keys that change a lead. */
const changes = ['e', 'w', 'l', '!']

type Props = { isOpen: boolean; setOpen: (isOpen: boolean) => void }

/** Keyboard shortcuts, and a sheet that lists them. The owner can turn them off in this browser. */
export function Shortcuts({ isOpen, setOpen }: Props) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const { reference } = useParams()
  const press = (id: keyof typeof shortcutIds) => document.getElementById(shortcutIds[id])?.click()
  const pressAtLead = (id: keyof typeof shortcutIds) => isAtOpenLead(reference) && press(id)
  // The browser itself opens the request that has the focus.
  const shortcuts: [key: string, what: string, action?: () => unknown][] = [
    ['j', 'Next request', () => moveInList(1, reference)],
    ['k', 'Previous request', () => moveInList(-1, reference)],
    ['Enter', 'Open the request'],
    ['r', 'Reply', () => press('reply')],
    ['Ctrl+Enter', 'Send the answer (on a Mac: ⌘+Enter)'],
    ['f', 'Follow up later', () => pressAtLead('later')],
    ['n', 'Add a note', () => pressAtLead('note')],
    ['e', 'Nothing to answer', () => pressAtLead('nothingToAnswer')],
    ['w', 'Won', () => pressAtLead('won')],
    ['l', 'Lost', () => pressAtLead('lost')],
    ['!', 'Spam', () => pressAtLead('spam')],
    ['x', 'Select the request', () => selectInList(false, reference)],
    ['X', 'Select all from the last selected one to this one', () => selectInList(true, reference)],
    ['Escape', 'End the selection', () => press('endSelection')],
    ['u', 'Back to the list', () => navigate(inboxPath + search)],
    ['/', 'Search', () => document.getElementById(shortcutIds.search)?.focus()],
    ['?', 'This list', () => setOpen(true)],
  ]
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const [, , action] = shortcuts.find(([key]) => key === event.key) ?? []
    if (!isOn(SETTING) || !action || isNoShortcut(event)) return
    // A key that is held goes through the list, but must not change one lead after another.
    if (event.repeat && changes.includes(event.key)) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  if (!isOpen) return null
  return (
    <Sheet title="Shortcuts" onClose={() => setOpen(false)}>
      <dl className="lines">
        {shortcuts.map(([key, what]) => (
          <div key={key} className="row">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <SettingBox setting={SETTING}>Shortcuts are on</SettingBox>
    </Sheet>
  )
}

/**
 * Whether to ignore a key press: the owner is typing, a dialog or
 * menu is open, or a modifier key is held.
 */
function isNoShortcut(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return true
  if (
    document.querySelector('dialog[open]') ||
    [...document.querySelectorAll('[popover]')].some(isPopoverOpen)
  )
    return true
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  )
}

/** The rows, and the place of the one that has the focus or, if none has, of the open lead. */
function placeInList(reference: string | undefined) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const item = document.activeElement?.closest('li')
  const focused = rows.findIndex((row) => row.closest('li') === item)
  const at = focused >= 0 ? focused : rows.findIndex((row) => row.dataset.row === reference)
  return { rows, at }
}

/** Whether what a key does to the open lead can't be meant for another one, which has the focus. */
function isAtOpenLead(reference: string | undefined): boolean {
  const { rows, at } = placeInList(reference)
  return at < 0 || rows[at]?.dataset.row === reference
}

/** Selects a row or, with `isRange`, all rows from the last one that was selected. */
function selectInList(isRange: boolean, reference: string | undefined) {
  const { rows, at } = placeInList(reference)
  const box = rows[at]?.closest('li')?.querySelector('input')
  if (box && box.getClientRects().length > 0)
    box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
}

/**
 * Moves the focus to the next or previous row. If the list is hidden,
 * opens that row's lead instead.
 */
function moveInList(step: 1 | -1, reference: string | undefined) {
  const { rows, at } = placeInList(reference)
  const next = rows[at < 0 ? 0 : at + step]
  if (!next) return
  const isVisible = next.getClientRects().length > 0
  if (isVisible) next.focus()
  else next.click()
}
