import { expect, test } from 'vitest'
import { createOutbox } from './create-outbox.ts'
import { writeNote } from './database/settings.ts'
import type { DeliveryMode } from './outbox/delivery-mode.ts'
import { useTestApp } from './proof/testing/build-test-app.ts'
import { claimEmail, outboxTools } from './proof/testing/outbox.ts'

const site = useTestApp()
const { deliveryLog, rows, submit } = outboxTools(site)

test.each<[DeliveryMode, { state: string; attempts: number; notices: number; isStalled: boolean }]>([
  ['files', { state: 'file', attempts: 2, notices: Infinity, isStalled: false }],
  ['held', { state: 'queued', attempts: 1, notices: 1, isStalled: true }],
])('in the mode "%s", an email that a crash has cut off ends like this: %j', async (mode, expected) => {
  await writeNote(site.db, 'smtp_used', mode === 'held')
  await submit('Hello')
  await claimEmail(site)
  const env = { ...site.context.env, EMAILS_A_DAY: 4 }
  const outbox = createOutbox({ ...site.context, env }, mode)

  await outbox.start()
  await outbox.stop()

  const [email] = await rows()
  const { state, attempts } = email ?? {}
  const { noticed: notices } = outbox.budget
  expect({ state, attempts, notices, isStalled: outbox.isStalled() }).toEqual(expected)
})

test('a start without a mail server does not send again what was only written to files', async () => {
  await submit('Hello')
  const start = async () => {
    const outbox = createOutbox(site.context, 'files')
    await outbox.start()
    await outbox.stop()
  }
  await start()
  await start()

  expect((await deliveryLog()).map(({ outcome }) => outcome)).toEqual(['file'])
})
