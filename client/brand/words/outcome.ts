import { promises } from '#shared/business/plans.ts'

/** What the visitor reads after sending the form. */
export const sentTitle = 'Message Sent!'
export const sentText = `Thank you for contacting us. We'll get back to you within ${promises.quote}.`
export const failedTitle = 'Error'
export const failedText = 'Failed to send message. Please try again or email us directly.'
