import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'

// Each has a mailbox of their own. The one that is read is shared.
const owners = ['anna@agency.example', 'ben@agency.example', 'cleo@agency.example']
const site = useTestApp({ mailTo: owners })
const { history } = leadTools(site)
const { answered, takeIn } = mailboxTools(site)

test('a former colleague with an address of our domain writes to a group like any other customer', async () => {
  const dora = 'dora@agency.example'
  const { reference } = await answered({ email: dora })
  const group = { from: dora, headers: `Precedence: list\nX-Original-Sender: ${dora}` }

  await takeIn({ ...group, text: 'A new email.' })
  await takeIn({ ...group, text: 'By reference.', subject: `Re: ${reference}` })

  const replies = (await history(reference)).filter(({ what }) => what === 'reply')
  expect(replies.map(({ text }) => text)).toEqual(['A new email.', 'By reference.'])
})
