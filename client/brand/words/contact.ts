import { hours } from '#facts/hours.ts'
import { promises, responseTimes } from '#facts/promises.ts'
import { formatTimeInZone, weekendExample } from '#shared/time/office-hours.ts'

const { emergency, emergencyHow }: { emergency: string; emergencyHow?: string } = hours
const weekend = weekendExample(hours, responseTimes)

export const title = 'Get a free website quote'
export const intro = `Four fields are enough. Your quote comes within ${promises.quote} on workdays.`

export const informationTitle = 'Contact information'
export const email = 'Email'
export const emailPromise = `Reply within ${promises.emailReply}`
export const phone = 'Phone'
export const phonePromise = promises.response
export const whoAnswers = 'Who answers'
export const supportHours = 'Support hours'
export const hoursPromise = emergencyHow ? `${emergency}: ${emergencyHow}` : emergency
export const workdaysOnly = `We quote and reply on workdays${weekend ? `: ask on ${weekend.asked}, and you have your quote by ${weekend.due} at ${formatTimeInZone(hours.closes, hours.zone)}` : ''}.`
