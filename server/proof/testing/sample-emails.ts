import { brand } from '#facts/brand.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { testEmail } from '../../doctor/test-messages.ts'
import { signInEmail } from '../../inbox/sign-in/sign-in-email.ts'
import { answerEmail, answerTemplate } from '../../leads/answers/answer-email.ts'
import { answerTroubleEmail } from '../../leads/answers/answer-trouble.ts'
import { noticeListEmail } from '../../leads/emails/notice-list-email.ts'
import { ownerNotice } from '../../leads/emails/owner-notice.ts'
import { visitorReceipt } from '../../leads/emails/visitor-receipt.ts'
import { type Lead, withoutWords } from '../../leads/lead-store.ts'
import type { MailAddress, Message } from '../../mail/mailer.ts'
import { replyNotice } from '../../mailbox/reply-notice.ts'
import { mailboxTroubleEmail, type TroubleContent } from '../../mailbox/trouble-email.ts'
import { followUpEmail } from '../../reminders/follow-ups.ts'
import { type MorningNews, morningEmail } from '../../reminders/morning-email.ts'
import { noLists } from '../../reminders/morning-lists.ts'
import { reminderEmail, reminderListEmail } from '../../reminders/reminder-email.ts'
import { SUSPECT_FROM } from '../../spam/spam-score.ts'
import { sampleLead as anyLead } from './sample-notice.ts'

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

const sampleLead = (changes: Partial<Lead> = {}): Lead => ({
  ...anyLead(),
  dueAt: replyDueAt(changes.createdAt ?? anyLead().createdAt),
  firstName: 'Maria',
  lastName: 'Santos',
  email: 'maria@example.com',
  company: 'Santos Roofing',
  website: 'https://santosroofing.example',
  message: 'Our site does not work on phones. We need five pages.\n\nCould it be live in May?',
  spam: { score: 0, reasons: [], isSuspect: false },
  source: { landing: '/', referrer: 'google.com' },
  ...changes,
})

const spam = {
  score: SUSPECT_FROM,
  isSuspect: true,
  reasons: [
    'Sent within 2 seconds of the first use of the form',
    'Words often used in offers: ranking, backlinks',
  ],
}
const others: Partial<Lead>[] = [
  { reference: 'Q-4HTW-2ZPK', createdAt: new Date('2026-03-02T13:20:00Z'), firstName: 'Ben', budget: '' },
  { reference: 'Q-9FVC-6MRD', createdAt: new Date('2026-02-20T20:10Z'), firstName: 'Linh', lastName: 'Tran' },
  { reference: 'Q-2XQE-8WNA', createdAt: new Date('2026-03-01T04:02:00Z'), company: 'First Page Ltd', spam },
]
const samplePeople = (changes: Partial<Lead>): Lead[] =>
  [{}, ...others].map((other) => sampleLead({ ...other, ...changes }))

const monday: MorningNews = {
  at: '2026-03-02T13:00:00.000Z',
  concerns: [],
  notes: [],
  week: {
    figures: { week: '2026-02-23', leads: 11, due: 10, answered: 9, onTime: 8, medianMinutesToAnswer: 95 },
    suspects: 1,
  },
}
const troubled: MorningNews = {
  ...monday,
  week: null,
  concerns: [
    'Late emails (since 2026-03-02T02:00:00.000Z): 3. The last failure: 535 Authentication failed. Copy user and password again from your mail service.',
    'The last backup is 96 hours old. Take one now, and read what this prints: docker compose exec web backup',
  ],
}

/**
 * Composes one email of each kind from sample data. The preview's files are named after the keys.
 * `changes` replaces fields of every sample lead.
 */
