import { english } from '#shared/computed-facts.ts'
import { count } from '#shared/count.ts'
import { type Figures, inboxPath } from '#shared/inbox/api.ts'
import { countInWords, workTimeInWords } from '#shared/inbox/words.ts'
import { describePerson } from '../leads/emails/notice-list-email.ts'
import { answeredLink, callLink, replyLink } from '../leads/emails/owner-notice.ts'
import { andEarlier, fromElsewhere } from '../leads/emails/written-words.ts'
import { firstWords } from '../leads/first-words.ts'
import { hasWords } from '../leads/lead-store.ts'
import {
  bullets,
  buttons,
  type EmailPart,
  emailBody,
  facts,
  heading,
  type Link,
  type ListedPerson,
  paragraph,
  people,
  subheading,
} from '../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../mail/mailer.ts'
import { MAX_LISTED, type MorningLists, type Waiting } from './morning-lists.ts'

/**
 * What is stored with the email. All else is read when it is sent, so that it leaves out what is
 * over, and the database doesn't have names twice.
 */
export type MorningContent = {
  /** When it was queued. */
  at: string
  hasLists: boolean
  /** In the first email of a week: about the week before. */
  week: Week | null
}
type Week = { figures: Figures['weeks'][number]; suspects: number }

/**
 * What the email says besides its lists of leads. `concerns`: what is wrong with the server.
 * `notes`: what can wait for a Monday.
 */
export type MorningNews = Pick<MorningContent, 'at' | 'week'> & { concerns: string[]; notes: string[] }

/** Whether there is anything to say. */
export const hasNews = ({ concerns, week }: MorningNews, lists: MorningLists): boolean =>
  week !== null || concerns.length > 0 || summarize(lists) !== ''

const monthAndDay = new Intl.DateTimeFormat(english, { month: 'long', day: 'numeric', timeZone: 'UTC' })

/**
 * Tells an owner what to do today: people first, then what is wrong with the server, then last
 * week's figures.
 */
export function morningEmail(
  lists: MorningLists,
  { at, concerns, notes, week }: MorningNews,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const inboxUrl = siteUrl + inboxPath
  const todo = summarize(lists)
  const hasMore = Object.values(lists).some(({ length }) => length > MAX_LISTED)
  const hasOther = todo !== '' || week !== null
  const title =
    (todo && `Today: ${todo}`) ||
    (week && `Last week: ${count(week.figures.leads, 'request')}`) ||
    `Action needed at ${new URL(siteUrl).host}`
  const section = (name: string, listed: readonly Waiting[], linksFor: (page: string) => Link[]) => {
    const persons = listed.slice(0, MAX_LISTED).map((one) => describeWaiting(one, inboxUrl, linksFor))
    return persons.length > 0 ? [subheading(name), people(persons)] : []
  }
  return {
    ...automatic(mailFrom, email),
    subject: concerns.length > 0 && hasOther ? `Action needed. ${title}` : title,
    date: new Date(at),
    ...emailBody({
      title,
      parts: [
        heading(title),
        ...section('Follow up today', lists.followUps, (page) => [replyLink(page)]),
        ...section('Late replies', lists.late, (page) => [replyLink(page), answeredLink(page)]),
        ...section('Replies promised today', lists.due, (page) => [replyLink(page), answeredLink(page)]),
        ...section('Your unsent drafts', lists.drafts, (page) => [replyLink(page, 'Finish it')]),
        ...section('Answers that did not arrive', lists.troubles, (page) => [replyLink(page, 'Correct it')]),
        ...(hasMore ? [paragraph('The inbox shows the others.', 'quiet')] : []),
        ...(todo ? [buttons([{ label: 'Open the inbox', url: inboxUrl }])] : []),
        ...(concerns.length > 0 && hasOther ? [subheading('Action needed', 'warning')] : []),
        ...(concerns.length > 0
          ? [bullets(concerns), paragraph('Please show this to the person who looks after your website.')]
          : []),
        ...(week ? [...weekParts(week), ...notes.map((note) => paragraph(note, 'quiet'))] : []),
      ],
      footer: [
        ...(week ? ['This email comes every Monday. If it is missing, something is broken.'] : []),
        siteUrl,
      ],
    }),
  }
}

/** "2 follow-ups, 1 late reply"; empty if there is nothing to do. */
function summarize({ followUps, late, due, drafts, troubles }: MorningLists): string {
  const some = ({ length }: readonly Waiting[], one: string, many?: string) =>
    length > MAX_LISTED
      ? [`${MAX_LISTED}+ ${many ?? `${one}s`}`]
      : length > 0
        ? [count(length, one, many)]
        : []
  return [
    ...some(followUps, 'follow-up'),
    ...some(late, 'late reply', 'late replies'),
    ...some(due, 'reply due', 'replies due'),
    ...some(drafts, 'unsent draft'),
    ...some(troubles, 'answer that did not arrive', 'answers that did not arrive'),
  ].join(', ')
}

/** A person who is waiting, with the newest words, and links for what can be done. */
export function describeWaiting(
  { lead, unanswered, words = firstWords(unanswered?.texts.at(-1) ?? ''), late, by, trouble }: Waiting,
  inboxUrl: string,
  linksFor: (page: string) => Link[],
): ListedPerson {
  const { name, url } = describePerson(lead, inboxUrl)
  const from = unanswered ? fromElsewhere(unanswered) : []
  return {
    name,
    url,
    standing: late ? { words: late, isLate: true } : by ? { words: by, isLate: false } : undefined,
    details: hasWords(lead) ? [...(trouble ? [trouble] : []), ...from].join('. ') : '',
    words: hasWords(lead) ? words : '',
    more: andEarlier(unanswered ? unanswered.earlier + unanswered.texts.length - 1 : 0),
    links: [...callLink(lead.phone, `Call ${lead.phone}`), ...linksFor(`${inboxUrl}/${lead.reference}`)],
  }
}

function weekParts({ figures, suspects }: Week): EmailPart[] {
  const { week, leads, answered, medianMinutesToAnswer: median, onTime, due } = figures
  return [
    subheading(`The week of ${monthAndDay.format(new Date(week))}`),
    facts([
      ['Requests', String(leads)],
      ['Answered', String(answered)],
      [
        'Time to answer',
        median === null ? 'no answers' : `half within ${workTimeInWords(median)} (office hours)`,
      ],
      ['Promise kept', due === 0 ? 'nothing was due' : `${onTime} of ${due}`],
      ...(suspects > 0 ? [['Suspected spam to check', countInWords(suspects)] as const] : []),
    ]),
  ]
}
