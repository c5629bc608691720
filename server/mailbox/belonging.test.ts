import { expect, test } from 'vitest'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import { eventInWords } from '#shared/inbox/words.ts'
import { readHistory } from '../leads/lists/history.ts'
import { CUT } from '../leads/messages/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../proof/testing/leads.ts'
import {
  ada,
  adaAtWork,
  type Both,
  bounceOf,
  carl,
  type Mail,
  mailboxTools,
  mallory,
  TO_BOTH,
  us,
  useBoth,
} from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna, 'Bob@Agency.Example'], sendsReceipts: true })
const { read, history } = leadTools(site)
const { everything, takeIn } = mailboxTools(site)
const both = useBoth(site)
const DAY_MS = 24 * 60 * 60_000

type Row = {
  /** What is in the mailbox before. */
  before?: (both: Both) => Mail[]
  genuine: (both: Both) => Mail
  /** The event in Ada's lead, and the state of her lead. */
  counts: { what: string; who: string; joined: string | null; state: string }
  /** What others can make, or cause somebody to make. It must change nothing at all. */
  forged?: Record<string, (both: Both) => Mail>
}

const reply = { what: 'reply', who: ada, state: 'open' }
const answer = { what: 'answered_by_mail', who: anna, state: 'answered' }
const sentToAda = (id: string): Mail => [{ from: anna, to: ada, id, text: 'One more thing.' }, 'sent']
const rewritten = 'Precedence: list\nX-Original-From: Ada <ada@example.com>'

