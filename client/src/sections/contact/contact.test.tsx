import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, test, vi } from 'vitest'

const facts = '#facts/questions.ts'
afterAll(() => {
  vi.doUnmock(facts)
  vi.resetModules()
})

test("the owner's answered questions come after the page's own questions", async () => {
  vi.resetModules()
  const unanswered = { question: 'What happens if I leave?', answer: '' }
  vi.doMock(facts, () => ({
    questions: [unanswered, { question: 'Who owns the domain?', answer: 'You do.' }],
  }))
  const { questions } = await import('#brand/words/questions.ts')
  const { Questions } = await import('./contact.tsx')

  const headings = [...renderToStaticMarkup(<Questions />).matchAll(/<h4>(.*?)<\/h4><p[^>]*>(.*?)<\/p>/g)]

  expect(headings).toHaveLength(questions.length)
  expect(questions.length).toBeGreaterThan(1)
  expect(headings.map(([, heading]) => heading)).not.toContain(unanswered.question)
  expect(headings.at(-1)?.slice(1)).toEqual(['Who owns the domain?', 'You do.'])
})
