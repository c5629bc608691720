import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { includedInAllPlans, promises } from '#facts/promises.ts'

const [, ...hostingFeatures] = includedInAllPlans.map(({ name }) => name)

export const title = brand.offer
export const intro = 'One company, one phone number, one monthly price.'

export const services = [
  {
    id: 'web-design',
    title: 'Web Design',
    description: 'Built around your services and your town.',
    features: ['Made for phones first', 'Your photos and text, organized', 'Fast, even on one bar'],
  },
  {
    id: 'real-seo',
    title: 'Real SEO',
    description: 'We target what people near you search for, and show you what moved.',
    features: [promises.seo, 'Pages for the services and areas you want found', 'No jargon, no tricks'],
  },
  {
    id: 'reliable-hosting',
    title: 'Reliable Hosting',
    description: 'We keep the site up, you keep working.',
    features: hostingFeatures,
  },
  {
    id: 'human-support',
    title: 'Human Support',
    description: `${promises.response} from a real person, by phone or email.`,
    features: [promises.support, `Email reply within ${promises.emailReply}`, hours.emergency],
  },
] as const

export type ServiceId = (typeof services)[number]['id']
