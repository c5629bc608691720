import { beforeEach, expect, test } from 'vitest'
import { createCodes } from '../inbox/sign-in/codes.ts'
import { markLead } from '../leads/change/mark-lead.ts'
import { createNoticeLists } from '../leads/emails/notice-list.ts'
import type { Message } from '../mail/mailer.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../proof/testing/leads.ts'
import { type Answered, mailboxTools } from '../proof/testing/mailbox.ts'
import { OWNERS } from '../proof/testing/reminder-tools.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const site = useTestApp({ mailTo: OWNERS, emailsADay: 300 })
const { read } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)

const list = () => createNoticeLists(site.context)()
const toFirst = ({ to }: Message) => to === OWNERS[0]

let ada: Answered
beforeEach(async () => {
  ada = await answered()
})

/** A reply to our answer, and what an owner gets within a minute. */
async function reply(text: string) {
  await takeIn({ answers: ada.answers, text })
  site.advanceClock(MINUTE_MS)
  return (await deliver()).filter(toFirst)
}

test('in an exchange of twenty messages, a notice tells the owners of each', async () => {
  for (let turn = 1; turn <= 20; turn++) {
    const emails = await reply(`Question ${turn}.`)
    expect(emails.map(({ text }) => text)).toEqual([expect.stringContaining(`Question ${turn}.`)])
    await answer(ada.reference, { key: crypto.randomUUID() })
    site.advanceClock(30 * MINUTE_MS)
    await deliver()
  }
})

test('if nobody answers, fifteen replies get a notice, and lists name the later ones within an hour', async () => {
  for (let turn = 1; turn <= 15; turn++) expect(await reply(`Question ${turn}.`)).toHaveLength(1)

  for (const turn of [16, 17, 18]) {
    expect(await reply(`Question ${turn}.`)).toEqual([])
    site.advanceClock(45 * MINUTE_MS)
    await list()
    const [email] = (await deliver()).filter(toFirst)
    expect(email?.text).toMatch(new RegExp(`Ada Lovelace.* wrote again\\n.*\\n +“Question ${turn}\\.”`))
  }
})

test('a list names who writes about spam after an owner has looked at it', async () => {
  const { reference } = ada
  const { version } = await read(reference)
  await markLead(site.inboxDeps, { reference, version, who: OWNERS[0] ?? '', state: 'spam' })

  expect(await reply('That was not me.')).toEqual([])
  await list()
  const [email] = (await deliver()).filter(toFirst)

  expect(email?.text).toMatch(/Ada Lovelace.* wrote again\n.*Marked as spam.*\n +“That was not me\.”/)
})

test('a list does not name spam about which nobody has written since', async () => {
  const { reference } = ada
  await takeIn({ answers: ada.answers, text: 'Buy this.', headers: 'Auto-Submitted: auto-generated' })
  const { version } = await read(reference)
  await markLead(site.inboxDeps, { reference, version, who: OWNERS[0] ?? '', state: 'spam' })

  await list()

  expect((await deliver()).filter(toFirst)).toEqual([])
})

/** Sends a request from a network of its own. */
const ask = async (name: string) => {
  const email = `${name}@example.com`
  const request = sampleRequest({ firstName: name, email, message: `${name} asks` })
  return (await site.submitLead(request, { client: name })).reference
}

testOnce(
  'with 300 emails a day, 400 replies of strangers delay no lead, no reply to an answer, and no code',
  async () => {
    const codes = createCodes(site.inboxDeps)
    const strangers: { email: string; reference: string }[] = []
    for (let index = 0; index < 36; index++) {
      const request = sampleRequest({ email: `s${index}@spam.example`, message: `Stranger ${index}` })
      const { reference } = await site.submitLead(request, { client: `network ${index % 12}` })
      strangers.push({ email: request.email, reference })
    }
    const waiting = new Map<string, number>()
    const delays: number[] = []
    let total = 0
    /** Every five minutes, sends what is due. Notes when the owners first read a text. */
    async function pass() {
      await list()
      const emails = await deliver()
      total += emails.length
      const seen = emails.filter(toFirst).map(({ text }) => text)
      for (const [text, at] of waiting) {
        if (!seen.some((email) => email.includes(text))) continue
        delays.push(site.clock.now.getTime() - at)
        waiting.delete(text)
      }
      site.advanceClock(5 * MINUTE_MS)
      return emails
    }
    const expectOf = (text: string) => waiting.set(text, site.clock.now.getTime())

    for (let turn = 0; turn < 288; turn++) {
      const writing = turn < 200 ? [turn % 36, (turn + 18) % 36] : []
      for (const { email, reference } of writing.flatMap((index) => strangers[index] ?? []))
        await takeIn({ from: email, subject: `Re: ${reference}`, text: `Buy ${turn}` })
      if (turn % 7 === 0 && turn < 280) expectOf(await ask(`Honest${turn}`))
      if (turn % 50 === 0) {
        await takeIn({ answers: ada.answers, text: `Honest reply ${turn}.` })
        expectOf(`Honest reply ${turn}.`)
      }
      if (turn % 60 === 0)
        await codes.ask({ email: OWNERS[0] ?? '', browser: 'b', client: `c${turn}`, isKnown: () => false })
      const subjects = (await pass()).map(({ subject }) => subject)
      expect(subjects.filter((subject) => subject.startsWith('Sign in'))).toHaveLength(
        turn % 60 === 0 ? 1 : 0,
      )
    }
    for (let turn = 0; turn < 12; turn++) await pass()

    expect([...waiting.keys()]).toEqual([])
    expect(delays).toHaveLength(40 + 6)
    expect(Math.max(...delays)).toBeLessThan(HOUR_MS)
    expect(total).toBeLessThan(300)
  },
)
