import { startDovecot } from '../../testing/dovecot.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { verify } from '../verify.ts'

const OLD_MESSAGES = 100_000
const REPLIES = 200
const OTHERS_PER_REPLY = 10
const KILLS = 3
const READ_WITHIN_MS = 60_000

export const mailboxCases: FaultCase[] = [
  {
    family: 'mailbox',
    fault: `the server is killed ${KILLS} times, and the IMAP server once, while the server reads ${REPLIES} replies in a mailbox of ${OLD_MESSAGES} messages`,
    expected: 'each reply is stored exactly once, and each request meanwhile is kept',
    needs: ['dovecot'],
    run: () => killWhileReading(OLD_MESSAGES),
  },
  control({
    what: 'each reply is stored exactly once',
    weakness: 'messages count as read before they are stored',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(killWhileReading(0, weakness)),
  }),
]

async function killWhileReading(oldMessages: number, weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using dovecot = await startDovecot()
  for (let old = 0; old < oldMessages; old++) dovecot.deliver(message(`old-${old}`, 'Newsletter'))
  const start = () => harness.start({ env: { IMAP_URL: dovecot.url }, weakness })
  let program = await start()
  await waitUntil(
    'the mailbox is watched',
    async () => (await count(harness, isWatched)) === 2,
    READ_WITHIN_MS,
  )

  for (let reply = 0; reply < REPLIES; reply++)
    await harness.client.post(program.url, { email: `visitor${reply}@example.com` })
  for (const [index, { reference, request }] of harness.client.acknowledged().entries()) {
    for (let other = 0; other < OTHERS_PER_REPLY; other++)
      dovecot.deliver(message(`other-${index}-${other}`, 'Newsletter'))
    dovecot.deliver(message(`reply-${index}`, `Re: Your request ${reference}`, request.email))
  }

  let isOver = false
  const url = () => program.url
  const load = harness.client.visit(url, 2, () => isOver)
  const replies = () => count(harness, isReply)
  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = (kill * REPLIES) / (KILLS + 1)
    await waitUntil(`${enough} replies are stored`, async () => (await replies()) >= enough, READ_WITHIN_MS)
    await program.stop('SIGKILL')
    if (kill === 1) {
      await dovecot.stop('SIGKILL')
      await dovecot.start()
    }
    program = await start()
  }
  await waitUntil('all replies are stored', async () => (await replies()) >= REPLIES, READ_WITHIN_MS)
  isOver = true
  await load
  const answered = await count(harness, `(select distinct lead_id ${isReply})`)
  expectThat((await replies()) === REPLIES, `${await replies()} replies stored`)
  expectThat(answered === REPLIES, `${answered} leads have a reply`)
  await program.stop()
  await harness.recover()
  const { settings, client, relay } = harness
  const told = relay.emails.filter(({ messageId }) => messageId.includes('.reply-'))
  const leadsTold = new Set(told.map(({ reference }) => reference)).size
  expectThat(leadsTold === REPLIES, `owners were told of ${leadsTold} replies`)
  const mails = relay.emails.filter((email) => !told.includes(email))
  return `${REPLIES} replies stored once, owners told; ${await verify({ settings, client, mails })}`
}

const isWatched = "from settings where name in ('mailbox_inbox', 'mailbox_sent')"
const isReply = "from lead_events where what = 'reply'"
const count = (harness: Harness, query: string) =>
  harness.query((stored) => stored.count(query.startsWith('(') ? `from ${query} as found` : query))

const message = (id: string, subject: string, from = 'news@example.org') =>
  `From: ${from}\r\nTo: site@agency.example\r\nSubject: ${subject}\r\nMessage-ID: <${id}@example.com>\r\n\r\nWhen can you start?\r\n`
