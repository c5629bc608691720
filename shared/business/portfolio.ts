import type { Work } from '../fact-checks/facts.ts'

/**
 * SAMPLES: replace them with your own work. The first of the `results` is shown large, the others
 * in a small line below it. `image` is the start of the paths of four pictures: `.avif` and `.jpg`
 * for wide screens, `-phone.avif` and `-phone.jpg` for phones.
 */
export const portfolio = [
  {
    id: 'ridgeline-roofing',
    title: 'Ridgeline Roofing',
    category: 'Roofing company, sample site',
    description: 'Storm damage first, a call button on every screen, and what goes into a new roof.',
    results: [
      { figure: '1 tap', label: 'to call' },
      { figure: '15 kB', label: 'for the whole page' },
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
      'Heating or cooling: one switch flips the page from AC to heat; the emergency number stays put.',
    results: [
      { figure: '1 tap', label: 'to call' },
      { figure: '14 kB', label: 'for the whole page' },
      { figure: '0', label: 'scripts and trackers' },
    ],
    tags: ['Web design', 'Care plan', 'Hosting'],
    url: '/work/northwind-hvac/',
    image: '/work/northwind-hvac',
  },
] as const satisfies readonly Work[]
