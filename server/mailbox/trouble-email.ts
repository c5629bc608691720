import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Context } from '../context.ts'
import { emailBody, heading, paragraph } from '../mail/email-body.ts'
import { explainReply, oneLine } from '../mail/mail-advice.ts'
import { automatic, type Envelope, type Message, type Sender } from '../mail/mailer.ts'
import { enqueue, toEachOwner } from '../outbox/email.ts'
import { readLongTrouble, type Trouble, writeTrouble } from './trouble.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** `mailbox`: whose it is, and where, such as "hello@example.com at imap.example.com". */
export type TroubleContent = { at: string; mailbox: string; trouble: NonNullable<Trouble> }

/**
 * Creates a job, to be run every minute, that tells all owners by email if the mailbox has not been
 * readable for an hour, and again each day: until then, replies reach nobody.
 */
export function createTroubleReport({ db, write, now, env }: Context) {
  return async function reportTrouble(): Promise<void> {
    const at = now()
    const trouble = await readLongTrouble(db, env, at)
    if (!trouble || (trouble.toldAt && Math.abs(at.getTime() - Date.parse(trouble.toldAt)) < DAY_MS)) return
    const { username, hostname } = new URL(env.IMAP_URL ?? '')
    const mailbox = `${decodeURIComponent(username)} at ${hostname}`
    const content = JSON.stringify({ at: at.toISOString(), mailbox, trouble } satisfies TroubleContent)
    const emails = toEachOwner(env, `mailbox-trouble-${at.getTime()}`, { kind: 'mailbox_trouble', content })
    await write(async (transaction) => {
      await writeTrouble(transaction, { ...trouble, toldAt: at.toISOString() })
      await enqueue(transaction, emails, at)
    })
  }
}

/** Tells an owner that the mailbox can't be read, what that means, and what to do. */
export function mailboxTroubleEmail(
  { at, mailbox, trouble }: TroubleContent,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const { folder, since, reason = '' } = trouble
  const isInbox = folder === 'inbox'
  const title = isInbox ? 'Replies by email are not being read' : 'Your sent emails are not being read'
  const meaning = isInbox
    ? 'Replies are not in your inbox on the website, and you get no notices of them. They are in that mailbox: until this is fixed, read them there with your email program.'
    : 'What you answer from an email program does not count as answered. Until this is fixed, mark those requests as answered yourself.'
  return {
    ...automatic(mailFrom, email),
    subject: `Action needed: ${title.toLowerCase()}`,
    date: new Date(at),
    ...emailBody({
      title,
      parts: [
        heading(title),
        paragraph(
          `Since ${officeTimeInWords(Date.parse(since))}, the server cannot read the mailbox ${mailbox}.`,
        ),
        paragraph(meaning),
        ...(reason ? [paragraph(`The reason: ${oneLine(reason)}`)] : []),
        paragraph(`What to do: ${explainReply(reason, 'IMAP_URL').advice}`),
        paragraph(
          'Please show this to the person who looks after your website. Nothing is lost: as soon as the mailbox can be read again, the server reads what has come in the meantime.',
        ),
      ],
      footer: [siteUrl],
    }),
  }
}
