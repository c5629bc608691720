import { brand } from '../../facts/brand.ts'
import { promises } from '../../facts/promises.ts'

export const stillSending = 'This takes longer than usual. Please stay.'

export const sentTitle = 'It has arrived'
export const sentText = `Many thanks. You hear from us in ${promises.quote}.`
export const failedTitle = 'That did not work'
export const failedText = 'Your entries did not reach us. Try once more, or write an email.'

export const requestIsIn = 'Received.'
export const beforeReference = 'Your number: '
export const whatNext = `The price comes in ${promises.quote}.`
export const quoteWithin = `In ${promises.quote}`
export const quoteBy = 'Until '
export const quoteStep = ': the price for your shop.'
export const laterSteps = [
  { when: 'Once you agree', what: ': your goods, with photos.' },
  { when: `After ${promises.buildTime}`, what: ': opening day.' },
]
export const questions = 'Forgot something? Ring '

export const notSent = 'Still with you.'
export const noResponse = 'Our server kept silent. Try once more, or choose another way.'
export const noConnection = 'Your device has no connection. Try once more later, or choose another way.'
export const entriesKept = ' Nothing is lost.'
export const sendsAgainAt = (time: string) => `Leave this page open: it tries once more at ${time}.`
export const mailInstead = `Write to ${brand.email}`
export const callInstead = `Ring ${brand.phone}`

export const mailSubject = 'A price, please'
export const mailCut = '[Too long: please add the end.]'
