import type { Lane } from '../../outbox/outbox-store.ts'
import type { buildTestApp } from './build-test-app.ts'

/** Claims the next due email. Throws if there is none. */
export async function claimEmail(
  { outbox, clock }: Pick<Awaited<ReturnType<typeof buildTestApp>>, 'outbox' | 'clock'>,
  lane?: Lane,
) {
  const job = await outbox.claimNext(clock.now, lane)
  if (!job) throw new Error('No email is due.')
  return job
}
