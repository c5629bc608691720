import { expect, test } from 'vitest'
import type { Joined } from '../../database/schema.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { leadTools } from '../../proof/testing/leads.ts'
import { queueReplyNotices } from './reply-notices.ts'

const site = useTestApp()
const { read, submit } = leadTools(site)

let keys = 0
/** Stores replies, and returns how many got a notice. */
async function reply(reference: string, count: number, who: string, joined: Joined | null = 'ours') {
  const lead = await read(reference)
  const at = site.clock.now
  const notices = () =>
    site.db
      .selectFrom('outbox')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('lead_id', '=', lead.id)
      .where('content', 'is not', null)
      .executeTakeFirstOrThrow()
  const before = await notices()
  for (let index = 0; index < count; index++) {
    const key = `mail ${++keys}`
    const event = { lead_id: lead.id, at: at.toISOString(), what: 'reply' as const, who, joined, key }
    await site.db.insertInto('lead_events').values(event).execute()
    await queueReplyNotices(site.db, await read(reference), key, { env: site.context.env, at })
  }
  return (await notices()).count - before.count
}

test.each<[string, string, Joined | null]>([
  ['somebody else in the thread', 'aaron@example.com', 'ours'],
  ['a forger of the address of the request', 'ada@example.com', 'address'],
  ['a forger who names the reference', 'ada@example.com', 'reference'],
  ['a forger who names a message of others', 'ada@example.com', 'theirs'],
])('%s does not use up the notices of the person of the lead', async (_who, who, joined) => {
  const reference = await submit({ email: 'ada@example.com' })
  await site.db.updateTable('leads').set({ seen_at: site.clock.now.toISOString() }).execute()

  expect(await reply(reference, 8, who, joined)).toBe(5)
  expect(await read(reference)).toMatchObject({ awaits_list: 1, seen_at: null })
  expect(await reply(reference, 8, 'ada@example.com', null)).toBe(5)
})

test('what may be forged in the name of a person counts apart from what that person has written', async () => {
  const reference = await submit({ email: 'ada@example.com' })

  expect(await reply(reference, 8, 'ada@example.com')).toBe(5)
  expect(await reply(reference, 8, 'ada@example.com', 'reference')).toBe(5)
})

test('however many senders there are, a lead gets 15 notices until an owner answers, and the next list names it', async () => {
  const reference = await submit()
  let notices = 0
  for (let sender = 0; sender < 20; sender++) notices += await reply(reference, 1, `${sender}@example.com`)

  expect(notices).toBe(15)
  expect((await read(reference)).awaits_list).toBe(1)
})

test('many forgers leave five notices to the person of the lead', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  let forged = 0
  for (let sender = 0; sender < 30; sender++)
    forged += await reply(reference, 1, `${sender}@example.com`, 'reference')

  expect(forged).toBe(10)
  expect(await reply(reference, 8, 'ada@example.com')).toBe(5)
})
