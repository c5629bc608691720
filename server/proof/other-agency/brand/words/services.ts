import { brand } from '../../facts/brand.ts'
import { promises } from '../../facts/promises.ts'

export const title = brand.offer
export const intro = 'All from one pair of hands.'

export const services = [
  {
    id: 'shops',
    title: 'Web shops',
    description: `Open in ${promises.buildTime}.`,
    features: ['Cards and cash', 'Stock at a glance'],
  },
  {
    id: 'bookings',
    title: 'Booking pages',
    description: 'Rooms, tables and classes.',
    features: ['No double bookings'],
  },
  {
    id: 'upkeep',
    title: 'Upkeep',
    description: promises.support,
    features: [promises.seo, promises.response],
  },
] as const

export type ServiceId = (typeof services)[number]['id']
