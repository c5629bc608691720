import type { Queue } from '../../outbox/outbox-store.ts'
import type { TestApp } from './build-test-app.ts'

/** Claims the next due email. Throws if there is none. */
export async function claimEmail({ outbox, clock }: Pick<TestApp, 'outbox' | 'clock'>, queue?: Queue) {
  const email = await outbox.claim(clock.now, queue)
  if (!email) throw new Error('No email is due.')
  return email
}
