import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { keepTogether } from './keep-together.tsx'

test.each([
  ['Live in 1-2 weeks.', 'Live in [1-2] weeks.'],
  ['Mon-Fri 8am-6pm EST', '[Mon-Fri] [8am-6pm EST]'],
  ['By Monday, March 2 at 10:30am EST', 'By Monday, March 2 at [10:30am EST]'],
  ['Plain words.', 'Plain words.'],
])('the parts of %j that stay on one line', (text, marked) => {
  const html = renderToStaticMarkup(<p>{keepTogether(text)}</p>)
  const spans = html.replaceAll('<span class="whole">', '[').replaceAll('</span>', ']')
  expect(spans).toBe(`<p>${marked}</p>`)
})
