/**
 * What can happen to emails to owners after the mail server has accepted them: they land in the
 * junk folder, or nowhere.
 */
export const arrivalStates = ['junk', 'missing'] as const
export type ArrivalState = (typeof arrivalStates)[number]

/** Says what is wrong with the emails to this address: a title, and what it means. */
export const arrivalInWords = (state: ArrivalState, to: string): [title: string, text: string] =>
  state === 'junk'
    ? [
        `Emails about requests land in the junk folder of ${to}.`,
        'Open that folder, and mark one of them as “not junk”.',
      ]
    : [
        `An email about a request has not come to ${to}.`,
        'The mail server accepted it more than an hour ago. Requests still arrive here: look here more often until emails come again.',
      ]
