import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../../proof/testing/leads.ts'
import { queueReplyNotices } from './reply-notices.ts'

const site = useTestApp()
const { read, submit } = leadTools(site)
const { answer } = answerTools(site)

let keys = 0
/** Stores replies, and returns how many got a notice. */
async function reply(reference: string, count: number, who: string) {
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
    await site.db
      .insertInto('lead_events')
      .values({ lead_id: lead.id, at: at.toISOString(), what: 'reply', who, joined: 'ours', key })
      .execute()
    await queueReplyNotices(site.db, await read(reference), key, { env: site.context.env, at })
  }
  return (await notices()).count - before.count
}

test('a lead gets 15 notices of replies until an owner answers, and the next list names it', async () => {
  const reference = await submit()
  await site.db.updateTable('leads').set({ seen_at: site.clock.now.toISOString() }).execute()
  let notices = 0
  for (let sender = 0; sender < 20; sender++) notices += await reply(reference, 1, `${sender}@example.com`)

  expect(notices).toBe(15)
  expect(await read(reference)).toMatchObject({ awaits_list: 1, seen_at: null })
})

test('after an answer, a lead that had too many replies gets notices again', async () => {
  const reference = await submit()
  expect(await reply(reference, 20, 'ada@example.com')).toBe(15)

  await answer(reference)

  expect(await reply(reference, 1, 'ada@example.com')).toBe(1)
})
