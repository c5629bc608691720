import { startDovecot } from '../../testing/dovecot.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const READ_WITHIN_MS = 60_000
const OWNER = 'owner@agency.example'
const MALLORY = 'mallory@evil.example'
const VERA = 'vera@example.com'
const NEWSLETTER = '<newsletter@agency.example>'

export const forgedMailCases: FaultCase[] = [
  {
    family: 'forged mail',
    fault:
      "a stranger takes a person's name, and the Message-ID of a newsletter that she answers; forges owners and reports",
    expected: 'his lead has nothing that others wrote, nobody writes to him, and no lead is silenced',
    needs: ['dovecot'],
    inShortRun: true,
    run: () => forge(),
  },
  control({
    what: "what others wrote is not in a stranger's lead",
    weakness: "a visitor's Message-ID counts for everybody",
    needs: ['dovecot'],
    check: (weakness) => faultsOf(forge(weakness)),
  }),
  control({
    what: 'no forged owner silences a lead',
    weakness: 'an owner in the inbox needs no Message-ID of the lead',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(forge(weakness)),
  }),
  control({
    what: 'no forged report counts',
    weakness: 'a report counts for any recipient',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(forge(weakness)),
  }),
]

async function forge(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using dovecot = await startDovecot()
  const env = {
    IMAP_URL: dovecot.url,
    MAIL_TO: OWNER,
    MAIL_FROM: 'site@agency.example',
    VISITOR_RECEIPT: 'on',
  }
  const { url } = await harness.start({ env, weakness })
  const { emails } = harness.relay
  const count = (query: string) => harness.query((stored) => stored.count(query))
  const stored = (text: string) => count(`from lead_events where text like '%${text}%'`)
  const until = (what: string, isTrue: () => Promise<boolean>) => waitUntil(what, isTrue, READ_WITHIN_MS)
  await until('the mailbox is watched', async () => (await count(isWatched)) === 2)

  const { reference: his = '' } = await harness.client.post(url, { firstName: 'Vera', email: MALLORY })
  const { reference: hers = '' } = await harness.client.post(url, { firstName: 'Vera', email: VERA })
  const receiptOf = (address: string) => emails.find(({ recipient }) => recipient === address)?.messageId
  await until('both have a receipt', async () => Boolean(receiptOf(MALLORY) && receiptOf(VERA)))
  const ofMallory = { answers: receiptOf(MALLORY) }
  const deliver = (letters: Letter[]) => {
    for (const letter of letters) dovecot.deliver(messageOf(letter))
  }

  deliver([{ ...ofMallory, from: MALLORY, id: NEWSLETTER, text: 'TRAP' }])
  await until('the trap is set', async () => (await stored('TRAP')) === 1)
  deliver([
    { from: VERA, answers: NEWSLETTER, text: 'PRIVATE' },
    { from: 'bo@example.org', answers: NEWSLETTER, text: 'PRIVATE' },
    { from: 'bo@example.org', subject: `Re: ${his}`, text: 'PRIVATE' },
    { ...ofMallory, from: OWNER, to: VERA, text: 'FORGED' },
    { from: OWNER, to: VERA, subject: `Re: ${hers}`, text: 'FORGED' },
    { from: 'site@agency.example', to: VERA, subject: `Re: ${hers}`, text: 'FORGED' },
    { from: '', subject: 'Returned mail', ...reportOn(receiptOf(VERA), 'bo@example.org') },
    { from: VERA, answers: receiptOf(VERA), text: 'HONEST' },
  ])
  await until("Vera's own answer is stored", async () => (await stored('HONEST')) === 1)
  await until('the owner has heard of it', async () => emails.some(({ text }) => text.includes('HONEST')))

  expectThat((await stored('PRIVATE')) === 0, 'what others wrote is stored with a lead')
  expectThat((await stored('FORGED')) === 0, 'a forged answer is stored with a lead')
  expectThat((await count("from leads where state = 'open'")) === 2, 'a lead is silenced')
  expectThat((await count("from outbox where state = 'failed'")) === 0, 'a forged report counts')
  expectThat(!emails.some(({ text }) => text.includes('PRIVATE')), 'what others wrote was sent')
  const toHim = emails.filter(({ recipient }) => recipient === MALLORY).length
  expectThat(toHim === 1, `${toHim} emails to the stranger`)
  return `8 messages read; in his lead, only his own; both leads open; 1 email to him, his receipt`
}

const isWatched = "from settings where name in ('mailbox_inbox', 'mailbox_sent')"

type Letter = {
  from: string
  to?: string
  subject?: string
  id?: string
  answers?: string | undefined
  type?: string
  text: string
}

let letters = 0
const messageOf = ({
  from,
  to = 'site@agency.example',
  subject = 'Re: Hi',
  id,
  answers,
  type,
  text,
}: Letter) =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${id ?? `<letter-${++letters}@example.com>`}`,
    ...(answers ? [`In-Reply-To: ${answers}`] : []),
    `Content-Type: ${type ?? 'text/plain'}`,
    '',
    text,
    '',
  ].join('\r\n')

/** A report that an email didn't arrive at `recipient`. */
const reportOn = (messageId: string | undefined, recipient: string) => ({
  answers: messageId,
  type: 'multipart/report; report-type=delivery-status; boundary=b',
  text: `--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ${recipient}
Action: failed
Status: 5.1.1
--b
Content-Type: message/rfc822

Message-ID: ${messageId}

PRIVATE
--b--`.replace(/\n/g, '\r\n'),
})
