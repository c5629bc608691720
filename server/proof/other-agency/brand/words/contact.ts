import { formatTimeInZone, weekendExample } from '#shared/office-hours.ts'
import { hours } from '../../facts/hours.ts'
import { promises, responseTimes } from '../../facts/promises.ts'

const weekend = weekendExample(hours, responseTimes)

export const title = 'Tell us about your shop'
export const intro = `A price comes back in ${promises.quote}.`

export const informationTitle = 'How to reach us'
export const email = 'Write'
export const emailPromise = `An answer in ${promises.emailReply}`
export const phone = 'Ring'
export const phonePromise = promises.response
export const supportHours = 'At our desks'
export const hoursPromise = hours.emergency
export const workdaysOnly = `We count working days${weekend ? `: write on ${weekend.asked} and hear by ${weekend.due}, ${formatTimeInZone(hours.closes, hours.zone)}` : ''}.`
