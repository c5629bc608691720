import { expect, test } from 'vitest'
import { markLead } from '../leads/change/mark-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { ada, adaAtWork, carl, type Mail, mailboxTools } from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, submit } = leadTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)

test('a new email of an owner to somebody who has only replied belongs to that lead', async () => {
  const { answers, reference } = await answered()
  await takeIn({ from: adaAtWork, answers })

  await takeIn({ from: anna, to: adaAtWork, text: 'On Monday.' }, 'sent')

  expect((await read(reference)).state).toBe('answered')
})

type Wait = { before: Mail[]; mail: Mail; state: string }
const fromCarl = (at?: string): Mail => [{ from: carl, ...(at && { receivedAt: at }) }]
const fromWork: Mail = [{ from: adaAtWork }]
const fromAda = (at?: string): Mail => [{ ...(at && { receivedAt: at }) }]
const byAnna = (to: string, at?: string): Mail => [
  { from: anna, to, text: 'On Monday.', ...(at && { receivedAt: at }) },
  'sent',
]
const [NINE, TEN, ELEVEN] = [
  '2026-03-02T09:00:00.000Z',
  '2026-03-02T10:00:00.000Z',
  '2026-03-02T11:00:00.000Z',
]

test.each<[string, Wait]>([
  [
    'the person, while somebody else waits, too',
    { before: [fromAda(), fromCarl()], mail: byAnna(ada), state: 'open' },
  ],
  ['both', { before: [fromAda(), fromCarl()], mail: byAnna(`${ada}, ${carl}`), state: 'answered' }],
  [
    'each of two people apart',
    { before: [fromAda(), fromCarl(), byAnna(carl)], mail: byAnna(ada), state: 'answered' },
  ],
  [
    'one person, but another has written again',
    { before: [fromAda(), fromCarl(), byAnna(ada), fromAda()], mail: byAnna(carl), state: 'open' },
  ],
  ['the person, before she wrote', { before: [fromAda(TEN)], mail: byAnna(ada, NINE), state: 'open' }],
  ['the person, after she wrote', { before: [fromAda(TEN)], mail: byAnna(ada, ELEVEN), state: 'answered' }],
  ['the person, in the same second', { before: [fromAda(TEN)], mail: byAnna(ada, TEN), state: 'answered' }],
  ...(
    [
      ['the person, who does not wait, while two others do', ada, 'open'],
      ['one of them, who has an answer to an earlier message', carl, 'open'],
      ['both of them', `${adaAtWork}, ${carl}`, 'answered'],
    ] as const
  ).map(([whom, to, state]): [string, Wait] => [
    whom,
    { before: [fromWork, fromCarl(), byAnna(carl), fromCarl()], mail: byAnna(to), state },
  ]),
  [
    'the person, before she wrote, and then somebody else',
    {
      before: [fromAda(TEN), fromCarl(NINE), byAnna(ada, NINE)],
      mail: byAnna(carl, ELEVEN),
      state: 'open',
    },
  ],
])("an owner's email answers everybody whose messages came before: it goes to %s", async (_whom, wait) => {
  const { answers, reference } = await answered()
  for (const [fields, folder] of [...wait.before, wait.mail]) await takeIn({ ...fields, answers }, folder)

  expect((await read(reference)).state).toBe(wait.state)
})

test('an email to others does not answer a request that nobody has answered', async () => {
  const reference = await submit({ email: 'dora@example.com' })
  await deliver()
  const [{ message_id: answers } = { message_id: '' }] = await site.db
    .selectFrom('outbox')
    .select('message_id')
    .where('recipient', '=', 'dora@example.com')
    .execute()
  await takeIn({ from: carl, answers })

  await takeIn({ from: anna, to: carl, answers }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: 'dora@example.com', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

test('while nobody waits, an email to somebody else does not answer a lead that was opened again', async () => {
  const { answers, reference } = await answered()
  await takeIn({ from: carl, answers })
  for (const state of ['answered', 'open'] as const) {
    const { version } = await read(reference)
    await markLead(site.inboxDeps, { reference, version, who: anna, state })
  }

  await takeIn({ from: anna, to: carl, text: 'What do you charge?', answers }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: ada, text: 'On Monday.', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})
