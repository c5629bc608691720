import { html, type SafeHtml } from '../html.ts'

/** The page layout of every HTML email. */
export const emailPage = (title: string, content: SafeHtml): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto">
${content}
</div>
</body>
</html>
`.toString()
