import type { Work } from '#shared/facts.ts'

export const portfolio = [
  {
    id: 'larkspur-bakery',
    title: 'Larkspur Bakery',
    category: 'Bakery, sample shop',
    description: "Tomorrow's bread, ordered by ten at night.",
    results: [
      { figure: '1 kB', label: 'for the whole shop' },
      { figure: '2', label: 'taps to an order' },
    ],
    tags: ['Web shop'],
    url: '/work/larkspur-bakery/',
    image: '/work/larkspur-bakery',
  },
] as const satisfies readonly Work[]
