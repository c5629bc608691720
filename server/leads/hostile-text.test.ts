import { Readable } from 'node:stream'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { type ContactField, contactFields, contactSchema } from '#shared/contact-request.ts'
import { cleanSource } from '#shared/lead-source.ts'
import { formatLead, formatLeadTable } from '../cli/format-lead.ts'
import { originPolicy } from '../http/origins.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { problemPage } from '../http/problem-page.ts'
import { readBody } from '../http/read-body.ts'
import { answerEmail } from '../inbox/leads/answer-email.ts'
import { compose } from '../mail/mailer.ts'
import { Problem } from '../problem.ts'
import { growthOfWork } from '../proof/testing/growth-of-work.ts'
import { hostileTexts } from '../proof/testing/hostile-texts.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { contentHash } from './history.ts'
import { ownerNotice } from './owner-notice.ts'
import { searchTerms } from './search-terms.ts'
import { searchTextOf } from './search-text.ts'
import { readSamples } from './spam/samples.ts'
import { tokensOf } from './spam/tokens.ts'
import { judgeWords, noWords } from './spam/word-filter.ts'
import { scoreSpam } from './spam-score.ts'
import { visitorReceipt } from './visitor-receipt.ts'

// Twice the text may take twice the work, plus some tolerance.
const MAX_GROWTH = 2.5
const MAX_MESSAGE = contactFields.message.maxLength
const MAX_FORM = 48 * 1024
const MAX_JSON = 16 * 1024
const MAX_HEADER = 8_000
// A UTF-16 code unit takes up to three bytes in UTF-8, and percent-encoding turns each byte into three characters.
const ENCODED_BYTES = 9
const FORM = 'application/x-www-form-urlencoded'

vi.setConfig({ testTimeout: 300_000 })

const requestOf = (text: string) => sampleRequest({ firstName: text, website: text, message: text })
const leadOf = (text: string) => ({
  ...requestOf(text),
  id: 'id',
  reference: 'Q-0000-0000',
  createdAt: new Date(0),
  dueAt: new Date(0),
  spam: { score: 20, reasons: [text] },
  source: {},
})
const recordOf = (text: string) => ({
  ...{ id: 'id', reference: 'Q-0000-0000', created_at: '2026-03-02T15:00:00.000Z', first_name: text },
  ...{ last_name: 'L', email: 'a@b.example', phone: '', company: text, website: text, budget: '' as const },
  ...{ message: text, idempotency_key: null, content_hash: '', spam_score: 20, spam_reasons: [text] },
  ...{ state: 'open' as const, verdict: null, version: 0, due_at: '', follow_up_on: null, answered_at: null },
  ...{
    seen_at: null,
    trouble: null,
    source: {},
    sort_key: '',
    awaits_list: 0 as const,
  },
  ...{
    delivery: 'no mail' as const,
    receipt_bounced: false,
    events: [],
    drafts: [],
    emails: [],
  },
})
const job = { recipient: 'owner@agency.example', messageId: '<1@agency.example>' }
const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
  hasInbox: true,
}
const body = (text: string, type: string) =>
  Object.assign(Readable.from([Buffer.from(text)]), { headers: { 'content-type': type } })
const readQuietly = (request: Readable) => readBody(request as never).catch(() => {})
const log = pino({}, { write() {} })
const respond = prepareResponse({ identity: Buffer.from(''), br: Buffer.from('') }, {})
const response = { writeHead: () => response, end() {} } as never
const withHeader = (name: string, value: string) => ({ headers: { [name]: value } }) as never
const refusal = new Problem('invalid_input', 'Please check the marked fields.')
const { checkOrigin } = originPolicy({ siteUrl: sender.siteUrl, allowedOrigins: [] })
const clues = { isHoneypotFilled: false, formAgeMs: 5_000, repeats: 0 }
const samples = readSamples()
const judge = (text: string) => judgeWords(samples, noWords(), tokensOf(text))

const answerOf = (text: string) => ({
  ...{ key: 'k', text, owner: 'anna@agency.example', at: '2026-03-02T16:00:00Z', repliesTo: null },
})

type Work = (text: string) => unknown

