import * as z from 'zod/mini'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'
import { planPrice } from '../budget-tiers.ts'
import { english } from '../computed-facts.ts'
import { quoteDueAt } from '../promise-clock.ts'
import { cleanLine, cleanText } from '../text/invisible-characters.ts'
import { MAX_ANSWER } from './lead.ts'

const MAX_REPLIES = 50

const text = (clean: (text: string) => string, maximum: number, missing: string) =>
  z.string().check(z.overwrite(clean), z.trim(), z.minLength(1, missing), z.maxLength(maximum))

const savedReply = z.object({
  name: text(cleanLine, 60, 'Please give the reply a name.'),
  text: text(cleanText, MAX_ANSWER, 'Please write something.'),
})
export type SavedReply = z.infer<typeof savedReply>

/** The texts that owners keep for their answers. */
export const savedReplies = z.object({
  replies: z.array(savedReply).check(z.maxLength(MAX_REPLIES, `Please keep at most ${MAX_REPLIES} replies.`)),
})
export type SavedReplies = z.infer<typeof savedReplies>

/** How an owner changes a reply. `before` is null for a new one, and `after` for one to delete. */
export const replyChange = z.object({ before: z.nullable(savedReply), after: z.nullable(savedReply) })

/** What stands for something that differs from lead to lead. */
export const placeholders = ['first name', 'plan', 'price', 'quote date', 'signature'] as const
type Placeholder = (typeof placeholders)[number]

// Ours in any spelling, such as `{ First_Name }`, and the date also in a language, such as
// `{quote date fr}`. Others only without space at the edges, because code can look like that.
const ours = placeholders.map((name) => name.replace(' ', '[\\s_-]*')).join('|')
const dated = 'quote[\\s_-]*date[^\\p{L}\\p{N}{}｛｝\\n][^{}｛｝\\n]{0,30}'
const single = `\\$?[{｛](?:\\s*(?:${ours}|${dated})\\s*|\\p{L}[\\p{L}\\p{M}\\p{N} _-]{0,30})[}｝]`
// Texts from other programs have placeholders of theirs. In brackets that also mean something else,
// such as in “[see attachment]”, only names of fields count.
const double = '[{]{2,3}\\s*[#/]?\\p{L}[\\p{L}\\p{M}\\p{N}. \\u00a0_-]{0,40}(?:[|,][^{}\\n]{0,60})?[}]{2,3}'
const persons = 'f|l|first|last|full|given|family|your|contact|customer|client|company'
const field = ` ?(?:\\p{L}{1,20}[._:])?(?:(?:${persons})?[ ._-]?name|company|${ours}) ?`
const foreign = ['\\[_\\](?!\\()', '<_>', '«_»', '%_%', '\\*\\|_\\|\\*', '[{][!$%]?_%?[}]'].map((brackets) =>
  brackets.replace('_', () => field),
)
const pattern = new RegExp([double, single, ...foreign].join('|'), 'giu')
const toName = (written: string) =>
  written
    .toLowerCase()
    .replace(/^\$?[{｛]+|[}｝]+$/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim() as Placeholder

/**
 * The language that the date is to be in; undefined if there is none, or `Intl` doesn't know it.
 */
function languageOf(name: string): string | undefined {
  const [, words] = /^quote date ([a-z]{2,3}(?: [a-z\d]{2,4})*)$/.exec(name) ?? []
  try {
    return words && Intl.DateTimeFormat.supportedLocalesOf(words.replaceAll(' ', '-'))[0]
  } catch {
    return undefined
  }
}

/**
 * The placeholders in a text, known or not, as written. An answer that still has one is never sent.
 */
export const placeholdersIn = (text: string): string[] => [...new Set(text.match(pattern) ?? [])]

/** Those for which there is no value in any lead, as written. */
export const unknownIn = (text: string): string[] =>
  placeholdersIn(text).filter((written) => {
    const name = toName(written)
    return !placeholders.includes(name) && !languageOf(name)
  })

type Facts = { firstName: string; budget: string; signature: string; now: Date }

/**
 * Replaces the placeholders. One without a value stays, such as the price if the visitor chose no
 * plan.
 */
export function fillIn(text: string, { firstName, budget, signature, now }: Facts): string {
  const plan = plans.find(({ id }) => id === budget)
  const values: Record<Placeholder, string | undefined> = {
    'first name': firstName,
    plan: plan?.name,
    price: planPrice(budget),
    'quote date': quoteDay(english, now),
    signature,
  }
  return text.replace(pattern, (written) => {
    const name = toName(written)
    const language = languageOf(name)
    return language ? quoteDay(language, now) : (values[name] ?? written)
  })
}

/** The day of the quote: "Monday, March 2". */
const quoteDay = (language: string, now: Date): string =>
  quoteDueAt(now).toLocaleDateString(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: hours.timeZone,
  })

/** What an inbox begins with. */
export const firstReplies: SavedReplies = {
  replies: [
    {
      name: 'Quote follows',
      text: 'Hello {first name},\n\nThank you for your request. I am looking into it, and you will have our quote by {quote date}.\n\n{signature}',
    },
    {
      name: 'Three questions',
      text: 'Hello {first name},\n\nThank you for your request. Three questions before we can give you a price:\n\n1. Do you have a website now, and what is its address?\n2. Which pages do you need?\n3. When should it be online?\n\n{signature}',
    },
    {
      name: 'No capacity',
      text: 'Hello {first name},\n\nThank you for thinking of us. We are fully booked at the moment, and do not want to promise you something that we cannot keep. May we contact you when we have time again?\n\n{signature}',
    },
  ],
}
