import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hours } from '#facts/hours.ts'
import { responseTimes } from '#facts/promises.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { runAlone } from '../../database/differences.ts'
import { writeNote } from '../../database/notes.ts'
import { backupName } from '../../files/backup-list.ts'
import { markLead } from '../../leads/change/mark-lead.ts'
import type { Message } from '../../mail/mailer.ts'
import { createMorning } from '../../reminders/morning.ts'
import { createReminders } from '../../reminders/reminders.ts'
import { isOnPostgres, type TestApp } from './build-test-app.ts'
import { atOffice, leadTools } from './leads.ts'
import { outboxTools, writeEmailOf } from './outbox.ts'

export const OWNERS = ['owner@agency.example', 'second@agency.example']

export const REPLY_MINUTES = responseTimes.emailReplyOfficeHours * 60
const later = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000)

/**
 * A time at the office in March 2026, such as "02T10:00", plus `minutes`. March 2 is a Monday and
 * no holiday.
 */
export const march = (time: string, minutes = 0): Date => later(atOffice(`2026-03-${time}`), minutes)
/** This many minutes after the office opens or closes on a day, such as "02". */
export const opening = (day: string, minutes = 0): Date => march(`${day}T${hours.opens}`, minutes)
export const closing = (day: string, minutes = 0): Date => march(`${day}T${hours.closes}`, minutes)
/** This many minutes before the reply deadline of a request that arrived at 10 a.m. on that day. */
export const beforeDue = (minutes: number, day = '02'): Date => march(`${day}T10:00`, REPLY_MINUTES - minutes)

export const reminderOf = (name: string, dueAt = beforeDue(0)) =>
  `${name} Lovelace: reply by ${officeTimeInWords(dueAt)}`

const isMorning = ({ messageId }: Message) => messageId.startsWith('<morning-')
const isReminder = ({ messageId }: Message) => /-reminder-|^<reminders-/.test(messageId)
const inWords = ({ to, subject }: Message) => `${to}: ${subject}`
export const remindersIn = (emails: readonly Message[]) => emails.filter(isReminder).map(inWords).toSorted()
export const morningsIn = (emails: readonly Message[]) => emails.filter(isMorning)
export const toOwners = (subject: string) => OWNERS.map((owner) => `${owner}: ${subject}`)

export const offline = () => {
  throw new Error('connection refused')
}

/**
 * Returns functions that queue and send reminders and morning emails. The site's `mailTo` must be
 * OWNERS.
 */
export function reminderTools(site: TestApp) {
  const now = () => site.clock.now

  const { read } = leadTools(site)
  /** The fields of a change to this lead by the first owner. */
  const changeOf = async (reference: string) => ({
    reference,
    who: OWNERS[0] ?? '',
    version: (await read(reference)).version,
  })

  const deps = () => ({ ...site.context, now })

  /** Runs a job as so many replicas do at the same moment. Only PostgreSQL has several. */
  const onReplicas = (count: number, name: string, run: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: isOnPostgres ? count : 1 }, () => runAlone(site.db, name, run)))

  /** Queues the reminders that are needed now, as each replica does every minute. */
  const remind = (replicas = 1) => onReplicas(replicas, 'reminders', createReminders(deps()))

  /** The same for morning emails. */
  const greet = async (replicas = 1, changes = {}) => {
    await addBackup(site)
    const more = { sendsReminders: true, ...changes }
    return onReplicas(replicas, 'morning email', createMorning({ ...deps(), ...more }))
  }

  /**
   * Sends the due emails and returns them. `refusal` can throw an error, as if the mail server had
   * refused the email.
   */
  async function deliver(refusal: (email: Message) => void = () => {}, changes = {}): Promise<Message[]> {
    const sent: Message[] = []
    const write = writeEmailOf(site, changes)
    await outboxTools(site).deliver(async (email) => {
      const message = await write(email)
      if (typeof message === 'string') return { unsent: message }
      refusal(message)
      sent.push(message)
      return '250 ok'
    })
    return sent
  }

  return {
    at(time: Date) {
      site.clock.now = time
    },
    changeOf,
    /** Marks a lead as answered. */
    mark: async (reference: string) =>
      markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'answered' }),
    remind,
    greet,
    deliver,
    async greetAndSend() {
      await greet()
      return morningsIn(await deliver())
    },
    async remindAndSend() {
      await remind()
      return deliver()
    },
  }
}

async function addBackup({ db, clock, env }: TestApp) {
  const at = clock.now
  if (isOnPostgres)
    return void (await writeNote(db, 'backup_taken', { at: at.toISOString(), isLasting: true }))
  mkdirSync(env.BACKUP_DIR, { recursive: true })
  writeFileSync(join(env.BACKUP_DIR, backupName(at)), '')
}
