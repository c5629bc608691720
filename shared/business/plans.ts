import { formatOfficeHours, type OfficeHours, type ResponseTimes } from '../office-hours.ts'

/** Facts about the agency: replace them with your own. */
export const brand = {
  name: 'Plumbline',
  legalName: 'Plumbline Web Co.',
  /** The last word is shown in orange. */
  slogan: 'Websites built true',
  offer: 'Web design, SEO, hosting and support',
  audience: 'small and medium businesses',
  email: 'hello@plumbline.example',
  phone: '(312) 555-0142',
  /** The same number for a `tel:` link (RFC 3966). */
  phoneLink: '+13125550142',
  city: 'Chicago',
  region: 'IL',
  country: 'US',
} as const

const officeHours = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  opens: '08:00',
  closes: '18:00',
  timeZone: 'America/New_York',
} as const satisfies OfficeHours

export const hours = {
  ...officeHours,
  /** Change the abbreviation together with `timeZone`. */
  text: `${formatOfficeHours(officeHours)} EST`,
  emergency: 'Emergency support available',
}

/** Holidays, or the workdays on which they are observed. Add next year's before the year begins. */
export const closedOn: readonly string[] = [
  ...['2026-01-01', '2026-05-25', '2026-07-03', '2026-09-07', '2026-11-26', '2026-12-25'],
  ...['2027-01-01', '2027-05-31', '2027-07-05', '2027-09-06', '2027-11-25', '2027-12-24', '2027-12-31'],
]

/** The same times as in `promises` below, as numbers for computing due times: change both together. */
export const responseTimes: ResponseTimes = { emailReplyOfficeHours: 4, quoteWorkdays: 1 }

/** The page's promises, each worded once. */
export const promises = {
  buildTime: '1-2 weeks',
  quote: '24 hours',
  emailReply: '4 hours',
  response: 'Same-day response',
  support: 'Support is included in all packages',
  seo: 'SEO results backed with progress reports',
  uptime: '99.9%',
} as const

export const includedInAllPlans = [
  {
    name: `${promises.uptime} uptime guarantee`,
    meaning: 'In a 30-day month, your site is down for 43 minutes at the most.',
  },
  {
    name: 'Daily backups',
    meaning: 'A copy of your whole site every day. If something breaks, we put it back.',
  },
  {
    name: 'Security monitoring',
    meaning: 'We watch your site for break-ins and known holes, and act on what we find.',
  },
  { name: 'Free updates', meaning: 'The software your site runs on is kept current at no extra charge.' },
] as const

/** Prices are whole US dollars. */
export const plans = [
  {
    id: 'starter',
    name: 'Starter',
    setupDollars: 200,
    monthlyDollars: 49,
    popular: false,
    description: 'A clean, complete site for a business that needs to be found.',
    size: '5-page site',
    hosting: '1 year hosting included',
    features: ['Support included'],
  },
  {
    id: 'professional',
    name: 'Professional',
    setupDollars: 400,
    monthlyDollars: 79,
    popular: true,
    description: 'For a business that wants the phone to ring from search.',
    size: '10 pages',
    hosting: '1 year hosting',
    features: ['Support included'],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    setupDollars: 1000,
    monthlyDollars: 129,
    popular: false,
    description: 'For several locations or services, with a plan for the year.',
    size: 'Unlimited pages',
    hosting: '2 years hosting',
    features: ['Quarterly strategy calls', 'Support included'],
  },
] as const

/** The form's budget options, keyed by stored value. */
export const budgetTiers = {
  starter: 'Starter ($200-$500)',
  professional: 'Professional ($500-$1,000)',
  enterprise: 'Enterprise ($1,000-$2,000)',
  custom: 'Custom (Over $2,000)',
} as const

/** SAMPLES: replace them with your own work. `image` is a path without its extension (.avif and .jpg). */
export const portfolio = [
  {
    id: 'ridgeline-roofing',
    title: 'Ridgeline Roofing',
    category: 'Roofing company, sample site',
    description:
      'Storm damage first, the telephone on every screen, and an honest picture of what a new roof is made of.',
    results: [
      { figure: '10 kB', label: 'for the whole page' },
      { figure: '1 tap', label: 'to the telephone' },
      { figure: '0', label: 'scripts and trackers' },
    ],
    tags: ['Web design', 'Local SEO', 'Hosting'],
    url: '/work/ridgeline-roofing/',
    image: '/work/ridgeline-roofing',
  },
  {
    id: 'northwind-hvac',
    title: 'Northwind HVAC',
    category: 'HVAC company, sample site',
    description:
      'Heating or cooling: one switch at the top changes the whole page, and the emergency line never leaves the screen.',
    results: [
      { figure: '10 kB', label: 'for the whole page' },
      { figure: '2', label: 'seasons, one page' },
      { figure: '0', label: 'scripts and trackers' },
    ],
    tags: ['Web design', 'Care plan', 'Hosting'],
    url: '/work/northwind-hvac/',
    image: '/work/northwind-hvac',
  },
] as const

/** 5000 -> "5,000". `Intl` would take 60 ms to load on a slow phone. */
export const formatNumber = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')

/** 1000 -> "$1,000". */
export const formatDollars = (amount: number): string => `$${formatNumber(amount)}`
