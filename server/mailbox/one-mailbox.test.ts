import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools } from '../proof/testing/leads.ts'
import { ada, type Fields, mailboxTools, us } from '../proof/testing/mailbox.ts'

// MAIL_FROM, MAIL_TO, and the mailbox are one address.
const site = useTestApp({ mailTo: [us], sendsReceipts: true })
const { history, read } = leadTools(site)
const { answered, everything, takeIn } = mailboxTools(site)

/** What an owner writes to herself, as it lies in the inbox. */
const toSelf = (fields: Fields) => takeIn({ from: us, to: us, text: 'On Monday?', ...fields })

test('an owner who has tried the form with the address of the mailbox writes again like anybody', async () => {
  const { answers, receipt, notice, reference } = await answered({ email: us })

  await toSelf({ answers: receipt })
  await toSelf({ answers: `${receipt} ${answers}` })
  await toSelf({ answers: notice })

  const kinds = (await history(reference)).map(({ what }) => what)
  expect(kinds.slice(-3)).toEqual(['reply', 'reply', 'answered_by_mail'])
  expect((await read(reference)).state).toBe('answered')
})

test("what an owner replies to a notice is never the visitor's, even with the Reply-To of the notice", async () => {
  const { notice } = await answered()
  const before = await everything()

  // Thunderbird writes to the sender of the notice, herself, and keeps its Reply-To.
  await toSelf({ answers: notice, headers: `Reply-To: ${ada}` })

  expect(await everything()).toEqual(before)
})

test('the user of IMAP_URL is an owner, also if MAIL_FROM is an alias', async () => {
  const user = 'hello@agency.example'
  Object.assign(site.context.env, { IMAP_URL: 'imaps://Hello%40agency.example:secret@imap.example.com' })
  const { answers, notice, reference } = await answered()
  const before = await everything()

  await takeIn({ from: user, to: us, answers: notice })
  await takeIn({ from: user, to: 'partner@example.com', answers: notice }, 'moved')
  expect(await everything()).toEqual(before)
  await takeIn({ answers })
  await takeIn({ from: user, to: ada, answers: notice })

  expect((await history(reference)).at(-1)).toMatchObject({ what: 'answered_by_mail', who: user })
})
