import type { Lane } from '../../outbox/outbox-store.ts'
import type { TestApp } from './build-test-app.ts'

/** Claims the next due email. Throws if there is none. */
export async function claimEmail({ outbox, clock }: Pick<TestApp, 'outbox' | 'clock'>, lane?: Lane) {
  const job = await outbox.claimNext(clock.now, lane)
  if (!job) throw new Error('No email is due.')
  return job
}
