import type { TestApp } from './build-test-app.ts'
import { sampleRequest } from './sample-request.ts'

/** Submits a lead whose notice is sent and whose receipt bounces. Returns its reference. */
export async function bounceReceipt({ submitLead, outbox, clock }: TestApp, changes = {}): Promise<string> {
  const clues = { isHoneypotFilled: false, formAgeMs: 60_000 }
  const { reference } = await submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null, clues })
  const notice = await outbox.claim(clock.now)
  const receipt = await outbox.claim(clock.now)
  if (!notice || !receipt) throw new Error('The notice or the receipt is missing.')
  await outbox.record(notice, clock.now, 'sent', { smtpCode: 250, response: '250 ok' })
  await outbox.record(receipt, clock.now, 'bounced', {
    smtpCode: 550,
    response: '550 no such user',
    isBounce: true,
  })
  return reference
}
