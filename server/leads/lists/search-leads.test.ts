import { expect, test } from 'vitest'
import { recordsAfter } from '../../inbox/export-leads.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools, storeLead } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { noteLead, undoNote } from '../change/change-lead.ts'
import { followUp } from '../change/mark-lead.ts'
import { updateSearchText } from '../search/written-text.ts'
import { searchLeads } from './search-leads.ts'

const site = useTestApp()
const key = '019c0000-0000-7000-8000-0000000000bb'

/**
 * What rows of a search show: the name or, with what was found in brackets, a few words from
 * elsewhere.
 */
async function show(search: string) {
  const { leads } = await searchLeads(site.db, { search })
  return leads.map(({ name, found }) =>
    found ? `${found.label}: ${found.before}[${found.match}]${found.after}` : `${name}: ${found}`,
  )
}

const person = (first_name: string, last_name: string, changes = {}) =>
  storeLead(site.db, { first_name, last_name, email: 'x@y.example', company: '', website: '', ...changes })

test('a row shows a few words around what its name does not show', async () => {
  await person('Ada', 'Berg', {
    phone: '(614) 555-0142',
    message: `${'We have a shop. '.repeat(30)}It needs assigned signs soon.`,
  })

  expect(await show('berg')).toEqual(['Ada Berg: null'])
  expect(await show('555 0142')).toEqual(['Phone: [(614) 555-0142]'])
  expect(await show('ada shop')).toEqual([expect.stringMatching(/^Message: We have a \[shop\]\. We /)])
  expect(await show('ada sign')).toEqual([
    'Message: …a shop. We have a shop. We have a shop. It needs assigned [signs] soon.',
  ])
})

test('notes and answers are found and named, together with words of the request, until they are undone', async () => {
  const { submit } = leadTools(site)
  const reference = await submit({ message: 'A roof.' })
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Wants slate, call 614 777 0188.' })
  expect(await show('slate')).toEqual(['In a note: Wants [slate], call 614 777 0188.'])
  const at = '2026-03-05T14:00:00.000Z'
  await followUp(site.inboxDeps, { reference, version: 0, who: anna, at, note: 'Ask about zinc.' })
  expect(await show('zinc')).toEqual(['In the history: Ask about [zinc].'])
  const { answer, undo } = answerTools(site)
  await answer(reference, { text: 'Copper gutters are possible.' })

  expect(await show('roof slat')).toEqual(['Message: A [roof].'])
  expect(await show('7770188')).toEqual(['In a note: Wants slate, call [614 777 0188].'])
  expect(await show('gutters')).toEqual(['In an answer: Copper [gutters] are possible.'])
  await undoNote(site.inboxDeps, { reference, who: anna, key })
  expect([await show('slate'), (await show('copper')).length]).toEqual([[], 1])
  await undo(reference)
  expect([await show('copper'), (await show('roof')).length]).toEqual([[], 1])
})

test('a note that was sent once more with other words is found only by those that are stored', async () => {
  const reference = await leadTools(site).submit({ message: 'A roof.' })
  for (const text of ['Slate.', 'Zinc.']) await noteLead(site.inboxDeps, { reference, who: anna, key, text })

  expect([await show('slate'), await show('zinc')]).toEqual([['In a note: [Slate].'], []])
})

test('what was written long ago is still found after a note and an answer', async () => {
  const { reference, answers } = await mailboxTools(site).answered()
  await mailboxTools(site).takeIn({ answers, text: 'We want slate.' })
  for (const month of ['May', 'June'])
    await mailboxTools(site).takeIn({ answers, text: `${month}: ${'one more thing '.repeat(1_000)}` })

  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Zinc.' })
  await answerTools(site).answer(reference, { text: 'Copper.' })

  expect(await show('slate zinc copper')).toHaveLength(1)
  expect(await show('slate')).toEqual(['In a reply: We want [slate].'])
})

test('each row shows what was found, even if much more has been written about newer leads', async () => {
  const { submit } = leadTools(site)
  const reference = await submit({ message: 'A roof.' })
  const other = await submit({ message: 'A slate roof.' })
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Wants slate.' })
  const { id } = await leadTools(site).read(other)
  const note = {
    lead_id: id,
    at: site.clock.now.toISOString(),
    who: anna,
    what: 'note',
    text: 'Nobody there.',
  }
  await site.db.insertInto('lead_events').values(Array(501).fill(note)).execute()

  expect(await show('slate')).toEqual(['Message: A [slate] roof.', 'In a note: Wants [slate].'])
})

