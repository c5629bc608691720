import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { isPopoverOpen } from '../../ui/popovers.ts'
import { isOn, SettingBox } from '../ui/setting.tsx'
import { Sheet } from '../ui/sheet.tsx'

const SETTING = 'inbox-shortcuts'
/** The id of the search field. */
export const searchId = 'search'
/** The id of the button that ends a selection. */
export const endSelectionId = 'end-selection'
/** The id of the reply button on a lead's page. */
export const replyId = 'reply'
/** The id of the entry in the menu of a lead that ends its promise without an answer. */
export const nothingToAnswerId = 'nothing-to-answer'

type Props = { isOpen: boolean; setOpen: (isOpen: boolean) => void }

/** Keyboard shortcuts, and a sheet that lists them. The owner can turn them off in this browser. */
export function Shortcuts({ isOpen, setOpen }: Props) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const { reference } = useParams()
  const press = (id: string) => document.getElementById(id)?.click()
  // The browser itself opens the request that has the focus.
  const shortcuts: [key: string, what: string, action?: () => unknown][] = [
    ['j', 'Next request', () => moveInList(1, reference)],
    ['k', 'Previous request', () => moveInList(-1, reference)],
    ['Enter', 'Open the request'],
    ['r', 'Reply', () => press(replyId)],
    ['Ctrl+Enter', 'Send the answer (on a Mac: ⌘+Enter)'],
    ['e', 'Nothing to answer', () => isAtOpenLead(reference) && press(nothingToAnswerId)],
    ['x', 'Select the request', () => selectInList(false, reference)],
    ['X', 'Select all from the last selected one to this one', () => selectInList(true, reference)],
    ['Escape', 'End the selection', () => press(endSelectionId)],
    ['u', 'Back to the list', () => navigate(inboxPath + search)],
    ['/', 'Search', () => document.getElementById(searchId)?.focus()],
    ['?', 'This list', () => setOpen(true)],
  ]
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const [, , action] = shortcuts.find(([key]) => key === event.key) ?? []
    if (!isOn(SETTING) || !action || isNoShortcut(event)) return
    // A key that is held goes through the list, but must not end the promise of one lead after another.
    if (event.repeat && event.key === 'e') return
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
