import { expect, test } from 'vitest'
import { CUT } from '../leads/messages/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, erase } from '../proof/testing/leads.ts'
import { type Fields, mailboxTools, us } from '../proof/testing/mailbox.ts'
import type { Folder } from './imap.ts'
import { writtenIn } from './words.ts'

const eve = 'eve@example.com'
const ada = 'ada@example.com'
const HOUR_MS = 60 * 60 * 1000
const inline = `Hello.\n > Said by Eve\nYes.\nSays ${eve}, too.\nNo.`
const rewritten = `X-Original-From: ${eve}`

const site = useTestApp({ mailTo: [anna] })
const { takeIn, answered } = mailboxTools(site)

/**
 * What is stored of a message that belongs to Ada's lead and comes some hours after Eve was erased.
 */
async function stored(fields: Fields, folder: Folder, hours: number | undefined) {
  const { answers } = await answered()
  await takeIn({ answers, from: eve, text: 'Erased' })
  site.advanceClock(2 * HOUR_MS)
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

const above = 'Yes, two pages.'
const onMonday = 'On Monday, 2 March 2026 at 10:00, Eve Smith'
const header = 'From: Eve Smith\nSent: Monday, March 2, 2026 10:00 AM\nTo: Ada\nSubject: Hi'
const html = (quoted: string) => `Content-Type: text/html; charset=utf-8\n\n<p>${above}</p>${quoted}`

test.each<[string, Fields, string?]>([
  ['with marks', { text: `${above}\n\nOn Monday, Eve wrote:\n> Said by Eve` }],
  ['with marks, above', { text: `Eve wrote:\n\n> Said by Eve\n\n${above}` }],
  ['with marks, below two lines', { text: `${above}\n\n${onMonday}\n<${eve}> wrote:\n> Said by Eve` }],
  [
    'with marks, above, with her address',
    { text: `${onMonday}\n<${eve}> wrote:\n\n> Said by Eve\n\n${above}` },
  ],
  ['between', { text: inline }, 'Hello.\nYes.\nNo.'],
  ['below her address', { text: `${above}\n\nVon: Eve <${eve}>\nSaid by Eve\n\nMore by Eve` }],
  ['below two lines', { text: `${above}\n${onMonday}\n<${eve}> wrote:\n\nSaid by Eve\n\nMore by Eve` }],
  ['below a line with her name', { text: `${above}\n\n${onMonday} wrote:\n\nSaid by Eve` }],
  ['below a header with her name', { text: `${above}\n\n${header}\n\nSaid by Eve\n\nMore by Eve` }],
  ['in a bar', { body: html(`<p>${onMonday} wrote:</p><blockquote>Said by Eve</blockquote>`) }],
  [
    'in HTML, without a bar',
    { body: html(`<div><b>From:</b> Eve<br><b>Sent:</b> 2 March 2026</div><p>Said by Eve</p>`) },
  ],
])(
  "somebody else's message is stored without what it quotes of the erased person, and says so: %s",
  async (_where, fields, kept = above) => {
    expect(await stored({ from: ada, ...fields }, 'inbox', -1)).toMatchObject([
      { text: `${kept}\n\n${CUT}`, quotes: [] },
    ])
    const found = site.db.selectFrom('lead_texts').select('words')
    expect(JSON.stringify(await found.execute())).not.toMatch(/said|monday/)
  },
)

test('what has come after the person was erased is stored whole', async () => {
  const text = `Yes.\n\nOn Monday, Eve wrote:\n> Said by Eve`

  expect(await stored({ from: ada, text }, 'inbox', 1)).toMatchObject([{ text, quotes: [] }])
})

test('a person who is erased while a message is read is not stored again', async () => {
  const { answers } = await answered()
  await takeIn({ answers, from: eve, text: 'Erased' })
  const receivedAt = site.clock.now.toISOString()
  const eraseFirst = async (...[message, conversation]: Parameters<typeof writtenIn>) => {
    await erase(site, eve)
    return writtenIn(message, conversation)
  }

  await takeIn({ answers, from: eve, text: 'Too late', receivedAt }, 'inbox', eraseFirst)

  const written = site.db.selectFrom('lead_events').select('text').where('who', '=', eve)
  expect(await written.execute()).toEqual([])
})

test('an erased owner loses no messages', async () => {
  const { answers } = await answered()
  await erase(site, anna)
  const receivedAt = new Date(site.clock.now.getTime() - HOUR_MS).toISOString()

  await takeIn({ from: anna, to: ada, answers, receivedAt }, 'sent')

  const sent = site.db.selectFrom('lead_events').select('who').where('what', '=', 'answered_by_mail')
  expect(await sent.execute()).toEqual([{ who: anna }])
})
