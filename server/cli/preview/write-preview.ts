import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { english } from '#shared/locale.ts'
import { html } from '../../html.ts'
import { compose, type Message } from '../../mail/mailer.ts'

/** Writes each email as .eml and .html, and an index page that shows all of them. Returns the path of the index page. */
export async function writePreview(emails: Record<string, Message>, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const [name, email] of Object.entries(emails)) {
    writeFileSync(join(folder, `${name}.eml`), (await compose(email)).raw)
    writeFileSync(join(folder, `${name}.html`), email.html)
  }
  const index = join(folder, 'index.html')
  writeFileSync(index, indexPage(emails))
  return index
}

const indexPage = (emails: Record<string, Message>) =>
  html`<!doctype html>
<html lang="${english}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>All emails</title>
<style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
div{display:flex;flex-wrap:wrap;gap:16px;align-items:start}
iframe{height:720px;border:1px solid #8888;max-width:100%}
a{color:inherit}
pre{flex:1;min-width:min(320px,100%);max-height:720px;margin:0;overflow:auto;white-space:pre-wrap}
</style>
</head>
<body>
<main>
<h1>All emails, with sample data</h1>
<p>On a computer, on a phone, and as plain text. They follow the color theme of your browser.</p>
${Object.entries(emails).map(
  ([name, { subject, text }]) => html`<h2>${subject}</h2>
<p><a href="${name}.html">${name}.html</a> <a href="${name}.eml">${name}.eml</a></p>
<div>
<iframe src="${name}.html" width="600" title="${name}, 600 pixels wide"></iframe>
<iframe src="${name}.html" width="360" title="${name}, 360 pixels wide"></iframe>
<pre tabindex="0">${text}</pre>
</div>
`,
)}
</main>
</body>
</html>
`.toString()