const table: Record<string, Row> = {
  'names a Message-ID that we made': {
    genuine: ({ hers }) => [{ headers: `In-Reply-To: ${hers.answers}` }],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'the ID of the lead at another domain': ({ hers }) => [
        { from: mallory, answers: `<${hers.id}@evil.example>` },
      ],
      'an email that was never sent': ({ hers }) => [
        { from: carl, answers: `<${hers.id}.answer@agency.example>` },
      ],
      'a wildcard': () => [{ from: mallory, answers: '<%@agency.example>' }],
    },
  },
  'names a Message-ID that we made, from an address that is new in the thread': {
    genuine: ({ hers }) => [
      { from: adaAtWork, headers: `References: <1@x> ${hers.answers} <2@x>\nX-Original-From: ${ada}` },
    ],
    counts: { ...reply, who: adaAtWork, joined: 'ours' },
    forged: {
      'the ID of something else': () => [{ from: adaAtWork, answers: '<something@else.example>' }],
    },
  },
  "names a Message-ID of an owner's email to this person alone": {
    before: () => [sentToAda('<one-more@agency.example>')],
    genuine: () => [{ from: adaAtWork, answers: '<one-more@agency.example>' }],
    counts: { ...reply, who: adaAtWork, joined: 'ours' },
  },
  "names a Message-ID of an owner's email to the people of several leads": {
    genuine: () => [{ answers: TO_BOTH }],
    counts: { ...reply, joined: 'theirs' },
    forged: {
      'the copy of an owner, in the inbox': () => [{ from: anna, to: ada, answers: TO_BOTH }],
    },
  },
  'names the same, from an address that has only replied': {
    before: ({ hers }) => [[{ from: adaAtWork, answers: hers.answers }]],
    genuine: () => [{ from: adaAtWork, answers: TO_BOTH }],
    counts: { ...reply, who: adaAtWork, joined: 'theirs' },
  },
  "names the Message-ID of a visitor's message": {
    before: ({ hers, his }) => [
      [{ id: '<question@example.com>', answers: hers.answers }],
      [{ from: mallory, id: '<newsletter@agency.example>', answers: his.receipt }],
      // Mallory has forwarded our email to Vera.
      [{ from: 'vera@example.com', answers: his.receipt, text: 'Who are you?' }],
    ],
    genuine: () => [{ answers: '<question@example.com>' }],
    counts: { ...reply, joined: 'theirs' },
    forged: {
      "somebody's answer to a newsletter whose Message-ID Mallory has used": () => [
        { from: 'vera@example.com', answers: '<newsletter@agency.example>', text: 'Private.' },
      ],
      "Ada's answer to that newsletter": () => [{ answers: '<newsletter@agency.example>', text: 'Private.' }],
      "a stranger who knows Ada's Message-ID": () => [{ from: mallory, answers: '<question@example.com>' }],
    },
  },
  "names the Message-ID of somebody else's message, from the lead's address": {
    before: ({ hers }) => [[{ from: adaAtWork, id: '<work@example.com>', answers: hers.answers }]],
    genuine: () => [{ answers: '<work@example.com>' }],
    counts: { ...reply, joined: 'theirs' },
  },
  "names the Message-ID of the sender's own message, from an address that isn't the lead's": {
    before: ({ hers }) => [[{ from: adaAtWork, id: '<work@example.com>', answers: hers.answers }]],
    genuine: () => [{ from: adaAtWork, answers: '<work@example.com>' }],
    counts: { ...reply, who: adaAtWork, joined: 'theirs' },
    forged: {
      'somebody else': () => [{ from: carl, answers: '<work@example.com>' }],
      'unknown senders': () => [{ from: `${adaAtWork}, eve@evil.example`, answers: '<work@example.com>' }],
    },
  },
  'has the reference in the subject': {
    genuine: ({ hers }) => [{ subject: `Re: ${hers.reference}`, answers: '<unknown@example.com>' }],
    counts: { ...reply, joined: 'reference' },
    forged: {
      'another address': ({ hers }) => [
        { from: adaAtWork, subject: hers.reference, answers: '<unknown@example.com>' },
      ],
      'two From headers': ({ hers }) => [{ headers: 'From: eve@evil.example', subject: hers.reference }],
      'the reference in its text': ({ hers }) => [{ from: 'eve@evil.example', text: hers.reference }],
      'Reply-To': ({ hers }) => [
        { from: 'eve@evil.example', headers: `Reply-To: ${ada}`, subject: hers.reference },
      ],
    },
  },
  'comes through a group that has put our address into From': {
    genuine: ({ hers }) => [{ from: us, headers: rewritten, answers: hers.answers }],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'only the reference': ({ hers }) => [{ from: us, headers: rewritten, subject: hers.reference }],
      'a new email': () => [{ from: us, headers: rewritten }],
      "only a visitor's Message-ID": () => [
        { from: us, headers: rewritten, answers: '<question@example.com>' },
      ],
      'an owner behind it': ({ hers }) => [
        { from: us, headers: `X-Original-From: ${bob}\nReply-To: ${anna}`, answers: hers.answers },
      ],
    },
  },
  'comes through a group to which others have replied': {
    genuine: ({ hers }) => [
      { from: 'hello@agency.example', to: ada, headers: `X-Original-Sender: ${ada}`, answers: hers.answers },
    ],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'another domain': ({ hers }) => [
        { from: 'eve@evil.example', headers: rewritten, subject: hers.reference },
      ],
    },
  },
  'comes through a group that names its sender only in Reply-To': {
    genuine: ({ hers }) => [{ from: us, headers: `Reply-To: ${anna}, ${ada}`, answers: hers.answers }],
    counts: { ...reply, joined: 'ours' },
  },
  'a ticket system has sent to a group': {
    genuine: ({ hers }) => [
      { from: us, headers: `${rewritten}\nAuto-Submitted: auto-generated`, answers: hers.answers },
    ],
    counts: { ...reply, what: 'automatic_reply', joined: 'ours', state: 'answered' },
  },
  'is a new email from the address of a lead': {
    genuine: () => [
      { headers: 'List-Unsubscribe: <https://example.com/>\nList-Post: <mailto:hello@agency.example>' },
    ],
    counts: { ...reply, joined: 'address' },
    forged: {
      'an answer to something else': () => [{ answers: '<something@else.example>' }],
      'a newsletter': () => [{ headers: 'List-Unsubscribe: <https://example.com/>' }],
      'a vacation notice': () => [{ headers: 'Auto-Submitted: auto-replied' }],
      'what a program sends': () => [{ headers: 'Precedence: bulk' }],
      'two senders': () => [{ from: `${ada}, eve@evil.example` }],
    },
  },
  'was sent by an owner to the person': {
    before: ({ hers }) => [[{ answers: hers.answers }]],
    genuine: () => sentToAda('<one-more@agency.example>'),
    counts: { ...answer, joined: 'sent' },
    forged: {
      'the same in the inbox': ({ hers }) => [{ from: anna, to: ada, subject: hers.reference }],
      "an owner's email to a colleague": ({ hers }) => [
        { from: anna, to: bob, subject: hers.reference, answers: hers.notice },
        'sent',
      ],
      "an owner's email to a stranger": ({ hers }) => [
        { from: anna, to: 'supplier@example.com', answers: hers.answers },
        'sent',
      ],
      'a copy of our own email': ({ hers }) => [{ from: us, to: ada, id: hers.answers }, 'sent'],
      'a newsletter': () => [
        { from: anna, to: ada, headers: 'List-Unsubscribe: <https://example.com/>' },
        'sent',
      ],
      'a copy of our own email whose Message-ID was changed': () => [
        { from: us, to: ada, headers: 'Auto-Submitted: auto-generated' },
        'sent',
      ],
    },
  },
  'is from an owner, in the inbox, names a Message-ID that we made, and went to the person': {
    before: ({ hers }) => [[{ answers: hers.answers }]],
    genuine: ({ hers }) => [{ from: anna, to: `${carl}\nCc: ${ada}`, answers: hers.notice }],
    counts: { ...answer, joined: 'ours' },
    forged: {
      "to Ada, with a Message-ID of Mallory's lead": ({ his }) => [
        { from: anna, to: ada, answers: his.receipt },
      ],
      "to Mallory, with the reference of Ada's lead": ({ hers }) => [
        { from: anna, to: mallory, subject: hers.reference },
      ],
      "to Ada, with a visitor's Message-ID": () => [
        { from: anna, to: ada, answers: '<question@example.com>' },
      ],
      'a draft, in a folder of all messages': ({ hers }) => [
        { from: anna, to: ada, answers: hers.notice },
        'moved',
      ],
      'a draft there, with a Reply-To': ({ hers }) => [
        { from: anna, to: ada, answers: hers.notice, headers: 'Reply-To: hello@agency.example' },
        'moved',
      ],
      'with our address': () => [{ from: us, to: ada }],
      'a copy of our own email': ({ hers }) => [
        { from: us, to: ada, id: hers.answers, answers: hers.receipt },
      ],
    },
  },
  'reports that an email to the person came back': {
    genuine: ({ hers }) => [{ from: '', body: bounceOf(hers.answers) }],
    counts: { what: 'answer_failed', who: 'server', joined: null, state: 'open' },
    forged: {
      'another recipient': ({ hers }) => [
        { body: bounceOf(hers.answers).replace('rfc822; ada@', 'rfc822; eve@') },
      ],
      'an email that we have not sent': () => [{ body: bounceOf('<1@x>') }],
      'a notice, which went to an owner': ({ hers }) => [{ body: bounceOf(hers.notice) }],
      'an email that is only late': ({ hers }) => [{ body: bounceOf(hers.answers, { action: 'delayed' }) }],
      'the reference of another lead': ({ his }) => [
        { body: bounceOf('<1@x>').replace('Subject: Hi', `Subject: ${his.reference}`) },
      ],
    },
  },
  'was written by a program': {
    genuine: ({ hers }) => [{ answers: hers.answers, headers: 'Auto-Submitted: auto-replied' }],
    counts: { ...reply, what: 'automatic_reply', joined: 'ours', state: 'answered' },
    forged: {
      'a program that names nothing': () => [
        { headers: 'Auto-Submitted: auto-generated', answers: '<x@y.example>' },
      ],
    },
  },
}

