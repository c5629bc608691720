import { hours } from '#shared/business/hours.ts'
import { includedInAllPlans } from '#shared/business/plans.ts'
import { promises } from '#shared/business/promises.ts'

const [, ...hostingFeatures] = includedInAllPlans.map(({ name }) => name)

export const title = 'Four sheets, one set of drawings'
export const intro = 'Design, search, hosting and support, drawn to fit together and run by one team.'

export const services = [
  {
    id: 'web-design',
    title: 'Web Design',
    description: `Done in ${promises.buildTime}, drawn around your trade, your town and your work.`,
    features: ['Made for phones first', 'Your photos, your words, put in order', 'Fast on a weak signal'],
  },
  {
    id: 'real-seo',
    title: 'Real SEO',
    description: 'We work on what people near you type when they need you, and show you what came of it.',
    features: [promises.seo, 'Pages for the services and areas you want found', 'Plain words, no tricks'],
  },
  {
    id: 'reliable-hosting',
    title: 'Reliable Hosting',
    description: `${promises.uptime} uptime guarantee. We keep the site up, you keep working.`,
    features: hostingFeatures,
  },
  {
    id: 'human-support',
    title: 'Human Support',
    description: `${promises.response} when you call or write, from a person.`,
    features: [promises.support, `Email reply within ${promises.emailReply}`, hours.emergency],
  },
] as const

export type ServiceId = (typeof services)[number]['id']
