import { promises } from '#facts/promises.ts'
import { contactFields } from '#shared/contact-request.ts'

const requiredFields = Object.values(contactFields).filter(({ required }) => required)

export const title = 'How it works'

export const steps = [
  { name: 'Ask', time: `Fill in ${requiredFields.length} fields` },
  { name: 'Quote', time: `Within ${promises.quote}` },
  { name: 'Build', time: `Live in ${promises.buildTime}` },
  { name: 'Support', time: 'Every month' },
]
