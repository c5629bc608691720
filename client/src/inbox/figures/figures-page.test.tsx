import { expect, test } from 'vitest'
import type { Figures } from '#shared/inbox/api.ts'
import { allIn, show, useAnna } from '../../../e2e/inbox/show-page.tsx'
import { figuresQuery, queryClient } from '../data/queries.ts'
import { day } from '../words/times.ts'

useAnna()
const { FiguresPage } = await import('./figures-page.tsx')

const week = { week: '2026-02-16', leads: 4, due: 4, answered: 3, onTime: 2, medianMinutesToAnswer: 150 }
const quiet = { leads: 0, due: 0, answered: 0, onTime: 0, medianMinutesToAnswer: null }
const figures: Figures = {
  weeks: [week, { ...quiet, week: '2026-02-23', leads: 1 }, { ...quiet, week: '2026-03-02' }],
  plans: [
    { name: 'Small', leads: 2, won: 0, lost: 1 },
    { name: 'Large', leads: 8, won: 0, lost: 0 },
  ],
  sources: [{ name: 'Google', leads: 1, won: 0, lost: 0 }],
}

test('the figures count, and draw columns and bars in proportion', () => {
  queryClient.setQueryData(figuresQuery.queryKey, figures)
  const { html, text } = show(<FiguresPage />)

  expect(text).toContain(
    '|5 requests in 3 weeks. Of the 4 that were answered or are due, 50% were answered on time.|',
  )
  const [feb16, feb23, mar2] = figures.weeks.map((one) => day(one.week).replace(/^\w+, /, ''))
  expect(allIn(html, /title="([^"]*)"/g)).toEqual([
    `${feb16}: 4 requests, 3 answered, 2 on time`,
    `${feb23}: 1 request, 0 answered, 0 on time`,
    `${mar2}: 0 requests, 0 answered, 0 on time`,
    `${feb16}: 2.5 h`,
    `${feb23}: no answers`,
    `${mar2}: no answers`,
  ])
  expect(allIn(html, /block-size:([\d.]+%)/g)).toEqual(['50%', '25%', '25%', '25%', '100%'])
  expect(allIn(html, /<p aria-hidden="true">([^<]*)/g)).toEqual(['4', '2.5 h'])
  const [, , notAnswered, alsoNotAnswered] = allIn(html, /<i class="(\w*)" style="block/g)
  expect(notAnswered).toBe(alsoNotAnswered)
  expect(allIn(html, /inline-size:([\d.]+%)/g)).toEqual(['25%', '100%', '100%'])
  expect(text).toContain('Small0 won, 1 lost of |2|Large|8|Requests by source|Google|1|')
})

test('figures without requests, or without due answers, say so', () => {
  const weeks = [{ ...quiet, week: '2026-03-02' }]
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks })
  expect(show(<FiguresPage />).text).toContain('|No requests in the last ')
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks: [{ ...week, due: 0 }] })
  expect(show(<FiguresPage />).text).toMatch(/\|4 requests in \d+ weeks\.\|/)
})

test('columns have labels where there is room, and the newest has one', () => {
  const weeks = ['02', '09', '16', '23', '30'].map((day) => ({ ...week, week: `2026-03-${day}` }))
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks: [week, ...weeks] })
  const { html } = show(<FiguresPage />)

  const labels = allIn(html, /<span aria-hidden="true">\D*(\d+)/g)
  expect(labels.slice(0, 3)).toEqual(['2', '16', '30'])
})
