import { afterEach, expect, test } from 'vitest'
import { createOutbox } from './create-outbox.ts'
import { useTestApp } from './proof/testing/build-test-app.ts'
import { openInbox } from './proof/testing/inbox.ts'
import { claimEmail, outboxTools } from './proof/testing/outbox.ts'

const site = useTestApp()
const { rows, submit } = outboxTools(site)

let relay: Awaited<ReturnType<typeof openInbox>> | undefined
afterEach(() => relay?.close())

/** Starts the real outbox, which sends over real SMTP. */
async function deliverTo(url: string) {
  const env = { ...site.context.env, SMTP_URL: url, EMAILS_A_DAY: 0 }
  const outbox = createOutbox({ ...site.context, env }, 'smtp')
  await outbox.start()
  return outbox.stop
}

test('a start tries at once what has failed before', async () => {
  relay = await openInbox()
  await submit('A roof')
  const later = { smtpCode: 535, response: '535 wrong password' }
  await site.outbox.record(await claimEmail(site), site.clock.now, 'retry', later, 3_600_000)

  const stop = await deliverTo(relay.url)
  await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['sent'])
  await stop()
})