test.each(Object.entries(table))(
  'a message that %s belongs to the lead, and no forged one does',
  async (_name, { before, genuine, counts, forged = {} }) => {
    for (const mail of before?.(both) ?? []) await takeIn(...mail)
    const unchanged = await everything()
    for (const [how, mail] of Object.entries(forged)) {
      await takeIn(...mail(both))
      expect(await everything(), how).toEqual(unchanged)
    }
    const his = await read(both.his.reference)

    await takeIn(...genuine(both))

    const events = site.db.selectFrom('lead_events').selectAll().where('lead_id', '=', both.hers.id)
    const { what, who, joined } = await events.orderBy('id', 'desc').executeTakeFirstOrThrow()
    const { state } = await read(both.hers.reference)
    expect({ what, who, joined, state }).toEqual(counts)
    expect(await read(both.his.reference)).toEqual(his)
  },
)

test.each([
  ['an address in MAIL_TO', anna],
  ['an address in MAIL_TO, in other letters', 'BOB@agency.example'],
  ['MAIL_FROM', us],
])(
  'what an owner has sent to the person from %s, with a copy to the mailbox, is an answer',
  async (_which, from) => {
    const { hers, his } = both
    // A blind copy is not in the headers.
    const copies = [ada, `${carl}\nCc: Ada <${ada}>`, `${ada}\nCc: ${us}`]
    for (const [index, to] of copies.entries()) {
      await takeIn({ id: `<${index}@example.com>`, answers: hers.answers })
      const open = await everything()
      for (const forged of [
        { answers: his.notice },
        { answers: `<${index}@example.com>` },
        { subject: hers.reference },
        { answers: hers.notice, headers: 'Auto-Submitted: auto-replied' },
      ])
        await takeIn({ from, to, ...forged })
      expect(await everything()).toEqual(open)

      await takeIn({ from, to, answers: hers.notice, id: `<copy-${index}@agency.example>` })

      expect((await read(hers.reference)).state).toBe('answered')
      const last = (await everything()).events.at(-1)
      expect(last).toMatchObject({ what: 'answered_by_mail', who: from.toLowerCase(), lead_id: hers.id })
    }
  },
)

