import { beforeEach, expect, test } from 'vitest'
import { officeTime } from '#shared/office-time.ts'
import { saveDraft } from '../leads/answers/drafts.ts'
import { noteLead } from '../leads/change/change-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools, refuse, storeLead } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { type OwnerBrowser, signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp({ sendsReceipts: true })
const { submit } = leadTools(site)
let inbox: OwnerBrowser
beforeEach(async () => {
  inbox = await signIn(site)
})
const key = '019c0000-0000-7000-8000-0000000000bb'
const sentAt = '2026-03-02T15:05:00.000Z'

/** It came from a campaign. A second file is still being attached. */
async function markAsWon(reference: string) {
  const won = { result: 'won', source: '{"landing":"/spring"}' } as const
  const leads = site.db.updateTable('leads').set(won).where('reference', '=', reference).returning('id')
  const { id: lead_id } = await leads.executeTakeFirstOrThrow()
  const unfinished = { id: key, lead_id, owner: bob, name: 'half.pdf', type: 'a/b', at: sentAt }
  await site.db.insertInto('files').values(unfinished).execute()
}

async function sendReceiptAtSecondTry() {
  const emails = site.db.updateTable('outbox').set({ state: 'sent', sent_at: sentAt })
  const { id } = await emails.where('kind', '=', 'visitor_receipt').returning('id').executeTakeFirstOrThrow()
  const attempt = { outbox_id: id, at: sentAt }
  await site.db
    .insertInto('outbox_attempts')
    .values([
      { ...attempt, outcome: 'retry', response: '451 later' },
      { ...attempt, outcome: 'sent', response: '250 ok' },
    ])
    .execute()
}

const person = (reference: string, format: string) => inbox.get(`/leads/${reference}/person?format=${format}`)

test('everything about a person has all requests of the address with notes, answers, drafts and emails, and says who wrote them', async () => {
  const reference = await submit({ email: 'ada@example.com', message: 'A roof.' })
  const earlier = await submit({ email: 'ADA@example.com', message: 'A gutter.' })
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Wants slate.' })
  const { answer, attach } = answerTools(site)
  await answer(reference, { files: [await attach(reference, 'offer.pdf', Buffer.alloc(9_000))] })
  await attach(reference, 'more.pdf', Buffer.alloc(9_000), bob)
  await saveDraft(site.inboxDeps, { reference, who: bob, version: 1, text: 'More soon', base: null })
  await markAsWon(reference)
  await sendReceiptAtSecondTry()

  const { body, headers } = await person(reference, 'json')

  expect((await person(reference, 'html')).text).toContain(`>${officeTime(sentAt)} `)
  expect(headers['content-disposition']).toBe('attachment; filename=person-2026-03-02.json')
  const [about, ...requests] = body
  expect(about).toMatchObject({
    person: 'ada@example.com',
    kept: expect.stringContaining('until somebody erases it'),
  })
  expect(requests.map(({ request }: { request: string }) => request).toSorted()).toEqual(
    [reference, earlier].toSorted(),
  )
  expect(requests.find(({ request }: { request: string }) => request === reference)).toMatchObject({
    state: 'answered, won',
    sent: { Message: 'A roof.' },
    source: { landing: '/spring' },
    history: [
      { who: anna, did: 'wrote a note', text: 'Wants slate.' },
      { who: anna, did: 'answered', text: 'Yes, we can.', files: ['offer.pdf (9 kB)'] },
    ],
    drafts: [{ owner: bob, text: 'More soon' }],
    attached: [{ owner: bob, name: 'more.pdf' }],
    emails: expect.arrayContaining([
      expect.objectContaining({ email: 'answer to ada@example.com', state: 'queued' }),
      { email: 'receipt to ada@example.com', state: 'sent', at: sentAt, mailServerSaid: '250 ok' },
    ]),
  })
})

test('all words of a message are in it, in order, and what is quoted apart', async () => {
  const { answered, takeIn } = mailboxTools(site)
  const { reference, answers, notice } = await answered()
  const [plan, start] = ['Which plan do you want for the page?', 'Should we start in the month of May?']
  await takeIn({ from: anna, to: 'ada@example.com', answers: notice, text: `${plan}\n${start}` }, 'sent')
  await takeIn({ answers, text: `Hi\n\n> ${plan}\n\nThe first\n\n> ${start}\n\nIn June` })

  const { body } = await person(reference, 'json')
  const { text } = await person(reference, 'html')

  expect(body[1].history.at(-1)).toMatchObject({
    text: 'Hi\n\nThe first\n\nIn June',
    received: { quoted: `> ${plan}\n\n> ${start}` },
  })
  expect(text).toMatch(/>Hi\n\nThe first\n\nIn June<.*<dt>Quoted</s)
  expect(text).not.toContain('undefined')
})

