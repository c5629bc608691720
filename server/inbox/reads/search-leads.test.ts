import { expect, test } from 'vitest'
import { PAGE_SIZE } from '#shared/inbox/lead.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools, storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { noteLead, undoNote } from '../leads/change-lead.ts'
import { readCursor } from './lists.ts'
import { searchLeads } from './search-leads.ts'

const site = useTestApp()
const key = '019c0000-0000-7000-8000-0000000000bb'

/** What a search shows: the name, the label, and the text, with what was found in brackets. */
async function show(search: string) {
  const inBrackets = (pieces: string[] = []) =>
    pieces.map((piece, at) => (at % 2 ? `[${piece}]` : piece)).join('')
  const { leads } = await searchLeads(site.db, { search })
  return leads.map(({ found }) =>
    [inBrackets(found?.name), `${found?.label}${inBrackets(found?.text ?? [])}`].filter(Boolean).join(': '),
  )
}

const person = (first_name: string, last_name: string, changes = {}) =>
  storeLead(site.db, { first_name, last_name, email: 'x@y.example', company: '', website: '', ...changes })

test.each([
  ['schmit', 'Schmidt'],
  ['schmiddt', 'Schmidt'],
  ['okafer', 'Okafor'],
  ['okfaor', 'Okafor'],
  ['mulelr', 'Müller'],
  ['jhon', 'John'],
  ['oniel', "O'Neil"],
  ['annaline', 'Anna-Lina'],
])('a search for %j finds the name %j, with one wrong letter', async (search, name) => {
  await person('Bo', name)

  expect(await show(search)).toEqual([`Bo [${name}]`])
})

test.each(['okefer', 'bok', '0kafor', 'xkafor xylophone'])(
  'a search for %j does not find Okafor',
  async (search) => {
    await person('Bob', 'Okafor')

    expect(await show(search)).toEqual([])
  },
)

test('names that are only alike come after all exact ones, on all pages, each lead once', async () => {
  const alike = Array.from({ length: PAGE_SIZE }, (_, index) => ({
    last_name: 'Schmidt',
    reference: `alike ${index}`,
  }))
  await storeLeads(site.db, { last_name: 'Schmit', reference: 'exact' }, ...alike)

  const first = await searchLeads(site.db, { search: 'schmit' })
  const second = await searchLeads(site.db, { search: 'schmit', after: readCursor(first.next ?? '') })

  expect(first.leads.map(({ reference }) => reference).slice(0, 2)).toEqual(['exact', 'alike 99'])
  expect([first.leads.length, second.leads.map(({ reference }) => reference), second.next]).toEqual([
    100,
    ['alike 0'],
    null,
  ])
})

test('what was found is marked in the name or, if it is not there, with a few words around it', async () => {
  await person('Ada', 'Berg', {
    phone: '(614) 555-0142',
    message: `${'We have a shop. '.repeat(30)}It needs new signs soon.`,
  })

  expect(await show('berg')).toEqual(['Ada [Berg]'])
  expect(await show('555 0142')).toEqual(['Ada Berg: Phone: [(614) 555-0142]'])
  expect(await show('ada sign')).toEqual([
    '[Ada] Berg: …have a shop. We have a shop. We have a shop. It needs new [signs] soon.',
  ])
})

test('notes and answers are found and named, together with words of the request, until the note is undone', async () => {
  const { submit } = leadTools(site)
  const reference = await submit({ message: 'A roof.' })
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Wants slate, call 614 777 0188.' })
  await answerTools(site).answer(reference, { text: 'Copper gutters are possible.' })

  expect(await show('roof slat')).toEqual(['Ada Lovelace: A [roof].'])
  expect(await show('slate')).toEqual(['Ada Lovelace: In a note: Wants [slate], call 614 777 0188.'])
  expect(await show('7770188')).toEqual(['Ada Lovelace: In a note: Wants slate, call [614 777 0188].'])
  expect(await show('gutters')).toEqual(['Ada Lovelace: In an answer: Copper [gutters] are possible.'])
  await undoNote(site.inboxDeps, { reference, who: anna, key })
  expect([await show('slate'), (await show('copper')).length]).toEqual([[], 1])
})
