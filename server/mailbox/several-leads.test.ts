import { expect, test } from 'vitest'
import { readPerson } from '../inbox/person.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../proof/testing/leads.ts'
import {
  type Answered,
  ada,
  adaAtWork,
  type Both,
  bounceOf,
  carl,
  type Fields,
  type Mail,
  mailboxTools,
  mallory,
  TO_BOTH,
  useBoth,
} from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { read, submit, suspect } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, everything, takeIn } = mailboxTools(site)
const both = useBoth(site)
const MINUTE_MS = 60_000

test.each<[string, (both: Both) => Mail]>([
  ['in another lead', ({ his }) => [{ from: mallory, answers: his.receipt }]],
  ['in the same lead', ({ hers }) => [{ from: mallory, answers: hers.answers }]],
  ['under the same address', ({ hers }) => [{ answers: hers.answers, text: 'Forged.' }]],
])('a message is stored, although somebody has used its Message-ID before %s', async (_where, earlier) => {
  const id = '<same@example.com>'
  const [fields] = earlier(both)
  await takeIn({ ...fields, id })

  for (const _time of [1, 2]) await takeIn({ answers: both.hers.answers, id, text: 'Genuine.' })

  const genuine = (await everything()).events.filter(({ text }) => text === 'Genuine.')
  expect(genuine).toMatchObject([{ lead_id: both.hers.id, who: ada }])
})

test('a new email of somebody with several leads belongs to the newest that nobody suspects', async () => {
  const newer = await answered()
  await suspect(await submit({ email: ada }))

  await takeIn({})

  expect((await read(newer.reference)).state).toBe('open')
  expect((await read(both.hers.reference)).state).toBe('answered')
})

test('of several leads, a message belongs to the one whose email it answers, names, or came last', async () => {
  const { hers } = both
  const newer = await answered()
  await takeIn({ from: adaAtWork, id: '<newer@b>', answers: newer.answers })
  await takeIn({ from: adaAtWork, id: '<older@b>', answers: hers.answers })
  const after = (first: string, closest: string) => `References: ${first}\nIn-Reply-To: ${closest}`
  const byAnna = { from: anna, to: adaAtWork }
  const mails: [Mail, Answered][] = [
    [[{ headers: after(newer.answers, hers.answers) }], hers],
    [[{ headers: after('<newer@b>', '<older@b>') }], hers],
    [[{ from: anna, to: ada, answers: '<older@b>' }, 'sent'], hers],
    [[{ ...byAnna, subject: newer.reference }, 'sent'], newer],
    [[byAnna, 'sent'], hers],
  ]
  for (const [mail, lead] of mails) {
    await takeIn(...mail)
    expect((await everything()).events.at(-1)?.lead_id).toBe(lead.id)
  }
})

test.each<[string, Mail]>([
  ['a new email', [{ id: '<new@example.com>' }]],
  ["an owner's", [{ from: anna, to: ada, id: '<new@example.com>' }, 'sent']],
])(
  '%s changes nothing when it is read for the second time, although there is a newer lead',
  async (_what, mail) => {
    await takeIn(...mail)
    await submit({ email: ada })
    const before = await everything()

    await takeIn(...mail)

    expect(await everything()).toEqual(before)
  },
)

test("an owner's new email to somebody who has only replied belongs to the lead of the newest reply, not to spam", async () => {
  const { hers, his } = both
  const newer = await answered()
  await takeIn({ from: adaAtWork, answers: hers.answers })
  await takeIn({ from: adaAtWork, answers: his.answers })
  await setSpam(his.id)
  await takeIn({ from: adaAtWork, answers: newer.answers, headers: 'Auto-Submitted: auto-replied' })

  await takeIn({ from: anna, to: adaAtWork, text: 'Again.' }, 'sent')

  const stored = (await everything()).events.filter(({ text }) => text === 'Again.')
  expect(stored).toMatchObject([{ lead_id: hers.id }])
})

test.each([
  ['our email', ({ hers }: Both) => hers.answers],
  ["the visitor's", () => '<question@example.com>'],
])(
  "who forges a person's name about a lead of their own draws neither an owner's email that answers %s nor its answer there",
  async (_what, answersIn) => {
    const { hers, his } = both
    await takeIn({ answers: hers.answers, id: '<question@example.com>' })
    await takeIn({ from: adaAtWork, answers: his.answers, text: 'Forged.' })

    const id = '<to-two@agency.example>'
    const answers = answersIn(both)
    const toTwo = { from: anna, to: `${ada}, ${adaAtWork}`, answers, id, text: 'To you two.' }
    await takeIn(toTwo, 'sent')
    await takeIn({ from: adaAtWork, answers: id, text: 'Honest.' })

    const { events } = await everything()
    const leads = (text: string) => events.flatMap((event) => (event.text === text ? [event.lead_id] : []))
    expect(['Forged.', 'To you two.', 'Honest.'].map(leads)).toEqual([[his.id], [hers.id], [hers.id]])
  },
)

test('a message of an unknown sender makes nobody else part of the conversation', async () => {
  await takeIn({ from: '', answers: both.hers.answers })

  await takeIn({ from: anna, to: 'supplier@example.com', answers: both.hers.answers }, 'sent')

  expect((await read(both.hers.reference)).state).toBe('open')
})