test("nothing of another person is in it: no other person's request, and no address before a correction", async () => {
  await submit({ email: 'zoe@example.com', firstName: 'Zoe', message: 'A shed.' })
  const reference = await submit({ email: 'tom@gmial.com', message: 'A roof.' })
  await answerTools(site).answer(reference)
  site.advanceClock(60_000)
  await outboxTools(site).deliver(refuse('550 5.1.1 <tom@gmial.com>: no such user'))
  await answerTools(site).answer(reference, { key: `${key.slice(0, -1)}c`, to: 'tom@gmail.com' })

  for (const format of ['json', 'html']) {
    const { text, status } = await person(reference, format)
    expect([format, status, /zoe|gmial/i.exec(text)?.[0]]).toEqual([format, 200, undefined])
    expect(text).toContain('could not deliver the answer')
    expect(text).toContain('tom@gmail.com')
  }
})

test('the page to print escapes what people wrote, even if it looks like a time, and allows no scripts', async () => {
  const { reference } = await storeLead(site.db, {
    reference: 'Q-7K3M-9QXD',
    company: '2026-99-99T99:99Z',
    message: '<script>alert(1)</script>',
  })

  Object.assign(site.context.env, { RETENTION_DAYS: 30 })

  const { text, headers } = await person(reference, 'html')

  expect(text).toContain('until 30 days after')
  expect(text).not.toContain('<script')
  expect(text).toMatch(/2026-99-99T99:99Z.*<\/html>/s)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'$/)
})

/**
 * Ada has sent a request. Bo, to whom she has forwarded our email, has written, too; both were
 * answered.
 */
async function talkToTwo() {
  const { takeIn, answered } = mailboxTools(site)
  const { reference, answers } = await answered()
  await takeIn({ answers, text: 'Ada: a red roof.' })
  await takeIn({
    answers,
    from: 'bo@work.example',
    text: 'Bo: a blue roof.\n\nOn Monday, Ada wrote:\n> Hi Bo',
  })
  await answerTools(site).answer(reference, { key: crypto.randomUUID(), text: 'Red it is.' })
  const toBo = { key: crypto.randomUUID(), text: 'Blue it is.', to: 'Bo@work.example' }
  await answerTools(site).answer(reference, toBo)
  await takeIn({ from: anna, to: 'bo@work.example', answers, text: 'Bluer still.' }, 'sent')
  await takeIn({ from: anna, to: 'ada@example.com', answers, text: 'Redder still.' }, 'sent')
  const both = 'ada@example.com, bo@work.example'
  await takeIn({ from: anna, to: both, answers, id: '<both@agency.example>', text: 'Or green.' }, 'sent')
  await noteLead(site.inboxDeps, { reference, who: anna, key, text: 'Two people.' })
  return reference
}

test('everything about a person leaves out what others have written about the same request, and what they were answered', async () => {
  const reference = await talkToTwo()
  const reply = await findEvent({ who: 'ada@example.com' })

  // What she has written names her without the capitals of her request.
  for (const format of ['json', 'html', `html&message=${reply}`]) {
    const { text } = await person(reference, format)
    for (const theirs of ['red roof', 'Red it is.', 'Redder still.', 'Or green.', 'Two people.'])
      expect(text).toContain(theirs)
    expect(/blue|bo@|hi bo|somebody else has/i.exec(text)?.[0]).toBeUndefined()
  }
})

/** The number of the first such event. */
async function findEvent(wanted: { who: string } | { what: 'note' }) {
  const events = site.db.selectFrom('lead_events').select('id').orderBy('id')
  return (await events.where((event) => event.and(wanted)).executeTakeFirstOrThrow()).id
}

test('for somebody who has only replied, it has only what was written from and to that address', async () => {
  const reference = await talkToTwo()
  const id = await findEvent({ who: 'bo@work.example' })

  for (const format of ['json', 'html']) {
    const { text } = await person(reference, `${format}&message=${id}`)
    for (const theirs of [
      'bo@work.example',
      'blue roof',
      'Blue it is.',
      'Bluer still.',
      'Or green.',
      reference,
    ])
      expect(text).toContain(theirs)
    expect(/ada@|\bred|lovelace|two people|312/i.exec(text)?.[0]).toBeUndefined()
  }
  const { text } = await person(reference, `html&message=${id}`)
  expect(text).toMatch(new RegExp(`format=json&[^"]*message=${id}"`))
  const { body } = await person(reference, `json&message=${id}`)
  expect(body[1]).toMatchObject({
    emails: [{ email: 'answer to Bo@work.example' }],
    passedOnTo: ['owner@agency.example', anna],
  })
})

test('the number of anything but a message about the same lead names nobody', async () => {
  const reference = await talkToTwo()
  const id = await findEvent({ what: 'note' })

  for (const message of [id, id + 100])
    expect((await person(reference, `json&message=${message}`)).status).toBe(404)
  expect((await person(reference, 'json&message=x')).status).toBe(400)
  const theirs = await findEvent({ who: 'bo@work.example' })
  expect((await person(await submit(), `json&message=${theirs}`)).status).toBe(404)
})
