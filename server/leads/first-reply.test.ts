import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { Schema } from '../database/schema.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, storeLead } from '../proof/testing/leads.ts'
import { isFirstReply } from './first-reply.ts'

const site = useTestApp()

type Event = Pick<Insertable<Schema['lead_events']>, 'what' | 'who' | 'joined'>
const answer: Event = { what: 'answer', who: anna, joined: null }
const sent: Event = { what: 'answered_by_mail', who: anna, joined: 'sent' }
const inInbox: Event = { what: 'answered_by_mail', who: anna, joined: 'ours' }
const reply: Event = { what: 'reply', who: 'ada@example.com', joined: 'ours' }
const colleague: Event = { ...reply, who: 'camille@example.com' }
const forged: Event = { ...reply, joined: 'reference' }

test.each<[string, boolean, Event[]]>([
  ['after an answer', true, [answer, reply]],
  ['after an owner has answered by email', true, [sent, reply]],
  ['after another answer', true, [answer, reply, answer, reply]],
  ['after a reply of somebody else', true, [answer, colleague, reply]],
  ['after a forged one', true, [answer, forged, reply]],
  ['after another one', false, [answer, reply, reply]],
  ['before an answer', false, [reply]],
  ['after an answer that anybody can have forged', false, [answer, inInbox, reply]],
  ['of somebody else', false, [answer, colleague]],
  ['that anybody can have forged', false, [answer, forged]],
])('a reply %s is the first: %s', async (_which, expected, events) => {
  const { id } = await storeLead(site.db, { email: 'Ada@example.com' })
  const at = site.clock.now.toISOString()
  const rows = events.map((event, index) => ({ ...event, lead_id: id, at, key: `${id} ${index}` }))
  await site.db.insertInto('lead_events').values(rows).execute()

  expect(await isFirstReply(site.db, id, rows.at(-1)?.key ?? '')).toBe(expected)
})
