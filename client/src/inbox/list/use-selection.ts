import { type MouseEvent, type PointerEvent, type SyntheticEvent, useRef, useState } from 'react'
import { type LeadRow, MAX_AT_ONCE } from '#shared/inbox/lead.ts'
import type { List } from './use-list.ts'

// As long as a phone takes to open the menu of a link.
const LONG_PRESS_MS = 500

export type Selection = ReturnType<typeof useSelection>

/**
 * The selected rows of a list. A mouse and the keyboard (`x`) use the boxes, with shift
 * for all rows since the last one; a finger presses long on the first row, and then taps.
 */
export function useSelection({ id, rows = [] }: List) {
  const nothing = { list: id, chosen: [] as LeadRow[], last: '' }
  const [selection, setSelection] = useState(nothing)
  // Nothing of it is left in another list.
  const { chosen, last } = selection.list === id ? selection : nothing
  // As they were: if one has changed since, the owner may not have seen what somebody wrote. The
  // server then refuses its version.
  const selected = chosen.filter(({ reference }) => rows.some((row) => row.reference === reference))
  const all = rows.slice(0, MAX_AT_ONCE)
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; isLong?: boolean }>({})

  const select = (reference: string, isRange: boolean) => {
    const all = rows.map((row) => row.reference)
    const before = selected.map((row) => row.reference)
    const wanted = chosenAfter(before, reference, isRange ? rangeIn(all, last, reference) : [])
    const chosen = wanted.flatMap((one) => [...selected, ...rows].find((row) => row.reference === one) ?? [])
    setSelection({ list: id, chosen, last: reference })
  }
  const endPress = () => clearTimeout(press.current.timer)
  const selectOnce = (reference: string) => {
    endPress()
    if (!press.current.isLong) select(reference, false)
    press.current.isLong = true
  }

  return {
    rows: selected,
    has: ({ reference }: LeadRow) => selected.some((row) => row.reference === reference),
    /** Selects all rows that are loaded, but not too many; undefined if they are selected. */
    selectAll: selected.length < all.length ? () => setSelection({ list: id, chosen: all, last }) : undefined,
    end: () => setSelection(nothing),
    /** For the element around the rows. */
    handlers: {
      onChange({ target, nativeEvent }: SyntheticEvent) {
        select((target as HTMLInputElement).value, (nativeEvent as unknown as MouseEvent).shiftKey)
      },
      onClickCapture(event: MouseEvent) {
        const reference = rowOf(event)
        const isTap = selected.length > 0 && isPhone()
        if (!reference || !(press.current.isLong || event.shiftKey || isTap)) return
        // The press must not open the lead, too.
        event.preventDefault()
        event.stopPropagation()
        if (!press.current.isLong) select(reference, event.shiftKey)
      },
      onPointerDown(event: PointerEvent) {
        press.current = {}
        const reference = rowOf(event)
        if (event.pointerType === 'touch' && reference)
          press.current.timer = setTimeout(() => selectOnce(reference), LONG_PRESS_MS)
      },
      // A browser that begins to scroll cancels the press.
      onPointerCancel: endPress,
      onPointerUp: endPress,
      // On Android, a long press would open the menu of the link.
      onContextMenu(event: MouseEvent) {
        const reference = rowOf(event)
        if (!reference || !isPhone()) return
        event.preventDefault()
        selectOnce(reference)
      },
    },
  }
}

/** All rows between two, whichever of them comes first; none if one of them is gone. */
export function rangeIn(all: string[], last: string, reference: string): string[] {
  const from = all.indexOf(last)
  const to = all.indexOf(reference)
  return from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : []
}

/**
 * What is selected after a press on a row, which adds a range, or adds or removes only this row.
 */
export function chosenAfter(before: string[], reference: string, range: string[]): string[] {
  if (range.length < 2 && before.includes(reference)) return before.filter((one) => one !== reference)
  return [...new Set([...before, ...range, reference])].slice(0, MAX_AT_ONCE)
}

const isPhone = () => matchMedia('(hover: none)').matches

/** The reference of the row that was pressed. */
const rowOf = ({ target }: SyntheticEvent): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
