import type { TestApp } from './build-test-app.ts'

/** Claims the next due email. Throws if there is none. */
export async function claimEmail({ outbox, clock }: Pick<TestApp, 'outbox' | 'clock'>, lowest?: number) {
  const email = await outbox.claim(clock.now, lowest)
  if (!email) throw new Error('No email is due.')
  return email
}