const schemaOf =
  (field: ContactField): Work =>
  (text) =>
    contactSchema.safeParse({ ...requestOf('a'), [field]: text })
const wordsOf =
  (field: 'message' | 'website'): Work =>
  (text) =>
    searchTextOf({ ...recordOf('a'), [field]: text })
const readForm: Work = (text) => readQuietly(body(text, FORM))

/** The code that processes visitor text: its name, the maximum length of the text, and a function that calls it. */
const workloads: [string, number, Work][] = [
  ['a form', MAX_FORM, readForm],
  ['an encoded form', MAX_FORM / ENCODED_BYTES, (text) => readForm(encodeURIComponent(text.toWellFormed()))],
  ['JSON', MAX_JSON, (text) => readQuietly(body(text, 'application/json'))],
  ['the schema with a field as long as a whole form', MAX_FORM, schemaOf('message')],
  ['the schema with a long name', MAX_MESSAGE, schemaOf('firstName')],
  ['the schema with a long email', contactFields.email.maxLength, schemaOf('email')],
  ['the schema with a long website', contactFields.website.maxLength, schemaOf('website')],
  ['the content hash', MAX_MESSAGE, (text) => contentHash(requestOf(text))],
  [
    'a source',
    MAX_FORM,
    (text) => cleanSource({ landing: `/${text}`, referrer: text, parameters: { gclid: text } }),
  ],
  ['a notice', MAX_MESSAGE, (text) => ownerNotice(leadOf(text), job, sender)],
  ['composing a notice', MAX_MESSAGE, (text) => compose(ownerNotice(leadOf(text), job, sender))],
  ['a receipt', MAX_MESSAGE, (text) => visitorReceipt(leadOf(text), job, sender)],
  ['an answer', MAX_MESSAGE, (text) => answerEmail(leadOf(text), answerOf(text), job, sender)],
  ['a lead on a terminal', MAX_MESSAGE, (text) => formatLead(recordOf(text))],
  ['a list on a terminal', MAX_MESSAGE, (text) => formatLeadTable([recordOf(text)], 120)],
  ['the page of a rejected form', MAX_FORM, (text) => problemPage(refusal, { message: text }, '')],
  // Names need no workload: they are indexed in the same way as a website, and are shorter.
  ['search words of a website', contactFields.website.maxLength, wordsOf('website')],
  ['a search', MAX_MESSAGE, searchTerms],
  ['a log line', MAX_FORM, (text) => log.error({ err: new Error(text) }, text)],
  ['Accept-Encoding', MAX_HEADER, (text) => respond(withHeader('accept-encoding', text), response)],
  ['Origin', MAX_HEADER, (text) => checkOrigin(withHeader('origin', text), response, () => {})],
  ['Content-Type', MAX_HEADER, (text) => readQuietly(body('', text))],
]

/** Code whose regular expressions match one kind of character next to another, so texts of two kinds are tested, too. */
const workloadsOnPairs: [string, number, Work][] = [
  ['the schema', MAX_MESSAGE, schemaOf('message')],
  ['the spam score', MAX_MESSAGE, (text) => scoreSpam(requestOf(text), { ...clues, words: judge(text) })],
  ['the words of a message', MAX_MESSAGE, wordsOf('message')],
]

test.each(workloads)('%s: twice the text takes at most 2.5 times the work', async (_, length, work) => {
  expect(await findGrowth(work, length, hostileTexts.ofOne)).toBeUndefined()
})

test.each(workloadsOnPairs)(
  '%s: twice the text, of one or two kinds of characters, takes at most 2.5 times the work',
  async (_, length, work) => {
    const texts = [...hostileTexts.ofOne, ...hostileTexts.ofTwo]
    expect(await findGrowth(work, length, texts)).toBeUndefined()
  },
)

/** The first text for which the work grows too much. */
async function findGrowth(work: Work, length: number, texts: typeof hostileTexts.ofOne) {
  for (const [name, text] of texts) {
    const growth = await growthOfWork(work, text, length, MAX_GROWTH)
    if (growth > MAX_GROWTH) return `${name}: ${growth.toFixed(1)}`
  }
  return undefined
}