const home = 'anna@home.example'
test.each([
  [anna, ada, ['inbox', 'sent'], ['sent']],
  [anna, ada, ['sent', 'inbox'], ['sent']],
  [home, `${ada}, ${mallory}`, ['sent', 'inbox'], ['shared', 'shared']],
] as const)(
  'an email of an owner, sent as %s to %s, of which the inbox has a changed copy (%j), is one answer',
  async (from, to, folders, joined) => {
    const { answers, reference } = both.hers
    await takeIn({ answers })
    const copy = { from, to, answers, id: '<by-anna@agency.example>' }
    const texts = { inbox: 'On Monday. (A disclaimer)', sent: 'On Monday.' }
    for (const folder of folders) await takeIn({ ...copy, text: texts[folder] }, folder)
    await takeIn({ answers, text: 'And now?' })

    for (const folder of folders) await takeIn({ ...copy, text: texts[folder] }, folder)

    expect((await read(reference)).state).toBe('open')
    const found = (await everything()).events.filter(({ text }) => text?.startsWith('On Monday.'))
    expect(found.map((event) => event.joined)).toEqual(joined)
  },
)

test.each([
  ['another owner', `${ada}, ${bob}`],
  ['both addresses of the person', `${ada}, ${adaAtWork}`],
  ['somebody without a lead', `${ada}, ${carl}`],
  ['somebody without a lead as a blind copy', `${ada}\nBcc: ${carl}`],
])("an owner's email to the person and %s proves to whom it has been forwarded", async (_whom, to) => {
  await takeIn({ from: adaAtWork, answers: both.hers.answers })
  await takeIn({ from: anna, to, answers: both.hers.answers, id: '<by-anna@agency.example>' }, 'sent')
  const before = await everything()

  await takeIn({ from: 'forwarded@example.com', answers: '<by-anna@agency.example>' })

  expect((await everything()).events).toHaveLength(before.events.length + 1)
})

test("somebody else's answer to an owner's email to several leads joins the newest, and counts as unproven", async () => {
  for (const from of ['vera@example.com', '']) await takeIn({ from, answers: TO_BOTH, text: 'Count me in.' })

  const stored = (await everything()).events.filter(({ text }) => text === 'Count me in.')
  const expected = { lead_id: both.his.id, joined: 'theirs' }
  expect(stored).toMatchObject([
    { ...expected, who: 'vera@example.com' },
    { ...expected, who: '' },
  ])
})

test("what somebody else answers to an owner's email to several leads is for nobody else's eyes", async () => {
  await takeIn({ from: 'vera@example.com', answers: TO_BOTH, text: 'For owners only.' })
  await answer(both.his.reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)

  const toMallory = (await deliver()).filter(({ to }) => to === mallory)
  const about = { address: mallory, now: site.clock.now, retentionDays: 0 }
  let stored = ''
  for await (const part of readPerson(site.db, about)) stored += JSON.stringify(part)

  expect(toMallory).toHaveLength(1)
  expect(JSON.stringify(toMallory) + stored).not.toMatch(/For owners only|vera@/)
})

const ABOUT_OLD = '<about-old@agency.example>'
const setSpam = (id: string) =>
  site.db.updateTable('leads').set({ state: 'spam', verdict: 'spam' }).where('id', '=', id).execute()
const meanwhiles: [string, (hers: Answered, newer: string) => [fields: Fields, meanwhile: () => unknown]][] =
  [
    [
      "an owner's email about another lead is shown",
      ({ reference }, newer) => [
        { answers: ABOUT_OLD, subject: `Re: ${newer}` },
        () => takeIn({ from: anna, to: ada, id: ABOUT_OLD, subject: reference }, 'sent'),
      ],
    ],
    ['the lead becomes spam', ({ answers, id }) => [{ answers }, () => setSpam(id)]],
  ]
test.each(meanwhiles)(
  'a message that is read again after %s stays with its lead, another copy does not count as the same',
  async (_what, prepare) => {
    const newer = await submit({ email: ada, message: 'About something else.' })
    const [fields, meanwhile] = prepare(both.hers, newer)
    const again = { ...fields, id: '<1@b>', text: 'I agree.', receivedAt: '2026-03-02T16:00:00.000Z' }
    const leads = async () =>
      (await everything()).events.filter(({ text }) => text === 'I agree.').map((event) => event.lead_id)

    await takeIn(again)
    const before = await leads()
    await meanwhile()
    await takeIn(again)
    expect(before).toHaveLength(1)
    expect(await leads()).toEqual(before)

    await takeIn({ ...again, receivedAt: '2026-03-02T16:00:01.000Z' })
    expect(await leads()).toHaveLength(2)
    await takeIn({ ...again, text: 'Another.' })
    expect((await everything()).events.at(-1)?.text).toBe('Another.')
  },
)

test.each([
  [ada, ['open', 'answered']],
  [mallory, ['answered', 'open']],
])("an owner's email to the people of several leads comes back to the lead of %s", async (to, states) => {
  await takeIn({ from: '', body: bounceOf(TO_BOTH).replace(`rfc822; ${ada}`, `rfc822; ${to}`) })

  const leads = await Promise.all([both.hers, both.his].map(({ reference }) => read(reference)))
  expect(leads.map(({ state }) => state)).toEqual(states)
})
