import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { isCovered } from '../../ui/popovers.ts'
import { isOn, SettingBox } from '../ui/setting.tsx'
import { Sheet } from '../ui/sheet.tsx'

const SETTING = 'inbox-shortcuts'
type Props = { isOpen: boolean; setOpen: (isOpen: boolean) => void }

/**
 * Keyboard shortcuts, and a sheet that lists them. The owner can turn them off in this browser.
 * What a key presses has it as `data-key`.
 */
export function Shortcuts({ isOpen, setOpen }: Props) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const { reference } = useParams()
  const atLead = (key: string) => isAtOpenLead(reference) && press(key, pane() ?? undefined)
  /** Changes all leads that are selected in the list or, if none is, the open one. */
  const change = (key: string) => {
    const selection = document.querySelector('[data-selection]')
    if (isVisible(selection)) press(key, selection ?? undefined)
    else atLead(key)
  }
  const move = (step: 1 | -1) => {
    const { rows, at } = placeInList()
    const next = at < 0 ? (besideLast(rows, step) ?? rows[0]) : rows[at + step]
    // On a narrow screen, a lead would replace the list.
    if (!isVisible(pane())) return next?.focus()
    // Until somebody looks at it, it stays new.
    const options = { replace: reference !== undefined, state: { isNext: true } }
    if (next) navigate(`${inboxPath}/${next.dataset.row}${search}`, options)
  }
  // The browser itself opens the request that has the focus.
  const shortcuts: [key: string, what: string, action?: (key: string) => unknown][] = [
    ['j', 'Next request', () => move(1)],
    ['k', 'Previous request', () => move(-1)],
    ['Enter', 'Open the request'],
    ['r', 'Reply', atLead],
    ['Ctrl+Enter', 'Send the answer (on a Mac: ⌘+Enter)'],
    ['z', 'Undo', press],
    ['c', 'Call', atLead],
    ['n', 'Add a note', atLead],
    ['f', 'Follow up later', change],
    ['e', 'Nothing to answer', change],
    ['w', 'Won', change],
    ['l', 'Lost', change],
    ['!', 'Spam', change],
    ['x', 'Select the request', () => selectInList(false)],
    ['X', 'Select all from the last selected one to this one', () => selectInList(true)],
    ['Escape', 'End the selection', press],
    ['u', 'Back to the list', () => navigate(inboxPath + search)],
    ['/', 'Search', (key) => withKey(key)?.focus()],
    ['?', 'This list', () => setOpen(true)],
  ]
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const [, , action] = shortcuts.find(([key]) => key === event.key) ?? []
    if (!isOn(SETTING) || !action || isNoShortcut(event)) return
    // A key that is held goes through the list, but must not change one lead after another.
    if (event.repeat && event.key !== 'j' && event.key !== 'k') return
    event.preventDefault()
    action(event.key)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    document.addEventListener('focusin', placeInList)
    return () => {
      document.removeEventListener('keydown', listener)
      document.removeEventListener('focusin', placeInList)
    }
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
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || isCovered()) return true
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  )
}

/**
 * The rows, and the place of the one that has the focus or, if none has, of the open lead. The page
 * may show that a moment later: the address knows it at once.
 */
function placeInList() {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const item = document.activeElement?.closest('li')
  const focused = rows.findIndex((row) => row.closest('li') === item)
  const opened = rows.findIndex((row) => location.pathname === `${inboxPath}/${row.dataset.row}`)
  const at = focused >= 0 ? focused : opened
  if (at >= 0) lastPlace = { list: shownList(), references: rows.map(({ dataset }) => dataset.row), at }
  return { rows, at }
}

type Place = { list: string | undefined; references: (string | undefined)[]; at: number }
let lastPlace: Place = { list: undefined, references: [], at: -1 }

/** Which list is shown. */
function shownList(): string | undefined {
  return document.querySelector<HTMLElement>('[data-list]')?.dataset.list
}

/** If the row where the owner was has left the list, the row that was nearest to it. */
export function besideLast(rows: HTMLElement[], step: 1 | -1): HTMLElement | undefined {
  const { list, references, at } = lastPlace
  const rowOf = (reference: string | undefined) => rows.find(({ dataset }) => dataset.row === reference)
  if (list !== shownList() || rowOf(references[at])) return
  const before = references.slice(0, at).reverse()
  const after = references.slice(at + 1)
  const nearest = step > 0 ? [...after, ...before] : [...before, ...after]
  return rowOf(nearest.find(rowOf))
}

/** Whether what a key does to the lead that is shown can't be meant for another one. */
function isAtOpenLead(reference: string | undefined): boolean {
  const { rows, at } = placeInList()
  return at < 0 || rows[at]?.dataset.row === reference
}

/** Selects a row or, with `isRange`, all rows from the last one that was selected. */
function selectInList(isRange: boolean) {
  const { rows, at } = placeInList()
  const box = rows[at]?.closest('li')?.querySelector('input')
  if (isVisible(box))
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
}

/** The newest element with this key. */
const withKey = (key: string, where: ParentNode = document) =>
  [...where.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)].at(-1)

const press = (key: string, where?: ParentNode) => withKey(key, where)?.click()

/** What shows the open lead. */
const pane = () => document.querySelector('[data-pane]')

const isVisible = (element: Element | null | undefined) => (element?.getClientRects().length ?? 0) > 0