export function sampleEmails(sender: Sender, changes: Partial<Lead> = {}): Record<string, Message> {
  const { siteUrl, mailFrom } = sender
  const owner = brand.email
  const lead = sampleLead(changes)
  const [maria, ben, linh, spammer] = samplePeople(changes) as [Lead, Lead, Lead, Lead]
  const asked = ({ email, message }: Lead) => ({ who: email, isTheirs: true, texts: [message], earlier: 0 })
  const again = { ...asked(lead), texts: ['We want to go ahead.', 'Have a nice day!'] }
  const lists = {
    followUps: [
      {
        lead: linh,
        by: 'Monday, March 2 at 10am EST',
        words: 'Wants to talk to her partner first. Call after 10.',
      },
    ],
    late: [
      {
        lead: ben,
        unanswered: asked(ben),
        late: '1 day over',
        trouble: addressDoubt(ben.phone),
      },
    ],
    due: [
      {
        lead: maria,
        unanswered: { who: 'camille77@example.net', isTheirs: false, texts: ['We can start'], earlier: 1 },
        by: 'Reply by Monday, March 2 at 2pm EST',
      },
    ],
    drafts: [{ lead: maria, words: 'Hello Maria, yes, May works. Could we' }],
    troubles: [
      { lead: spammer, words: '', trouble: 'Your answer did not arrive: this mailbox does not exist.' },
    ],
  }
  const job = (recipient: string) => ({ recipient, messageId: '<sample@agency.example>' })
  const morning = (news: MorningNews, named = noLists) => morningEmail(named, news, job(owner), sender)
  const answer = {
    key: lead.id,
    text: answerTemplate({ ...lead, isFirst: true }, 'anna@agency.example').replace(
      '\n\n\n\n',
      '\n\nYes, May works.\n\n',
    ),
    owner: 'anna@agency.example',
    at: '2026-03-02T16:00:00.000Z',
    references: [],
  }
  const at = '2026-03-02T15:00:00.000Z'
  const trouble = {
    at,
    address: lead.email,
    reason: 'The mail server said: 452 4.2.2 mailbox full',
    stuckSince: answer.at,
  }
  const reason = `Your answer did not arrive: this mailbox does not exist. The mail server said: 550 5.1.1 No such user here.`
  const failed = { ...trouble, reason, stuckSince: null }
  const mailboxTrouble: TroubleContent = {
    at,
    mailbox: `hello@agency.example at imap.agency.example`,
    trouble: {
      folder: 'inbox',
      since: '2026-03-02T14:00:00.000Z',
      reason: 'The mail server refused the login: [AUTHENTICATIONFAILED] Invalid credentials',
    },
  }
  const times = { at, endsAt: '' }
  const signIn = { browser: 'Chrome on Android', ...times }
  return {
    notice: ownerNotice(lead, job(owner), sender),
    'notice-without-words': ownerNotice(withoutWords(lead), job(owner), sender),
    'notice-list': noticeListEmail(
      samplePeople(changes).map((person, index) => ({
        lead: person,
        isOpen: true,
        writings:
          index === 0
            ? [{ text: 'Great! When can you start?', who: person.email, isTheirs: true, others: 0 }]
            : [],
        unnamed: 0,
      })),
      { at, references: [] },
      job(owner),
      sender,
    ),
    receipt: visitorReceipt(lead, job(lead.email), sender),
    answer: answerEmail(lead, answer, { ...job(lead.email), kind: 'answer' }, sender),
    'answer-copy': answerEmail(lead, answer, { ...job(owner), kind: 'answer_copy' }, sender),
    'answer-stuck': answerTroubleEmail(lead, trouble, job(owner), sender),
    'answer-failed': answerTroubleEmail(lead, failed, job(owner), sender),
    reply: replyNotice(
      lead,
      { text: lead.message && 'Great! When can you start?', at, who: lead.email.toLowerCase() },
      job(owner),
      sender,
    ),
    reminder: reminderEmail({ lead, unanswered: again }, { at }, job(owner), sender),
    'follow-up': followUpEmail({ lead, unanswered: again }, { at }, { ...job(owner), queuedAt: at }, sender),
    'reminder-list': reminderListEmail(
      [
        { lead: maria, unanswered: again },
        { lead: ben, unanswered: asked(ben) },
      ],
      { at },
      job(owner),
      sender,
    ),
    morning: morning({ ...monday, week: null }, lists),
    'morning-monday': morning(monday),
    'morning-action-needed': morning(troubled),
    'mailbox-trouble': mailboxTroubleEmail(mailboxTrouble, job(owner), sender),
    'sign-in-code': signInEmail(
      { ...signIn, what: 'code', code: 'K7MF29QX', isKnown: false },
      job(owner),
      sender,
    ),
    'sign-in-new-browser': signInEmail({ ...signIn, what: 'new_browser' }, job(owner), sender),
    'passkey-added': signInEmail(
      { ...signIn, what: 'passkey_added', name: 'A', by: owner },
      job(owner),
      sender,
    ),
    restored: signInEmail({ ...times, what: 'restored', backupAt: at }, job(owner), sender),
    test: testEmail({ MAIL_FROM: mailFrom, SITE_URL: siteUrl }, owner, lead.createdAt),
  }
}
