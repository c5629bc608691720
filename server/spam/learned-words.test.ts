import { expect, test } from 'vitest'
import { formTokenField } from '#shared/contact-request.ts'
import { markSeen } from '../leads/change/change-lead.ts'
import { markLead } from '../leads/change/mark-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { anna, answerTools, erase, leadTools } from '../proof/testing/leads.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createLearnedWords } from './learned-words.ts'
import { readSamples } from './samples.ts'
import { isSuspect } from './spam-score.ts'

const site = useTestApp()
const { post, issueToken } = contactTools(site)
const { read } = leadTools(site)
const { answer } = answerTools(site)
const samples = readSamples()

// Spam of a kind that is missing from the samples. Each message is worded differently.
const carpets = [
  'Our workshop weaves hand knotted carpets from silk and wool for lobbies and showrooms. May we send samples of our carpets?',
  'Silk carpets and wool carpets, hand knotted, woven in our workshop, fit every lobby. We ship samples to your showroom.',
  'Does your lobby need hand knotted carpets? Our workshop in Kashan weaves silk and wool. We can send samples this week.',
] as const
const offer =
  'We can get your website to the first page. Our SEO packages start at $99. Would you like a free audit?'

let senders = 0
/**
 * Sends a message a minute after opening the form, as a person would. Returns the lead's reference.
 */
async function send(message: string, email = `sender-${++senders}@example.com`): Promise<string> {
  const token = await issueToken()
  site.advanceClock(60_000)
  const body = { ...sampleRequest({ message, email }), [formTokenField]: token }
  return (await post(body).expect(200)).body.reference
}
const isMarked = async (reference: string) => isSuspect((await read(reference)).spam_score)

async function judge(reference: string, verdict: 'spam' | 'honest') {
  const { version } = await read(reference)
  const state = verdict === 'spam' ? 'spam' : 'open'
  await markLead(site.inboxDeps, { reference, version, state, who: anna })
  await site.learnWords()
}

test('after two verdicts of "spam", the next similar message is in doubt, and the reason lists its words', async () => {
  const [first, second] = [await send(carpets[0]), await send(carpets[1])]
  expect((await read(second)).spam_score).toBe(0)
  await judge(first, 'spam')
  await judge(second, 'spam')

  const { spam_score, spam_reasons } = await read(await send(carpets[2]))

  expect(spam_score).toBe(4)
  expect(spam_reasons).toMatch(/Words often used in offers: .*(silk|wool|knotted|carpets|lobby|samples)/)
  expect(spam_reasons).not.toMatch(/\byour\b/)
})

test('after the verdict "not spam", the next similar message is not a suspect', async () => {
  const suspect = await send(offer)
  expect(await isMarked(suspect)).toBe(true)

  await judge(suspect, 'honest')

  expect(await isMarked(await send(`Hello! ${offer}`))).toBe(false)
})

test('an answered lead counts as honest, and ends the doubt about similar messages', async () => {
  for (const message of carpets) await judge(await send(message), 'spam')
  const scoreOf = async (message: string) => (await read(await send(message))).spam_score
  expect(await scoreOf(`Hello. ${carpets[2]}`)).toBe(4)

  await answer(await send(`Good morning! ${carpets[2]}`))
  await site.learnWords()

  expect(await scoreOf(`Hi. ${carpets[2]}`)).toBe(0)
})

test('the filter does not learn from its own guesses', async () => {
  const before = site.judgeMessage(carpets[2])
  for (const message of carpets) {
    // An event without a verdict: an owner has only opened the lead.
    await markSeen(site.inboxDeps, { reference: await send(message), who: anna })
  }
  await site.db.updateTable('leads').set({ spam_score: 20 }).execute()
  await site.learnWords()

  expect(site.judgeMessage(carpets[2])).toEqual(before)
})

test('another replica learns from a verdict, and forgets an erased person', async () => {
  const replica = createLearnedWords({ db: site.db, samples })
  const before = replica.judge(carpets[0])
  const reference = await send(carpets[0], 'weaver@example.com')
  await judge(reference, 'spam')
  await replica.refresh()
  const learned = replica.judge(carpets[0])

  await erase(site, 'weaver@example.com')
  await replica.refresh()

  expect(learned.learnedEvidence).toBeGreaterThan(before.learnedEvidence)
  expect(replica.judge(carpets[0])).toEqual(before)
})
