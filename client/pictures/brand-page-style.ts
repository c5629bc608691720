import { colorDeclarations } from '../color-declarations.ts'

type Fonts = { display: string; text: string }

const declare = (set: string) =>
  colorDeclarations(set)
    .map((declaration) => declaration.join(':'))
    .join(';')

/** The style of the page that `npm run brand` writes. */
export const brandPageStyle = ({ display, text }: Fonts): string => `
@font-face { font-family: D; font-weight: 200 800; src: url(data:font/woff2;base64,${display}) }
@font-face { font-family: T; font-weight: 400 700; src: url(data:font/woff2;base64,${text}) }
:root, .light { ${declare('light')} }
.dark { ${declare('dark')} }
@media (prefers-color-scheme: dark) { :root { ${declare('dark')} } }
:root { color-scheme: light dark; ${declare('footer')} }
* { box-sizing: border-box }
body { max-width: 1280px; margin: 0 auto; padding: 24px; background: var(--color-background); color: var(--color-text); font: 16px/1.5 T, sans-serif }
h1, h2, h3, .heading { font-family: D, sans-serif; line-height: 1.1; letter-spacing: -.02em }
h2 { margin: 48px 0 16px; padding-top: 16px; border-top: 1px solid var(--color-control) }
.row { display: flex; flex-wrap: wrap; gap: 24px; align-items: end; margin-bottom: 24px }
figure { width: min-content; min-width: 5.5rem; max-width: 100%; margin: 0 }
figcaption { color: var(--color-muted); font-size: 13px; overflow-wrap: anywhere }
img { display: block; max-width: calc(100vw - 24px); height: auto }
.card, .rounded, .round { border: 1px solid var(--color-hairline) }
.rounded { border-radius: 22% }
.round { border-radius: 50% }
.tabs { display: flex; flex-wrap: wrap; gap: 16px; align-items: end; padding: 16px }
.tabs, .sample { color: var(--color-text); background: var(--color-background) }
.light { color-scheme: light }
.dark { color-scheme: dark }
.tabs, .sample { border: 1px solid var(--color-control) }
.sample { flex: 1 1 20rem; max-width: 100%; padding: 24px 24px 0 }
.heading { display: block; margin-top: 16px; font-size: 2.25rem }
em { color: var(--color-accent); font-style: normal }
a { color: var(--color-line); text-decoration: underline }
.muted { color: var(--color-muted) }
.error { color: var(--color-error) }
.success { color: var(--color-success) }
.panel { display: flex; flex-wrap: wrap; gap: 12px; padding: 16px; background: var(--color-panel); border: 1px solid var(--color-hairline) }
.button { padding: 8px 16px; border: 2px solid var(--color-action); border-radius: 4px; background: var(--color-action); color: var(--color-on-action); font-weight: 600 }
.hover { border-color: var(--color-action-hover); background: var(--color-action-hover) }
.outlined { border-color: var(--color-control); background: none; color: var(--color-text) }
.footer { margin: 24px -24px 0; padding: 16px 24px; background: var(--color-footer); color: var(--color-on-footer) }
.quiet { color: var(--color-on-footer-muted) }
table { border-collapse: collapse }
th, td { padding: 4px clamp(4px, 1.2vw, 16px) 4px 0; border-top: 1px solid var(--color-hairline); text-align: left }
td b { white-space: nowrap }
@media (max-width: 30rem) { body { padding: 12px } table { font-size: 13px } }
td i { display: block; width: 32px; height: 24px; border: 1px solid var(--color-control) }
.faint { color: var(--color-error); font-weight: 700 }`
