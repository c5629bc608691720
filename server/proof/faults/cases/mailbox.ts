import { startDovecot } from '../../testing/dovecot.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const REPLIES = 100
const KILLS = 3
const READ_WITHIN_MS = 60_000

export const mailboxCases: FaultCase[] = [
  {
    family: 'mailbox',
    fault: `the server is killed ${KILLS} times while it reads ${REPLIES} replies in a mailbox`,
    expected: 'each reply is stored exactly once, and owners are told of each',
    needs: ['dovecot'],
    run: () => killWhileReading(),
  },
  control({
    what: 'each reply is stored exactly once',
    weakness: 'messages count as read before they are stored',
    needs: ['dovecot'],
    check: killWhileReading,
  }),
]

async function killWhileReading(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using dovecot = await startDovecot()
  const { client, query, relay } = harness
  const start = () => harness.start({ env: { IMAP_URL: dovecot.url }, weakness })
  const count = (what: string) => query((stored) => stored.count(what))
  const replies = (which = 'lead_id') =>
    count(`from (select ${which} from lead_events where what = 'reply') as found`)
  const enoughReplies = (enough: number) =>
    waitUntil(`${enough} replies are stored`, async () => (await replies()) >= enough, READ_WITHIN_MS)

  let program = await start()
  const isWatched = "from settings where name in ('mailbox_inbox', 'mailbox_sent')"
  await waitUntil('the mailbox is watched', async () => (await count(isWatched)) === 2)
  for (let index = 0; index < REPLIES; index++) {
    const email = `visitor${index}@example.com`
    const { reference } = await client.post(program.url, { email })
    dovecot.deliver(
      `From: ${email}\r\nMessage-ID: <${index}@example.com>\r\nSubject: Re: ${reference}\r\n\r\nYes.\r\n`,
    )
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    await enoughReplies((kill * REPLIES) / (KILLS + 1))
    await program.stop('SIGKILL')
    program = await start()
  }
  await enoughReplies(REPLIES)
  await query((stored) => stored.expireLeases())
  await harness.drain(program.url)
  await program.stop()

  const notices = relay.emails.filter(({ messageId }) => messageId.includes('.reply-'))
  const told = new Set(notices.map(({ reference }) => reference)).size
  const seen = `${await replies()} replies of ${await replies('distinct lead_id')} leads, ${told} told`
  expectThat(seen === `${REPLIES} replies of ${REPLIES} leads, ${REPLIES} told`, seen)
  return seen
}
