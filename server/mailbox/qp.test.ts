import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'vitest'
import PostalMime from 'postal-mime'
import { htmlToText } from 'html-to-text'
import { quotedParts } from '/work/h/words/server/mailbox/quoted-parts.ts'
const conversation = {
  texts: ['Hello Ada,\n\nYes, we can.\n\nAnna', 'Hello Ada,\nYes, we can.\nWhich day suits you?\nAnna', 'Re: Your request Q-7KMF-29QX', 'We need a new site for our bakery. Can you help us by the end of the month?'],
  names: ['Anna at Agency', 'Anna', 'hello@agency.example', 'Ada', 'Ada Lovelace', 'ada@example.com'],
}
test('x', async () => {
  const dir = '/work/shared/mail/'
  for (const f of readdirSync(dir)) {
    const m = await PostalMime.parse(readFileSync(dir + f))
    const text = m.text?.trim() ? m.text : htmlToText(m.html ?? '', { wordwrap: false })
    console.log(`=== ${f}\n` + quotedParts(text.replace(/\r/g, ''), conversation).map((p) => (p.isQuoted ? `[[${p.text}]]` : p.text)).join('\n~~\n'))
  }
})
