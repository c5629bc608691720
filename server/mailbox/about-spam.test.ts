import { expect, test } from 'vitest'
import { markLead } from '../leads/change/mark-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { ada, type Fields, mailboxTools, us } from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna] })
const { read } = leadTools(site)
const { answered, takeIn } = mailboxTools(site)

const stored = (text: string) =>
  site.db.selectFrom('lead_events').selectAll().where('text', '=', text).execute()

/** Spam that somebody has sent in this person's name, and the Message-ID of what the person got. */
async function spamFrom(email: string) {
  const { reference, answers } = await answered({ email })
  const spam = { state: 'spam', verdict: 'spam', seen_at: null, awaits_list: 0 } as const
  await site.db.updateTable('leads').set(spam).where('reference', '=', reference).execute()
  return { reference, answers }
}

test('what a person answers to spam in her name is in her own lead, but counts as unproven', async () => {
  const hers = await answered()
  const { reference, answers } = await spamFrom(ada)
  const spam = await read(reference)

  for (const _time of [1, 2]) await takeIn({ answers, id: '<1@b>', text: 'That was not me.' })

  expect(await stored('That was not me.')).toMatchObject([
    { lead_id: hers.id, what: 'reply', joined: 'address' },
  ])
  expect(await read(reference)).toEqual(spam)
})

test.each<[string, Fields, 'her own lead' | 'the spam']>([
  ['a letter that a group passes on', { from: us, headers: `X-Original-From: Ada <${ada}>` }, 'her own lead'],
  ['a newsletter', { headers: 'List-Unsubscribe: <https://example.com/>' }, 'the spam'],
  ['an automatic reply', { headers: 'Auto-Submitted: auto-replied' }, 'the spam'],
  ['an email of a ticket system', { headers: 'Auto-Submitted: auto-generated' }, 'the spam'],
])('%s that answers spam in her name joins the right lead', async (_what, fields, where) => {
  const hers = await answered()
  const { answers, reference } = await spamFrom(ada)

  await takeIn({ ...fields, answers, text: 'Who is this?' })

  const lead = where === 'the spam' ? await read(reference) : hers
  expect(await stored('Who is this?')).toMatchObject([{ lead_id: lead.id }])
  expect((await read(reference)).awaits_list).toBe(0)
})

test('of what somebody writes about spam, the first message after an owner has looked is news', async () => {
  const { reference, answers } = await spamFrom('dora@example.com')
  const look = () =>
    site.db
      .updateTable('leads')
      .set({ seen_at: 'x', awaits_list: 0 })
      .where('reference', '=', reference)
      .execute()
  const write = async () => {
    await takeIn({ from: 'dora@example.com', answers })
    const { state, seen_at, awaits_list } = await read(reference)
    await site.db.updateTable('leads').set({ awaits_list: 0 }).where('reference', '=', reference).execute()
    return { state, isUnread: seen_at === null, awaits_list }
  }
  const unseen = { state: 'spam', isUnread: true, awaits_list: 0 }

  expect(await write()).toEqual(unseen)
  await look()
  expect(await write()).toEqual({ ...unseen, awaits_list: 1 })
  expect(await write()).toEqual(unseen)
  await look()
  expect(await write()).toEqual({ ...unseen, awaits_list: 1 })
})

test('a verdict counts as a look: the first message about spam after it is news', async () => {
  const { reference } = await answered({ email: 'dora@example.com' })
  await takeIn({ from: 'dora@example.com', subject: reference })
  const { version } = await read(reference)
  await markLead(site.inboxDeps, { reference, version, who: anna, state: 'spam' })

  for (const awaits_list of [1, 0]) {
    await takeIn({ from: 'dora@example.com', subject: reference })
    expect(await read(reference)).toMatchObject({ state: 'spam', seen_at: null, awaits_list })
    await site.db.updateTable('leads').set({ awaits_list: 0 }).execute()
  }
})