test('an address that has only replied is found, with its words, also if it sent nothing but a file', async () => {
  const { answers, reference } = await mailboxTools(site).answered()
  await mailboxTools(site).takeIn({
    answers,
    from: 'bo@studio-nord.example',
    text: 'Copper gutters, please.',
  })
  await mailboxTools(site).takeIn({ answers, id: '<2@x.example>', from: 'eve@annex.example', text: '' })

  expect(await show('bo@studio')).toEqual(['Wrote from: [bo]@studio-nord.example'])
  expect(await show('annex')).toEqual(['Wrote from: eve@[annex].example'])
  expect(await show('gutters')).toEqual(['In a reply: Copper [gutters], please.'])
  const { leads } = await searchLeads(site.db, { search: 'eve@annex.example' })
  expect(leads.map((lead) => lead.reference)).toEqual([reference])
})

test('files of visitors and owners are found by their names, at once and after later changes, but not by their sizes', async () => {
  const { takeIn, answered } = mailboxTools(site)
  const { reference, answers } = await answered()
  const attachments = ['Shop-Façade_v3.pdf (1.5 MB)', 'IMG 20261128.jpg (2 kB)']
  await takeIn({ answers, text: 'Here they are.', attachments })
  const from = { from: anna, to: 'ada@example.com' }
  await takeIn({ ...from, answers, text: 'And our quote.', attachments: ['offer.docx (9 kB)'] }, 'sent')

  const { answer, attach } = answerTools(site)
  await answer(reference, { key, files: [await attach(reference, 'Estimate.pdf', Buffer.from('1'))] })

  const all = async () => {
    expect(await show('estimate')).toEqual(['File: [Estimate].pdf'])
    expect(await show('facade')).toEqual(['File: [Shop-Façade]_v3.pdf, IMG 20261128.jpg'])
    expect(await show('shop-façade_v3.pdf')).toHaveLength(1)
    expect(await show('20261128')).toEqual(['File: Shop-Façade_v3.pdf, IMG [20261128].jpg'])
    expect(await show('offer.docx')).toEqual(['File: [offer].docx'])
    const bySize = [...(await show('kb')), ...(await show('mb'))]
    // The reference, which is random, may have these letters.
    expect(bySize.filter((row) => !row.startsWith('Reference:'))).toEqual([])
  }
  await all()
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Nice.' })
  await all()
})

test('a search for a whole address finds the lead, however many have written about it since', async () => {
  const { id } = await person('Bo', 'Okafor', { reference: 'Q-7K3M-9QXD' })
  await person('Cy', 'Byron')
  const event = { lead_id: id, at: site.clock.now.toISOString(), what: 'reply', received: '{}' } as const
  const senders = ['zoe', ...Array(25).keys()].map((name) => ({ ...event, who: `${name}@many.example` }))
  await site.db.insertInto('lead_events').values(senders).execute()
  await updateSearchText(site.db, id)

  expect(await show(' Zoe@Many.example ')).toEqual(['Wrote from: [zoe@many.example]'])
  const exported = recordsAfter(site.db, { search: 'zoe@many.example' })
  expect(await exported.execute()).toMatchObject([{ id }])
  expect(await recordsAfter(site.db, { search: '-' }).execute()).toEqual([])
  expect(await show('zoe@many\u0000.example')).toEqual([])
})

test('a search for a whole address leaves out leads that only have its words', async () => {
  await person('Ada', 'Berg', { email: 'anna@mail.example' })
  await person('Anna', 'Okafor', { email: 'joe@mail.example' })
  await person('Cy', 'Byron', { email: 'cy@mail.example', message: 'Ask Anna@Mail.example.' })

  const found = ['Email: [anna]@mail.example', 'Message: Ask [Anna]@Mail.example.']
  expect((await show('anna@mail.example')).toSorted()).toEqual(found)
  expect(await recordsAfter(site.db, { search: 'anna@mail.example' }).execute()).toHaveLength(2)
})

test.each([
  ['as it was copied', 'email', 'o\u2019neil@mail.example', "<O'Neil@Mail.example>,"],
  ['in a file name', 'file', 'From j\u00f6rg@mail.example.pdf', 'J\u00d6RG@mail.example'],
  ['in place of a name', 'first_name', 'anna@mail.example', 'anna@mail.example'],
])('a search for a whole address finds it %s', async (_where, where, stored, search) => {
  const { answers, id } = await mailboxTools(site).answered()
  if (where === 'file') await mailboxTools(site).takeIn({ answers, attachments: [`${stored} (9 kB)`] })
  else
    await site.db
      .updateTable('leads')
      .set({ [where]: stored })
      .where('id', '=', id)
      .execute()
  await updateSearchText(site.db, id)

  expect(await show(search)).toHaveLength(1)
  expect(await recordsAfter(site.db, { search }).execute()).toHaveLength(1)
})
