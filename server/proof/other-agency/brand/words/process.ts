import { promises } from '../../facts/promises.ts'

export const title = 'From idea to opening day'

export const steps = [
  { name: 'You write', time: 'A few lines' },
  { name: 'We price', time: `In ${promises.quote}` },
  { name: 'We build', time: `In ${promises.buildTime}` },
  { name: 'You open', time: 'With our help' },
]
