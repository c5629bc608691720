import type { Work } from '../facts.ts'

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
] as const satisfies readonly Work[]
