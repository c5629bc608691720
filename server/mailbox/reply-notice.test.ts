import { expect, test } from 'vitest'
import { CUT } from '../mail/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'

const MINUTE_MS = 60_000

const site = useTestApp()
const { answer } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)

test('an answer quotes a message without the line that more of it is in the mailbox', async () => {
  const { reference, answers } = await answered()
  const body =
    'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nWhen?\n--b\nContent-Type: message/rfc822\n\nX: y\n--b--\n'
  await takeIn({ answers, body })
  const { text } = await site.db
    .selectFrom('lead_events')
    .select('text')
    .where('what', '=', 'reply')
    .executeTakeFirstOrThrow()
  expect(text).toBe(`When?\n\n${CUT}`)
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday.' })
  site.advanceClock(MINUTE_MS)
  const sent = (await deliver()).find((email) => email.text.startsWith('On Monday.'))
  expect(sent?.text).toMatch(/> When\?\s*$/)
})
