import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { expect, test } from 'vitest'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { allIn, buttonsIn, lead, show, today, tomorrow, useAnna } from '../../../e2e/inbox/show-page.tsx'
import { keys, queryClient } from '../data/queries.ts'
import { Gauge } from '../ui/gauge.tsx'
import { moment } from '../words/times.ts'

useAnna()
const { LeadList } = await import('./lead-list.tsx')
const { useList, useNews } = await import('./use-list.ts')
const { useSelection } = await import('./use-selection.ts')
const { SelectionBar } = await import('./selection-bar.tsx')

const stuckSince = '2026-03-04T15:00:00.000Z'
const bounced = 'Your answer did not arrive.'
const inADay = moment(tomorrow, Date.parse(stuckSince))
const late = { dueAt: '2026-03-03T14:00:00.000Z' }

function List() {
  const list = useList()
  return <LeadList list={list} current={useParams().reference} selection={useSelection(list)} />
}

/** The list with these pages of rows. */
function showList(pages: Partial<LeadRow>[][], path = '/', summary = {}) {
  const view = path.includes('won') ? 'won' : 'open'
  const leads = pages.map((rows) => ({ leads: rows.map((row) => ({ ...lead, ...row })), next: null }))
  queryClient.setQueryData(keys.list(view, ''), { pages: leads, pageParams: pages.map(() => '') })
  const figures = { counts: {}, waiting: 2, late: 1, medianMinutesToAnswer: null, ...summary }
  queryClient.setQueryData(['summary'], figures)
  return show(<List />, path)
}

const counts = { open: 4, later: 5 }
const found = { label: 'In a note', before: 'wants ', match: 'copper', after: '' }
test.each<[what: string, row: Partial<LeadRow>, shown: string | RegExp, missing?: string]>([
  ['a dot, if nobody has read it', { isUnread: true }, /<span class="_mark_\w+"><\/span>/],
  ['no dot, if it was read', { isUnread: false }, 'Ada', '<span class="_mark_'],
  ['the found name', { found: null }, '<mark>Ada Lovelace</mark>'],
  ['the found words', { found }, 'In a note: wants </span><mark>copper</mark>', '<mark>Ada'],
  ['a follow-up that is due', { state: 'answered', followUpAt: today }, '>Follow up</span>'],
  [
    'a promise that is late beside its follow-up',
    { ...late, followUpAt: today },
    />1 day over<.*>Follow up</,
  ],
  [
    'why there is a follow-up, before the words of the person',
    { followUpAt: today, note: 'Call at 3' },
    />Note: Call at 3<.*>Hello!</,
  ],
  ['no note of a follow-up that was removed', { note: 'Call at 3' }, '>Hello!<', 'Call at 3'],
  ['a later follow-up', { followUpAt: tomorrow }, `>Back ${inADay}</span>`, ' left'],
  ['a promise that is late before it', { ...late, followUpAt: tomorrow }, `>Back ${inADay}, 1 day over<`],
  ['none after an answer', { ...late, state: 'answered', followUpAt: tomorrow }, `>Back ${inADay}<`],
  ['a suspect', { isSuspect: true }, '>Suspect<', ' left'],
  [
    'the words of somebody who wrote again before that',
    { repliedAt: '2026-03-04T12:00Z' },
    />Hello!<.*>Wrote again</,
  ],
  ['when somebody wrote again', { repliedAt: '2026-03-04T12:00Z' }, '>3 h ago<', '1 day ago'],
  ['the files of somebody who wrote nothing', { words: '', files: ['plan.pdf'] }, '>1 file: plan.pdf<'],
  ['the company', { company: 'Ada Inc.' }, '<bdi>Ada Inc., No plan chosen,</bdi>'],
  ['words before marks', { wroteBefore: true }, />Hello!<.*>Wrote before</],
  ['a result of an open request', { result: 'won' }, '>Won</strong>'],
  ['a result once', { result: 'won', state: 'answered' }, '>Won</span>', '>Won</strong>'],
  ['trouble instead of words', { trouble: bounced }, bounced, 'Hello!'],
])('a row shows %s', (_what, row, shown, missing) => {
  const { html } = showList([[row]])

  expect(html).toMatch(shown)
  if (missing) expect(html).not.toContain(missing)
})

test('a list that has grown between two pages shows each request once', () => {
  const { html } = showList([
    [{}, { reference: 'Q-2' }],
    [{ reference: 'Q-2' }, { reference: 'Q-3' }],
  ])

  expect(allIn(html, /data-row="([^"]*)"/g)).toEqual(['Q-1', 'Q-2', 'Q-3'])
})

