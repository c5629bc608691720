import { pino } from 'pino'
import { hours } from '#facts/hours.ts'
import { responseTimes } from '#facts/promises.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Message } from '../../mail/mailer.ts'
import { createAttempt } from '../../outbox/attempt.ts'
import type { Email } from '../../outbox/email.ts'
import { createReminders } from '../../reminders/reminders.ts'
import type { TestApp } from './build-test-app.ts'
import { atOffice } from './leads.ts'
import { writeEmailOf } from './outbox.ts'

export const OWNERS = ['owner@agency.example', 'second@agency.example']
const mailFrom = { address: 'site@agency.example' }

export const REPLY_MINUTES = responseTimes.emailReplyOfficeHours * 60
const later = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000)

/** A time at the office in March 2026, such as "02T10:00", plus `minutes`. March 2 is a Monday and no holiday. */
export const march = (time: string, minutes = 0): Date => later(atOffice(`2026-03-${time}`), minutes)
/** This many minutes after the office opens or closes on a day, such as "02". */
export const opening = (day: string, minutes = 0): Date => march(`${day}T${hours.opens}`, minutes)
export const closing = (day: string, minutes = 0): Date => march(`${day}T${hours.closes}`, minutes)
/** This many minutes before the reply deadline of a request that arrived at 10 a.m. on that day. */
export const beforeDue = (minutes: number, day = '02'): Date => march(`${day}T10:00`, REPLY_MINUTES - minutes)

export const reminderOf = (name: string, dueAt = beforeDue(0)) =>
  `Reply to ${name} Lovelace by ${officeTimeInWords(dueAt)}`

export const isList = ({ messageId }: Message) => messageId.startsWith('<late-')
const isReminder = ({ messageId }: Message) => messageId.includes('-reminder.')
const inWords = ({ to, subject }: Message) => `${to}: ${subject}`
export const remindersIn = (emails: readonly Message[]) => emails.filter(isReminder).map(inWords).toSorted()
export const listsIn = (emails: readonly Message[]) => emails.filter(isList).map(inWords).toSorted()
export const toOwners = (subject: string) => OWNERS.map((owner) => `${owner}: ${subject}`)

export const offline = () => {
  throw new Error('connection refused')
}

/** Returns functions that queue and send reminders and lists of late leads. The site's `mailTo` must be OWNERS. */
export function reminderTools(site: TestApp) {
  const now = () => site.clock.now

  /** Queues the emails that are needed now, as each replica does every minute. */
  const remind = (replicas = 1) =>
    Promise.all(
      Array.from({ length: replicas }, () =>
        createReminders({
          ...{ db: site.db, mailFrom, mailTo: OWNERS },
          ...{ now, onQueued: () => {} },
        })(),
      ),
    )

  /** Sends the due emails and returns them. `refusal` can throw an error, as if the mail server had refused the email. */
  async function deliver(
    refusal: (email: Message) => void = () => {},
    { sendsReminders = true, outbox = site.outbox } = {},
  ): Promise<Message[]> {
    const sent: Message[] = []
    const write = writeEmailOf(site, { sendsReminders })
    const send = async (email: Email) => {
      const message = await write(email)
      refusal(message)
      sent.push(message)
      return '250 ok'
    }
    const attempt = createAttempt(
      { outbox, deliver: send, log: pino({ level: 'silent' }), now, random: () => 0.5 },
      new AbortController().signal,
    )
    const claim = () => outbox.claim(now())
    for (let email = await claim(); email; email = await claim()) await attempt(email)
    return sent
  }

  return {
    remind,
    deliver,
    async remindAndSend() {
      await remind()
      return deliver()
    },
  }
}
