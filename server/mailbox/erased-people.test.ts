import { expect, test } from 'vitest'
import { CUT } from '../mail/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, erase } from '../proof/testing/leads.ts'
import { type Fields, mailboxTools, us } from '../proof/testing/mailbox.ts'
import type { Folder } from './take-in.ts'

const eve = 'eve@example.com'
const ada = 'ada@example.com'
const HOUR_MS = 60 * 60 * 1000
const inline = `Hello.\n > Said by Eve\nYes.\nSays ${eve}, too.\nNo.`
const rewritten = `X-Original-From: ${eve}`

const site = useTestApp({ mailTo: [anna] })
const { takeIn, answered } = mailboxTools(site)

/** What is stored of a message that belongs to Ada's lead and comes some hours after Eve was erased. */
async function stored(fields: Fields, folder: Folder, hours: number | undefined) {
  const { answers } = await answered()
  await takeIn({ answers, from: eve, text: 'Erased' })
  await erase(site, eve)
  // She has sent a new request since.
  site.advanceClock(HOUR_MS)
  const hers = await answered({ email: eve })
  const before = await site.db.selectFrom('lead_events').selectAll().execute()
  const time = site.clock.now.getTime() + (hours ?? 0) * HOUR_MS - HOUR_MS
  const receivedAt = hours === undefined ? {} : { receivedAt: new Date(time).toISOString() }
  await takeIn({ answers, ...receivedAt, ...fields }, folder)
  const events = await site.db.selectFrom('lead_events').selectAll().orderBy('id').execute()
  return events
    .filter(({ id }) => !before.some((event) => event.id === id))
    .map(({ text, received, lead_id }) => {
      return { text, ...JSON.parse(received ?? '{}'), isEves: lead_id === hers.id }
    })
}

const group = 'hello@agency.example'
const messages: [string, Fields, Folder][] = [
  ['a reply', { from: eve }, 'inbox'],
  ['a new email', { from: eve, answers: '' }, 'inbox'],
  ['a reply by way of a group', { from: group, headers: rewritten }, 'inbox'],
  [
    'a reply by way of a group that names her in Reply-To',
    { from: us, headers: `Reply-To: ${eve}` },
    'inbox',
  ],
  ["an owner's message", { from: anna, to: eve, answers: '' }, 'sent'],
]
test.each(messages)(
  '%s of before the person was erased is not stored again; a later one, or one without a time, is',
  async (_what, fields, folder) => {
    expect(await stored(fields, folder, -1)).toEqual([])
    expect(await stored(fields, folder, 1)).toHaveLength(1)
    expect(await stored(fields, folder, undefined)).toHaveLength(1)
  },
)

test("an owner's message to others, too, is stored without the erased person and what is quoted", async () => {
  const mail = { from: anna, to: `${ada}, ${eve}`, answers: '', text: 'Yes.\n\n> Said by Eve' }

  expect(await stored(mail, 'sent', -1)).toMatchObject([{ to: [ada], quotes: [], isEves: false }])
  expect(await stored(mail, 'sent', 1)).toMatchObject([{ to: [ada, eve] }, { to: [ada, eve], isEves: true }])
})

test('what somebody else has sent is stored without what it quotes, and says that more is in the mailbox', async () => {
  const below = { from: ada, text: `Yes.\n\nOn Monday, Eve wrote:\n> Said by Eve` }

  expect(await stored({ from: ada, text: inline }, 'inbox', -1)).toMatchObject([
    { text: `Hello.\nYes.\nNo.\n\n${CUT}`, quotes: [] },
  ])
  const found = site.db.selectFrom('lead_texts').select('words')
  expect(JSON.stringify(await found.execute())).not.toContain('says')
  expect(await stored(below, 'inbox', -1)).toMatchObject([{ text: `Yes.\n\n${CUT}`, quotes: [] }])
  expect(await stored(below, 'inbox', 1)).toMatchObject([{ text: below.text, quotes: [] }])
})

test('an erased owner loses no messages', async () => {
  const { answers } = await answered()
  await erase(site, anna)
  const receivedAt = new Date(site.clock.now.getTime() - HOUR_MS).toISOString()

  await takeIn({ from: anna, to: ada, answers, receivedAt }, 'sent')

  const sent = site.db.selectFrom('lead_events').select('who').where('what', '=', 'answered_by_mail')
  expect(await sent.execute()).toEqual([{ who: anna }])
})
