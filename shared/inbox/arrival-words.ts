/**
 * What an owner must know if emails to this address land in the junk folder, or nowhere, or come
 * back: a title, and what to do.
 */
export const arrivalWords = (
  to: string,
): Record<'junk' | 'missing' | 'returned', [title: string, text: string]> => ({
  junk: [
    `Emails about requests land in the junk folder of ${to}.`,
    'Open that folder, and mark one as “not junk”.',
  ],
  missing: [
    `An email about a request has not come to ${to}.`,
    'The mail server accepted it more than an hour ago. Requests still arrive here: look here more often.',
  ],
  returned: [
    `An email about a request to ${to} has come back.`,
    'That mailbox may be full or gone. Requests still arrive here: look here more often.',
  ],
})