test("what somebody else of the owners' domain has sent answers nothing, even if it names our email", async () => {
  await takeIn({ answers: both.hers.answers })
  await takeIn({ from: 'intern@agency.example', to: ada, answers: both.hers.notice })

  expect(await read(both.hers.reference)).toMatchObject({ state: 'open', replied_at: expect.anything() })
})

test('a new email of a known person is shown as one, reopens the newest lead, and answers nothing', async () => {
  const { hers } = both
  await takeIn({ text: 'I have heard nothing.' })

  expect(await read(hers.reference)).toMatchObject({ state: 'open', replied_at: expect.anything() })
  const [last, first] = (await readHistory(site.db, hers.id)).events.toReversed()
  expect(last).toMatchObject({ what: 'reply', text: 'I have heard nothing.', isNewEmail: true })
  expect(eventInWords(last as LeadEvent, String)).toBe('wrote a new email')
  expect(eventInWords(first as LeadEvent, String)).not.toContain('new')
  await takeIn({ answers: hers.answers })
  const newest = (await readHistory(site.db, hers.id)).events.at(-1)
  expect(eventInWords(newest as LeadEvent, String)).toBe('wrote again')
})

test.each<[string, string, Partial<Mail[0]>]>([
  ['a new email', 'Please call me.\n\nAda', {}],
  ['one that is empty', 'Please call me.', { text: ' ' }],
  [
    'one whose words cannot be shown',
    `Please call me.\n\n${CUT}`,
    { body: 'Content-Type: text/calendar\n\n' },
  ],
  ['one that answers something', 'Ada', { subject: 'Re: Roof' }],
])('the subject of %s is above its text, if it is its own', async (_what, text, fields) => {
  await takeIn({ subject: 'Please call me.', text: 'Ada', ...fields })

  expect((await history(both.hers.reference)).at(-1)).toMatchObject({ what: 'reply', text })
})

test('so is a subject with the reference, unless a program has written it', async () => {
  const { reference } = both.hers
  const subject = `Please call me today (${reference})`
  await takeIn({ subject, text: ' ' })
  await takeIn({ subject, text: 'Away.', headers: 'Auto-Submitted: auto-replied' })

  const texts = (await history(reference)).map(({ text }) => text)
  expect(texts.slice(-2)).toEqual([subject, 'Away.'])
})

test.each<[string, 'answered' | 'open' | 'spam', number, number, string, string?]>([
  ['an answered lead in which something happened 89 days ago', 'answered', 200, 89, 'open'],
  ['an answered lead in which nothing has happened for 91 days', 'answered', 200, 91, 'answered'],
  ['an answered lead of the last 90 days', 'answered', 80, 100, 'open'],
  ['an answered lead that is postponed', 'answered', 200, 100, 'open', '2026-04-01T14:00:00.000Z'],
  ['an open lead, however old', 'open', 200, 100, 'open'],
  ['spam', 'spam', 1, 1, 'spam'],
])('a new email and %s', async (_what, state, age, daysSinceEvent, after, follow_up_at) => {
  const { id, reference } = both.hers
  const daysAgo = (days: number) => new Date(site.clock.now.getTime() - days * DAY_MS).toISOString()
  const created = { state, created_at: daysAgo(age), ...(follow_up_at && { follow_up_at }) }
  await site.db.updateTable('leads').set(created).where('id', '=', id).execute()
  await site.db
    .updateTable('lead_events')
    .set({ at: daysAgo(daysSinceEvent) })
    .where('lead_id', '=', id)
    .execute()
  const before = await everything()

  await takeIn({})

  expect((await read(reference)).state).toBe(after)
  expect((await everything()).events).toHaveLength(before.events.length + (after === 'open' ? 1 : 0))
})