test('a new request that came into an empty list stays when others come, of which new ones are held back, and stands out until it is read', () => {
  const old = { reference: 'Q-1', receivedAt: '2026-03-03T15:00:00.000Z' } as LeadRow
  const [first, second] = ['Q-2', 'Q-3'].map(
    (reference) => ({ reference, receivedAt: '2026-03-04T15:01:00.000Z', isUnread: true }) as LeadRow,
  ) as [LeadRow, LeadRow]
  const steps = [[], [first], [old, first], [old, second, { ...first, isUnread: false }]]
  const shown: string[] = []
  /** Takes the next step every other time it renders. */
  function Rows() {
    const [renders, setRenders] = useState(0)
    const step = Math.floor(renders / 2)
    const { rows, news, isNew } = useNews(steps[step], 'open')
    const all = [rows, news, rows?.filter(isNew)]
    shown[step] = all.map((some) => some?.map(({ reference }) => reference)).join(' and ')
    if (renders < steps.length * 2 - 1) setRenders(renders + 1)
    return null
  }
  show(<Rows />)

  // What is new is announced.
  expect(shown).toEqual([' and  and ', 'Q-2 and Q-2 and Q-2', 'Q-2,Q-1 and  and Q-2', 'Q-2,Q-1 and Q-3 and '])
})

test.each([
  ['/?view=won', 'h1', 'Requests: Won', 'Won', '/inbox/Q-1?view=won'],
  ['/?view=nonsense', 'h1', 'Requests: Open', 'More', '/inbox/Q-1?view=nonsense'],
  ['/Q-1', 'h2', 'Requests: Open', 'More', '/inbox/Q-1'],
])('the list of %s says which it is', (path, heading, title, menu, link) => {
  const { html, text } = showList([[{}]], path, { medianMinutesToAnswer: 150, counts })

  expect(html).toMatch(new RegExp(`<${heading} class="visually-hidden">${title}<`))
  expect(buttonsIn(html)).toEqual([menu])
  expect(html.includes('aria-current="page" style')).toBe(menu !== 'More')
  expect(html).toContain(`href="${link}"`)
  expect(html.includes('aria-current="true"')).toBe(path === '/Q-1')
  expect(text).toMatch(/Open *\|4\|.*Later *\|5\|/)
  expect(text).toContain('2.5 h')
  expect(text).toContain('|usual reply, office hours|')
})

test('the figures above the list stand out once one is late, and leave out what is not known yet', () => {
  expect(showList([[]]).html).toContain('data-late="true"')
  const terms = /<dt[^>]*>(waiting|late)<\/dt><dd[^>]*>(\d)<\/dd>/g
  expect([...showList([[]]).html.matchAll(terms)].map(([, term, figure]) => [term, figure])).toEqual([
    ['waiting', '2'],
    ['late', '1'],
  ])
  const { html, text } = showList([[]], '/', { late: 0 })
  expect(html).not.toContain('data-late')
  expect(text).not.toContain('usual reply')
})

test.each([
  ['open', 'Answered, Nothing to answer, Won, Lost, Spam, Later…'],
  ['open answered', 'Won, Lost, Spam, Later…'],
  ['open lost', 'Won, Spam, Later…'],
  ['won', 'Lost, Spam, Later…'],
  ['suspect', 'Not spam, Spam'],
  ['suspect spam', 'Not spam'],
  ['open suspect', 'Spam'],
  ['open spam', 'Spam'],
])('selected requests that are %s can be changed together: %s', (kinds, buttons) => {
  const rows = kinds.split(' ').map((kind): LeadRow => {
    if (kind === 'suspect') return { ...lead, isSuspect: true }
    if (kind === 'won' || kind === 'lost') return { ...lead, state: 'answered', result: kind }
    return { ...lead, state: kind as LeadRow['state'] }
  })
  const { html } = show(<SelectionBar rows={rows} selectAll={undefined} end={() => {}} />)

  expect(buttonsIn(html).join(', ')).toBe(`Cancel, ${buttons}`)
})

test('what can be done with several requests has the keys that the shortcuts list', () => {
  const { html } = show(<SelectionBar rows={[lead]} selectAll={undefined} end={() => {}} />)

  expect(allIn(html, /data-key="([^"]*)"/g)).toEqual(['Escape', 'e', 'w', 'l', '!', 'f'])
})

test.each([
  ['calm', '300'],
  ['late', '0'],
] as const)('the line of a promise that is %s is as long as the time left', (tone, start) => {
  expect(show(<Gauge tone={tone} share={0.25} />).html).toContain(`d="M${start} 6H400"`)
})
