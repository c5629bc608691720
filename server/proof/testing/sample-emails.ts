import { brand } from '#facts/brand.ts'
import { plans } from '#facts/plans.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { digestEmail } from '../../digest/digest-email.ts'
import type { DigestFacts } from '../../digest/digest-facts.ts'
import { testEmail } from '../../doctor/test-messages.ts'
import { answerEmail, answerTemplate } from '../../inbox/leads/answer-email.ts'
import { answerTroubleEmail } from '../../inbox/leads/answer-trouble.ts'
import { signInEmail } from '../../inbox/sign-in/sign-in-email.ts'
import { type Lead, withoutWords } from '../../leads/lead-store.ts'
import { noticeListEmail } from '../../leads/notice-list.ts'
import { ownerNotice } from '../../leads/owner-notice.ts'
import { SUSPECT_FROM } from '../../leads/spam-score.ts'
import { visitorReceipt } from '../../leads/visitor-receipt.ts'
import type { MailAddress, Message } from '../../mail/mailer.ts'
import { lateListEmail } from '../../reminders/late-list.ts'
import { reminderEmail } from '../../reminders/reminder-email.ts'

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

const popularPlan = plans.find(({ popular }) => popular) ?? plans[0]

const sampleLead = (changes: Partial<Lead> = {}): Lead => ({
  dueAt: replyDueAt(changes.createdAt ?? new Date('2026-03-02T15:00:00Z')),
  id: '019c0000-0000-7000-8000-000000000000',
  reference: 'Q-7K3M-9QXD',
  createdAt: new Date('2026-03-02T15:00:00Z'),
  firstName: 'Maria',
  lastName: 'Santos',
  email: 'maria@example.com',
  phone: '(312) 555-0199',
  company: 'Santos Roofing',
  website: 'https://santosroofing.example',
  budget: popularPlan.id,
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
  {
    reference: 'Q-9FVC-6MRD',
    createdAt: new Date('2026-02-20T20:10:00Z'),
    firstName: 'Linh',
    lastName: 'Tran',
  },
  { reference: 'Q-2XQE-8WNA', createdAt: new Date('2026-03-01T04:02:00Z'), company: 'First Page Ltd', spam },
]
const samplePeople = (changes: Partial<Lead>): Lead[] =>
  [{}, ...others].map((other) => sampleLead({ ...other, ...changes }))

const late = { words: '6 days over', isLate: true }
const quietWeek: DigestFacts = {
  since: '2026-02-23T12:00:00.000Z',
  until: '2026-03-02T16:30:00.000Z',
  newLeads: {
    count: 2,
    suspects: 1,
    listed: [
      { reference: 'Q-7K3M-9QXD', standing: { words: '2 h left', isLate: false } },
      { reference: 'Q-4HTW-2ZPK', standing: { words: 'answered', isLate: false } },
    ],
    suspected: [{ reference: 'Q-2XQE-8WNA' }],
  },
  open: {
    waiting: 2,
    late: 1,
    listed: [{ reference: 'Q-9FVC-6MRD', standing: late, addressDoubt: addressDoubt('(312) 555-0199') }],
    hasMore: false,
  },
  week: { week: '2026-02-23', leads: 11, due: 10, answered: 9, onTime: 8, medianMinutesToAnswer: 95 },
  backlog: { waiting: 0, oldestAt: null, givenUp: 0 },
  databaseBytes: 4_200_000,
  freeBytes: 21_000_000_000,
  lastBackupAt: '2026-03-02T09:00:00.000Z',
  backupEveryHours: 24,
  backupRisks: [],
  expiring: 0,
}

const troubledWeek: DigestFacts = {
  ...quietWeek,
  backlog: { waiting: 3, oldestAt: '2026-03-01T22:10:00.000Z', givenUp: 1 },
  lastBackupAt: '2026-02-26T09:00:00.000Z',
  backupRisks: ['same disk'],
}

/**
 * Composes one email of each kind from sample data. The preview's files are named after the keys. `changes` replaces fields
 * of every sample lead.
 */
export function sampleEmails(sender: Sender, changes: Partial<Lead> = {}): Record<string, Message> {
  const { siteUrl, mailFrom } = sender
  const owner = brand.email
  const lead = sampleLead(changes)
  const people = new Map(samplePeople(changes).map((person) => [person.reference, person]))
  const job = (recipient: string) => ({ recipient, messageId: '<sample@agency.example>' })
  const digest = (facts: DigestFacts) => digestEmail(facts, people, job(owner), sender)
  const answer = {
    key: lead.id,
    text: answerTemplate(lead, 'anna@agency.example').replace('\n\n\n\n', '\n\nYes, May works.\n\n'),
    owner: 'anna@agency.example',
    at: '2026-03-02T16:00:00.000Z',
    references: [],
  }
  const at = '2026-03-02T15:00:00.000Z'
  const trouble = { at, address: lead.email, reason: '452 4.2.2 mailbox full', stuckSince: answer.at }
  const times = { at, endsAt: '' }
  const signIn = { browser: 'Chrome on Android', ...times }
  return {
    notice: ownerNotice(lead, job(owner), sender),
    'notice-without-words': ownerNotice(withoutWords(lead), job(owner), sender),
    'notice-list': noticeListEmail(samplePeople(changes), { at, references: [] }, job(owner), sender),
    receipt: visitorReceipt(lead, job(lead.email), sender),
    answer: answerEmail(lead, answer, { ...job(lead.email), kind: 'answer' }, sender),
    'answer-copy': answerEmail(lead, answer, { ...job(owner), kind: 'answer_copy' }, sender),
    'answer-stuck': answerTroubleEmail(lead, trouble, job(owner), sender),
    reminder: reminderEmail(lead, { at }, job(owner), sender),
    'late-list': lateListEmail(
      { count: 40, listed: samplePeople(changes) },
      { opened: at },
      job(owner),
      sender,
    ),
    digest: digest(quietWeek),
    'digest-action-needed': digest(troubledWeek),
    'sign-in-code': signInEmail({ ...signIn, what: 'code', code: 'K7MF29QX' }, job(owner), sender),
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
