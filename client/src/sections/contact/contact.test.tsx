import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, test, vi } from 'vitest'
import { whoAnswers as whoAnswersLabel } from '#brand/words/contact.ts'
import { brand } from '#facts/brand.ts'
import { closedOn, hours } from '#facts/hours.ts'

const facts = '#facts/questions.ts'
afterAll(() => {
  for (const file of [facts, '#facts/brand.ts', '#facts/hours.ts']) vi.doUnmock(file)
  vi.resetModules()
})

test('who answers, and how to get emergency support, are on the page only once the owner says so', async () => {
  const renderCard = async (whoAnswers: string, emergencyHow: string) => {
    vi.resetModules()
    vi.doMock('#facts/brand.ts', () => ({ brand: { ...brand, whoAnswers } }))
    vi.doMock('#facts/hours.ts', () => ({ closedOn, hours: { ...hours, emergencyHow } }))
    const { ContactInformation } = await import('./contact.tsx')
    return renderToStaticMarkup(<ContactInformation />)
  }

  const [empty, filled] = [await renderCard('', ''), await renderCard('Jo Baker, owner', 'call at any hour')]

  expect(empty).not.toContain(whoAnswersLabel)
  expect(empty).toContain(`>${hours.emergency}<`)
  expect(filled).toContain('Jo Baker, owner')
  expect(filled).toContain(`>${hours.emergency}: call at any hour<`)
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
