import { brand } from '#facts/brand.ts'
import { promises } from '#facts/promises.ts'

export const stillSending = 'Still sending. Please keep this page open.'

/** The notifications after sending. */
export const sentTitle = 'Message Sent!'
export const sentText = `Thank you for contacting us. We'll get back to you within ${promises.quote}.`
export const failedTitle = 'Error'
export const failedText = 'Failed to send message. Please try again or email us directly.'

/** Shown instead of the form if the request was sent. */
export const requestIsIn = 'Got it.'
/** The first step, which is done. */
export const beforeReference = 'Reference: '
/** The address follows. */
export const quoteGoesTo = 'Your quote goes to '
/**
 * The next steps: when, then what. Once the due time is known, `quoteBy` and that time replace
 * `quoteNext`.
 */
export const quoteNext = 'Next'
export const quoteBy = 'By '
export const quoteStep = ': your free quote.'
export const laterSteps = [
  { when: "When you're ready", what: ': your go-ahead, with your text and photos.' },
  { when: `${promises.buildTime} later`, what: ': your site is live.' },
]
export const questions = 'Anything to add? Call '
/** Shows the form again. */
export const another = 'Send another request'

/** Shown below the form if the request was not sent. */
export const notSent = 'Not sent yet.'
export const noResponse = 'Our server did not respond. Try again, or reach us directly.'
/** Shown instead of `noResponse` if the browser knows that it is offline. */
export const noConnection = 'You are offline. Try again once you have a connection, or reach us directly.'
export const entriesKept = ' Everything you typed is still here.'
/** Shown if the server has received too many requests. `time` is the visitor's; `day`: if not today. */
export const sendsAgainAt = (time: string, day?: string) =>
  `If you keep this page open, it sends your request again at ${time}${day ? ` on ${day}` : ''}.`
/** The address follows. */
export const mailInstead = 'Email it to '
export const callInstead = `Call ${brand.phone}`

/** The email that the visitor can send instead. */
export const mailSubject = 'Quote request'
/** Ends the email if its text had to be cut to fit into a link. */
export const mailCut = '[The rest did not fit: please add it.]'
