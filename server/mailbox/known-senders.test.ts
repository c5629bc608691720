import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { knownSenders } from './known-senders.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { submit } = leadTools(site)
const { answered, takeIn } = mailboxTools(site)
const known = async (...addresses: string[]) => [...(await knownSenders(site.db, addresses))].toSorted()

test('who has sent a request, or a message that belongs to one, is known', async () => {
  await submit({ email: 'Grace@Example.com' })
  const { answers } = await answered()
  await takeIn({ from: 'ada@work.example', answers })
  expect(
    await known('ada@example.com', 'ada@work.example', 'grace@example.com', anna, 'x@y.example'),
  ).toEqual(['ada@example.com', 'ada@work.example', 'grace@example.com'])
})

test('who has sent only spam is not known, and nobody is if nobody is asked for', async () => {
  await submit({ email: 'spam@example.com' })
  await site.db.updateTable('leads').set({ state: 'spam' }).execute()
  expect([await known('spam@example.com'), await known()]).toEqual([[], []])
})
