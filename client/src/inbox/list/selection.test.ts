import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { foundInWords, type List } from './use-list.ts'
import { chosenAfter, rangeIn, type Selection, useSelection } from './use-selection.ts'

const all = ['a', 'b', 'c', 'd']

test.each([
  ['one more', ['a'], 'c', '', ['a', 'c']],
  ['one that is removed', ['a', 'c'], 'a', '', ['c']],
  ['a range downward', ['a'], 'c', 'a', ['a', 'b', 'c']],
  ['a range upward', ['d'], 'b', 'd', ['d', 'b', 'c']],
  ['a range whose end was selected', ['b', 'd'], 'd', 'b', ['b', 'd', 'c']],
  ['a range whose first row is gone', ['a'], 'c', 'gone', ['a', 'c']],
])('a press on a row selects %s', (_what, before, reference, last, chosen) => {
  expect(chosenAfter(before, reference, rangeIn(all, last, reference))).toEqual(chosen)
})

type Step = (selection: Selection, show: (id: string) => void) => void
const press =
  (value: string, shiftKey = false): Step =>
  ({ handlers }) =>
    handlers.onChange({ target: { value }, nativeEvent: { shiftKey } } as never)
const show =
  (id: string): Step =>
  (_, show) =>
    show(id)

test.each<[where: string, steps: Step[], selected: string[]]>([
  ['in another list', [press('a'), show('won'), press('b'), show('open')], ['a', '', 'b', '']],
  ['in another list, with shift', [press('a'), show('won'), press('b', true)], ['a', '', 'b']],
  ['after its end', [press('a'), ({ end }) => end(), press('b', true)], ['a', '', 'b']],
])('nothing of a selection is left %s', (_where, steps, expected) => {
  const selected: string[] = []
  /** Takes one of the steps each time it renders. */
  function Rows() {
    const [id, show] = useState('open')
    const [done, setDone] = useState(0)
    const rows = ['a', 'b'].map((reference) => ({ reference }))
    const selection = useSelection({ id, rows } as List)
    selected[done] = selection.rows.map((row) => row.reference).join()
    steps[done]?.(selection, show)
    if (done < steps.length) setDone(done + 1)
    return null
  }
  renderToStaticMarkup(createElement(Rows))

  expect(selected).toEqual(['', ...expected])
})

test('a request that has changed since it was selected, such as by a message, keeps the version that was seen', () => {
  const selected: string[] = []
  /** Selects a row that then changes, and selects it again. */
  function Rows() {
    const [version, setVersion] = useState(1)
    const [done, setDone] = useState(0)
    const rows = [
      { reference: 'a', version: 1 },
      { reference: 'b', version },
    ]
    const selection = useSelection({ id: 'open', rows } as List)
    selected[done] = selection.rows.map((row) => row.reference + row.version).join()
    const press = (value: string) =>
      selection.handlers.onChange({ target: { value }, nativeEvent: {} } as never)
    const steps = [
      () => press('b'),
      () => setVersion(2),
      () => press('a'),
      () => press('b'),
      () => press('b'),
    ]
    steps[done]?.()
    if (done < steps.length) setDone(done + 1)
    return null
  }
  renderToStaticMarkup(createElement(Rows))

  expect(selected).toEqual(['', 'b1', 'b1', 'b1,a1', 'a1', 'a1,b2'])
})

test.each([
  [0, false, ''],
  [1, false, 'One request found.'],
  [3, false, '3 requests found.'],
  [100, true, 'More than 100 requests found.'],
])('after a search with %i results (more: %j), a screen reader says "%s"', (count, hasMore, words) => {
  expect(foundInWords(count, hasMore)).toBe(words)
})
