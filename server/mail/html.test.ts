import { expect, test } from 'vitest'
import { html } from './html.ts'

test('no value can end an attribute or begin a tag, not even one of a list', () => {
  const text = `<b> & "c" 'd'`
  const safe = '&#60;b&#62; &#38; &#34;c&#34; &#39;d&#39;'

  const list = [html`<i>`, text as never]
  expect(String(html`<p title="${text}">${1}${list}`)).toBe(`<p title="${safe}">1<i>${safe}`)
})
