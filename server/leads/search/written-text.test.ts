import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, storeLead } from '../../proof/testing/leads.ts'
import { foundIn } from './found-in.ts'
import { hasWrittenFrom, isBetween, isOfOthers, leadsWithMessages, othersIn, readSenders } from './senders.ts'
import { addToSearchText, readSaid, updateSearchText } from './written-text.ts'

const site = useTestApp()

async function store(...events: { text?: string; who?: string }[]) {
  const { id } = await storeLead(site.db)
  const reply = { lead_id: id, at: site.clock.now.toISOString(), who: anna, what: 'reply' } as const
  for (const event of events)
    await site.db
      .insertInto('lead_events')
      .values({ ...reply, ...event })
      .execute()
  return id
}
const storeReplies = (...texts: string[]) => store(...texts.map((text) => ({ text })))

test('of very many senders, the twenty who have written last count, the newest first', async () => {
  const senders = ['1', ...Array(19).keys(), 'last', '0', '', '1'].map(String)
  const id = await store(...senders.map((who) => ({ who })))

  const found = (await readSenders(site.db, id)).map(({ address }) => address)

  expect(found.slice(0, 4)).toEqual(['1', '0', 'last', '18'])
  expect(found).not.toContain('')
})

test('who has written about one lead has not written about another, and is found in any case', async () => {
  const id = await store({ who: 'bo@example.com' })
  const { id: another } = await storeLead(site.db)
  await site.db.updateTable('lead_events').set({ received: '{}' }).execute()

  const written = [id, another].map((lead) => hasWrittenFrom(site.db, lead, 'Bo@Example.com'))
  expect(await Promise.all(written)).toEqual([true, false])
  expect(await leadsWithMessages(site.db, 'Bo@Example.com')).toMatchObject([{ id, messages: 1 }])
})

test('a search looks through the newest 20,000 characters, of however many texts, and the last text whole', async () => {
  const id = await storeReplies('oldest', 'o'.repeat(15_000), ...Array(60).fill('n'.repeat(100)))

  const texts = (await readSaid(site.db, id)).map(({ text }) => text)

  expect(texts).toEqual([...Array(60).fill('n'.repeat(100)), 'o'.repeat(15_000)])
})

test('of a very long history, a search looks through the newest 500 texts', async () => {
  const id = await storeReplies(...Array(540).fill('short'))

  expect(await readSaid(site.db, id)).toHaveLength(500)
})

const wordsOf = async (id: string) => {
  const { parts, words } = await site.db
    .selectFrom('lead_texts')
    .select(['parts', 'words'])
    .where('lead_id', '=', id)
    .executeTakeFirstOrThrow()
  return { parts: parts.split(' ').toSorted(), words: words.split(' ').toSorted() }
}

test.each([
  'We would like to go ahead',
  'Gr\u00fc\u00dfe aus M\u00fcnchen: call +49 (0)89 1234 567, or O\u2019Brien-Smith',
  '',
])('a lead is found by a message that is added as by one that was there: %j', async (text) => {
  const id = await storeReplies(text)
  await addToSearchText(site.db, id, foundIn(text), anna)
  const added = await wordsOf(id)

  await updateSearchText(site.db, id)

  expect(added).toEqual(await wordsOf(id))
})

test('a lead with very many words is found by the newest', async () => {
  const words = (letter: string) =>
    Array.from({ length: 2_000 }, (_, index) => `${letter}${index}word`).join(' ')
  const texts = [...'abcdefghij'].map(words)
  const id = await storeReplies(...texts)

  for (const text of texts) await addToSearchText(site.db, id, foundIn(text), anna)

  expect((await wordsOf(id)).words).toContain('j0word')
  expect((await wordsOf(id)).words).not.toContain('a0word')
})

test('an event is between the owners and a person if nobody else has written or got it', () => {
  const [bo, carl, ada] = ['bo@example.com', 'carl@example.com', 'ada@example.com']
  const sentTo = (...to: string[]) =>
    ({ what: 'answered_by_mail', who: anna, received: JSON.stringify({ to }) }) as const
  const noted = { what: 'note', who: anna, received: null } as const
  const theirs = [
    { ...noted, what: 'reply' as const, who: bo },
    { ...noted, what: 'answer' as const, recipient: bo },
    { ...noted, what: 'answer_failed' as const, recipient: bo },
    sentTo(bo),
  ]
  const ofOthers = [{ ...noted, what: 'automatic_reply' as const, who: carl }, sentTo(ada)]
  const events = [...theirs, ...ofOthers, sentTo(bo, ada), noted, { ...noted, what: 'answer' as const }]

  const others = othersIn(events, 'Ada@Example.com', bo)

  expect([...others]).toEqual([ada, carl])
  expect(events.filter((event) => isBetween(event, bo, others))).toEqual(theirs)
  expect(events.filter((event) => isOfOthers(event, bo, others))).toEqual(ofOthers)
})
