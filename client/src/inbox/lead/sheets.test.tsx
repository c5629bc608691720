import { expect, test, vi } from 'vitest'
import { english } from '#shared/computed-facts.ts'
import { type LeadRow, MAX_ANSWER, MAX_NOTE } from '#shared/inbox/lead.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { buttonsIn, lead, show, today, tomorrow, useAnna } from '../../../e2e/inbox/show-page.tsx'
import { keys, queryClient } from '../data/queries.ts'
import { inputTime } from '../words/times.ts'

useAnna()
const { FollowUpSheet } = await import('./follow-up-sheet.tsx')
const { AnsweredSheet } = await import('./answered-sheet.tsx')
const { CallSheet } = await import('./call-sheet.tsx')
const { NoteSheet } = await import('./note-sheet.tsx')
const { ReplySheet } = await import('./reply-sheet.tsx')
const { EraseSheet } = await import('./erase-sheet.tsx')
const { LiveBar } = await import('../frame/bars.tsx')

const DAY_MS = 24 * 60 * 60_000

/** How long the text in a sheet can be. */
const mostIn = (html: string) => Number(/ maxlength="(\d+)"/i.exec(html)?.[1])

const followUpSheet = (row?: Partial<LeadRow>) =>
  show(<FollowUpSheet lead={row && { ...lead, ...row }} onChoose={() => {}} onClose={() => {}} />)

test('a follow-up is from now on, and at first in the next hour or at the time that is set', () => {
  const { html } = followUpSheet({})
  expect(html).toContain(`min="${inputTime(Date.now())}" max="${inputTime(Date.now() + 365 * DAY_MS)}"`)
  expect(html).toContain(`value="${inputTime(Date.parse('2026-03-04T16:00Z'))}"`)
  expect(followUpSheet({ followUpAt: tomorrow }).html).toContain(`value="${inputTime(Date.parse(tomorrow))}"`)
})

test('the time of a follow-up has to be filled in before the button counts', () => {
  expect(followUpSheet({}).html).toMatch(/<input[^>]* type="datetime-local"[^>]* required=""/)
})

test.each<[string, Partial<LeadRow> | undefined, RegExp | undefined]>([
  ['waits', {}, /The reply is promised by .* tomorrow\. That stays so/],
  ['is late', { dueAt: today }, /The reply was promised by .* today\. /],
  ['is answered', { state: 'answered' }, undefined],
  ['is one of several', undefined, undefined],
])('the follow-up of a request that %s says what becomes of the promise', (_what, row, promise) => {
  const { text } = followUpSheet(row)

  if (promise) expect(text).toMatch(promise)
  else expect(text).not.toContain('promised')
})

test('of a call, the longest note fits behind what it says', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const { html } = show(<CallSheet lead={lead} asksIfReached onClose={() => {}} />)

  expect('Called, no answer. '.length + mostIn(html)).toBe(MAX_NOTE)
  expect(html).toMatch(/<textarea[^>]* aria-describedby="call-note-hint"/)
})

test('a note and an answer have no more characters than the server takes', () => {
  const answered = { ...lead, lastReply: null, template: '', attached: [] }
  expect(mostIn(show(<NoteSheet lead={lead} onClose={() => {}} />).html)).toBe(MAX_NOTE)
  expect(mostIn(show(<ReplySheet lead={answered} onClose={() => {}} />).html)).toBe(MAX_ANSWER)
})

test('of a call about an answered request, only whether it reached the person is asked', () => {
  const answered = { ...lead, state: 'answered' } as const
  const past = [true, false].map((asks) => {
    const { html } = show(<CallSheet lead={answered} asksIfReached={asks} onClose={() => {}} />)
    return buttonsIn(html).filter((name) => /^Now|ago/.test(name ?? ''))
  })
  expect(past).toEqual([['Now '], []])
})

test('an answer elsewhere was given after the request and before now', () => {
  const { html } = show(<AnsweredSheet lead={lead} onClose={() => {}} />)

  expect(html).toContain(`min="${inputTime(Date.parse(lead.receivedAt))}" max="${inputTime(Date.now())}"`)
})

test('before a person is erased, the sheet says whether the request stays, and how long backups remain', () => {
  const [text = '', other] = [lead.email, 'x@y.z'].map(
    (address) => show(<EraseSheet lead={lead} address={address} onClose={() => {}} />).text,
  )
  expect(text).toContain(`All requests from ${lead.email}`)
  expect(other).toMatch(/from x@y\.z.*The request of Ada Lovelace stays\./)

  const end = new Date(Date.now() + BACKUP_DAYS * DAY_MS)
  expect(text).toContain(`until ${end.toLocaleDateString(english, { dateStyle: 'long' })}`)
})

test('a note that is full says that what was pasted may be cut off', () => {
  const noteOf = (length: number) => {
    queryClient.setQueryData(keys.typed('note', lead.reference), { text: 'x'.repeat(length), key: '1' })
    return show(<NoteSheet lead={lead} onClose={() => {}} />).text
  }
  expect(noteOf(MAX_NOTE - 1)).not.toContain('the rest is missing')
  expect(noteOf(MAX_NOTE)).toContain('the rest is missing')
})

test.each([
  ['connecting', ''],
  ['live', ''],
  ['saving', 'Saving…'],
  ['offline', 'Offline: this page may be out of date'],
] as const)('while the page is %s, the top of a sheet says "%s"', (state, words) => {
  expect(show(<LiveBar state={state} />).text.replaceAll('|', '')).toBe(words)
})
