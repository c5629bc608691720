import { inboxPath, openParameter } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { hasWords, type Lead } from '../../leads/lead-store.ts'
import { toSubjectText } from '../../leads/owner-notice.ts'
import { buttons, emailBody, heading, indented, paragraph } from '../../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'

/** `reason` may quote the mail server. `stuckSince`: the server keeps trying; null if the answer failed for good. */
export type AnswerTrouble = { at: string; address: string; reason: string; stuckSince: string | null }

/** Tells an owner that an answer did not arrive, or that it is stuck. */
export function answerTroubleEmail(
  lead: Lead,
  { at, address, reason, stuckSince }: AnswerTrouble,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const name = hasWords(lead) ? toSubjectText(`${lead.firstName} ${lead.lastName}`) : lead.reference
  const page = `${siteUrl}${inboxPath}/${lead.reference}`
  const what = stuckSince
    ? `has been stuck since ${officeTimeInWords(Date.parse(stuckSince))}`
    : 'did not arrive'
  const next = stuckSince
    ? 'The server keeps trying for five days, and tells you if it gives up.'
    : 'The request is open again, and your text is a draft.'
  return {
    ...automatic(mailFrom, email),
    subject: `Your answer to ${name} ${what}`,
    date: new Date(at),
    ...emailBody({
      title: `Answer to ${lead.reference}`,
      parts: [
        indented(heading(`Your answer to ${name} ${what}`)),
        // The reply of a mail server, and the address, are not our text.
        ...(hasWords(lead) ? [indented(paragraph(`${reason} (${address})`))] : []),
        paragraph(`${next} Call, or correct the address and answer again.`),
        buttons([
          { label: 'Open in the inbox', url: page },
          { label: 'Correct and answer', url: `${page}?${openParameter}=reply` },
        ]),
      ],
      footer: [siteUrl],
    }),
  }
}
