import { hours } from '#shared/business/hours.ts'
import { promises } from '#shared/business/promises.ts'

export const title = 'Tell us what you build'
export const intro = `Four answers are enough. Your free quote comes within ${promises.quote}.`

export const informationTitle = 'Contact information'
export const email = 'Email'
export const emailPromise = `Reply within ${promises.emailReply}`
export const phone = 'Phone'
export const phonePromise = promises.response
export const supportHours = 'Support hours'
export const hoursPromise = hours.emergency
