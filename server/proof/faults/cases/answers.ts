import { setTimeout as sleep } from 'node:timers/promises'
import type { LeadPage } from '#shared/inbox/lead.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { newAnswer, openOwnerClient } from '../owner-client.ts'

const ANSWERS = 8
const REPEATS = 3
const LOST_WITHIN_MS = 12
const KILLED_WITHIN_MS = 60
const OWNERS = ['first-owner@example.com', 'second-owner@example.com'] as const
const REFUSAL = '550 5.1.1 no such user here'

const oneEmail = {
  what: 'despite lost connections, a kill and repeated presses of Send, an answer is emailed once and always gets the same response',
  check: loseResponses,
}
const openAgain = {
  isLong: true,
  what: 'if the mail server refuses an answer for good, the lead is open again, at the top of the list, with the reason',
  check: refuseAnswer,
}
const oneWinner = {
  isLong: true,
  what: 'of two owners who answer at the same time, one gets a 200 and the other a 409 with the current state',
  check: answerTogether,
}

export const answers: FaultCase[] = [
  guarantee(oneEmail),
  control({ ...oneEmail, weakness: 'answers without an idempotency key', isLong: true }),
  guarantee(openAgain),
  control({ ...openAgain, weakness: 'a failed answer does not reopen the lead' }),
  guarantee(oneWinner),
  control({ ...oneWinner, weakness: 'answers ignore what others changed' }),
]

const start = (harness: Harness, weakness?: Weakness) => harness.start(weakness && { weakness })

const postLeads = async ({ client }: Harness, url: string, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => client.post(url)))).map(
    ({ reference = '' }) => reference,
  )

async function loseResponses(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const program = await start(harness, weakness)
  const owner = await openOwnerClient(harness, program.url)
  const pressed = (await postLeads(harness, program.url, ANSWERS)).map(newAnswer)
  const repeat = (url: string) => () => Promise.all(pressed.map((answer) => owner.send(url, answer)))
  const lost = () => AbortSignal.timeout(Math.ceil(Math.random() * LOST_WITHIN_MS))
  await Promise.all(pressed.map((answer) => owner.send(program.url, answer, lost())))
  const repeated = Promise.all(Array.from({ length: REPEATS }, repeat(program.url)))
  await sleep(Math.random() * KILLED_WITHIN_MS)
  await program.stop('SIGKILL')
  await repeated
  await harness.query((stored) => stored.expireLeases())
  const second = await start(harness, weakness)
  await Promise.all(Array.from({ length: REPEATS }, repeat(second.url)))
  await harness.drain(second.url)

  return pressed.flatMap(({ key, sends }) => {
    const responses = new Set(sends.filter(({ status }) => status !== 0).map(({ text }) => text))
    const statuses = sends.map(({ status }) => status)
    const emails = harness.relay.emails.filter(({ messageId }) => messageId.startsWith(`<${key}.answer@`))
    return [
      ...(responses.size === 1 && statuses.at(-1) === 200 ? [] : [`different responses: ${statuses}`]),
      ...(emails.length === 1 ? [] : [`${emails.length} emails for one answer`]),
    ]
  })
}

async function refuseAnswer(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const program = await start(harness, weakness)
  const owner = await openOwnerClient(harness, program.url)
  // The first of two leads. Its reply is due first, so it would be at the top if the answer to the second weren't refused.
  await harness.client.post(program.url)
  const { reference = '', request } = await harness.client.post(program.url)
  const answer = newAnswer(reference)
  await owner.send(program.url, answer)
  harness.relay.misbehave('rcpt', (_, line) =>
    line.includes(request.email) ? REFUSAL : harness.relay.usual.rcpt,
  )
  await harness.query((stored) => stored.makeQueuedDue())
  // A new lead wakes the worker, which then finds the answer that is due.
  await harness.client.post(program.url)
  await waitUntil(
    'the answer is refused',
    async () => (await harness.query((stored) => stored.failedEmails())) === 1,
  )

  const { leads }: LeadPage = await owner.get(program.url, '/leads?view=open')
  const { draft } = await owner.get(program.url, `/leads/${reference}`)
  const [top] = leads
  return [
    ...(top?.reference === reference ? [] : [`${leads.length} open leads, but not this one at the top`]),
    ...(top?.trouble?.includes(REFUSAL) ? [] : [`the reason is ${top?.trouble}`]),
    ...(draft === answer.text ? [] : [`the draft is ${draft}`]),
  ]
}

async function answerTogether(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const env = { MAIL_TO: OWNERS.join() }
  const program = await harness.start({ env, ...(weakness && { weakness }) })
  const owners = await Promise.all(OWNERS.map((owner) => openOwnerClient(harness, program.url, owner)))
  const references = await postLeads(harness, program.url, ANSWERS)
  const together = async (reference: string) => {
    const responses = await Promise.all(owners.map((owner) => owner.send(program.url, newAnswer(reference))))
    return responses.toSorted((one, other) => one.status - other.status)
  }
  const outcomes = await Promise.all(references.map(together))
  const emails = await harness.query((stored) => stored.count("from outbox where kind = 'answer'"))

  return [
    ...outcomes.flatMap(([won, lost]) => {
      const current = JSON.stringify(JSON.parse(lost?.text ?? '{}').current)
      const isRight =
        won?.status === 200 && lost?.status === 409 && current === '{"state":"answered","version":1}'
      return isRight ? [] : [`${won?.status} and ${lost?.status} with ${current}`]
    }),
    ...(emails === ANSWERS ? [] : [`${emails} emails for ${ANSWERS} answers`]),
  ]
}
