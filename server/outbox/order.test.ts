import { expect, test } from 'vitest'
import type { EmailKind } from '../database/schema.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { MAIL_PATIENCE_MS, readBacklog, readMailHealth } from './backlog.ts'
import { enqueue } from './enqueue.ts'
import type { Lane } from './outbox-store.ts'

const site = useTestApp({ sendsReceipts: true })

const queue = async (kind: EmailKind, name: string, isSuspect = false) => {
  await enqueue(site.db, [{ kind, recipient: 'x@example.com', messageId: name, isSuspect }], site.clock.now)
  site.advanceClock(1000)
}
/** Claims all due emails as a lane (a loop that sends emails) would, and returns their names in the order of the claims. */
const order = async (lane: Lane) => {
  const names: (string | undefined)[] = []
  for (;;) {
    const job = await site.outbox.claimNext(site.clock.now, lane)
    if (!job) return names
    names.push(job.messageId)
  }
}

test('`newest` lanes start with the latest email, `oldest` lanes with the earliest, and both end with suspected spam', async () => {
  for (const lane of ['newest', 'oldest'] as const) {
    await queue('digest', 'suspect', true)
    await queue('digest', 'first')
    await queue('digest', 'second')
    await queue('visitor_receipt', 'receipt')

    const expected = lane === 'newest' ? ['second', 'first', 'suspect'] : ['first', 'second', 'suspect']
    expect(await order(lane)).toEqual(expected)
    await site.db.deleteFrom('outbox').execute()
  }
})

test('only `visitor` lanes send receipts, and they send nothing else', async () => {
  await queue('visitor_receipt', 'receipt')
  await queue('digest', 'digest')

  expect(await order('visitor')).toEqual(['receipt'])
  expect(await order('oldest')).toEqual(['digest'])
})

test('emails that have waited for a minute do not delay a new one', async () => {
  for (let index = 0; index < 50; index++) await queue('digest', `waiting ${index}`)
  site.advanceClock(60_000)

  await queue('digest', 'new')

  expect((await site.outbox.claimNext(site.clock.now, 'newest'))?.messageId).toBe('new')
})

test('an email dated in the far future counts as stuck, but one dated a minute ahead does not', async () => {
  await enqueue(
    site.db,
    [{ kind: 'digest', recipient: 'x@example.com', messageId: 'ahead' }],
    new Date(site.clock.now.getTime() + 60_000),
  )
  const waitingSince = new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS)
  expect(await readMailHealth(site.db, waitingSince)).toBe('ok')

  await site.db.updateTable('outbox').set({ queued_at: '2099-01-01T00:00:00.000Z' }).execute()

  expect(await readMailHealth(site.db, waitingSince)).toBe('waiting')
  expect(await readBacklog(site.db, waitingSince)).toMatchObject({ waiting: 1 })
})

test.each(['newest', 'oldest'] as const)(
  'in `%s` lanes, notices of leads delay no other email to or from an owner',
  async (lane) => {
    const emails = ['answer', 'sign_in', 'notice_list', 'digest'] as const
    await queue('owner_notice', 'before')
    for (const kind of emails) await queue(kind, kind)
    await queue('owner_notice', 'after')

    expect((await order(lane)).slice(0, emails.length).toSorted()).toEqual(emails.toSorted())
  },
)
