import { colors } from '#facts/colors.ts'
import { SafeHtml } from './html.ts'

// Long words wrap in every email program: Gmail and Outlook support `word-break`, and the others
// support `overflow-wrap`.
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
// Keeps line breaks, and gives each line its own direction: Arabic lines start at the right,
// English ones at the left.
const LINES = 'white-space:pre-wrap;unicode-bidi:plaintext'
// A button is a link in a table cell. Classic Outlook ignores the padding of the link, and takes
// `mso-padding-alt` instead.
const BUTTON = 'border-radius:4px;mso-padding-alt:12px 20px'
const BUTTON_LINK = 'display:inline-block;padding:12px 20px;font-weight:600;text-decoration:none'

// A `$name` is one of the brand's colors.
const styles = {
  body: 'margin:0;background:$background',
  page: `background:$background;color:$text;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;${WRAP}`,
  sheet: 'max-width:600px;margin:0 auto;padding:0 20px 32px',
  string: 'width:2px;height:28px;margin:0 0 0 5px;background:$text',
  head: 'width:4px;height:4px;margin:0 0 0 4px;background:$accent',
  bob: 'width:12px;height:8px;margin:0 0 0;background:$accent',
  tip: 'width:0;height:0;margin:0 0 24px;border:6px solid transparent;border-top:10px solid $accent;border-bottom:0',
  heading: 'margin:0 0 10px;font-size:26px;line-height:1.2;font-weight:800;letter-spacing:-.02em',
  subheading: 'margin:32px 0 8px;font-size:18px;line-height:1.3;font-weight:700',
  warning: 'margin:24px 0 8px;font-size:18px;line-height:1.3;font-weight:700;color:$accent',
  paragraph: 'margin:0 0 16px',
  strong: 'margin:0 0 24px;font-weight:600',
  quiet: 'margin:0 0 16px;font-size:15px;color:$muted',
  words: `margin:0 0 28px;padding:2px 0 2px 16px;border-left:3px solid $accent;font-size:18px;${LINES}`,
  letter: `margin:0 0 32px;${LINES}`,
  quote: `margin:0;padding-left:16px;border-left:2px solid $hairline;color:$muted;${LINES}`,
  links: 'margin:16px 0 12px',
  button: 'display:inline-table;margin:0 8px 8px 0;border-collapse:separate',
  filled: `${BUTTON};border:2px solid $action;background:$action`,
  'filled-link': `${BUTTON_LINK};color:$on-action`,
  outlined: `${BUTTON};border:2px solid $control`,
  'outlined-link': `${BUTTON_LINK};color:$text`,
  link: 'color:$line',
  code: 'margin:24px 0;font:700 32px/1.2 ui-monospace,Consolas,monospace;letter-spacing:.08em',
  list: 'margin:0 0 16px;padding-left:20px',
  item: 'margin:0 0 4px',
  people: 'margin:0 0 16px;padding:0;list-style:none;border-bottom:1px solid $hairline',
  person: 'margin:0;padding:10px 0;border-top:1px solid $hairline',
  name: 'font-weight:700;color:$text',
  late: 'font-weight:600;color:$accent',
  calm: 'font-weight:600;color:$text',
  details: 'font-size:15px;color:$muted',
  said: 'color:$text',
  // Large enough for a thumb.
  choice: 'display:inline-block;margin:0 20px 0 0;padding:6px 0;color:$line',
  facts: 'width:100%;margin:0 0 16px;border-collapse:collapse;border-bottom:1px solid $hairline',
  label:
    'padding:8px 16px 8px 0;border-top:1px solid $hairline;color:$muted;font-weight:400;text-align:left;vertical-align:top;white-space:nowrap',
  value: 'width:100%;padding:8px 0;border-top:1px solid $hairline;vertical-align:top',
  footer: 'margin:36px 0 0;padding:12px 0 0;border-top:1px solid $hairline;font-size:14px;color:$muted',
} as const

export type Look = keyof typeof styles

/**
 * The inline style of an element, and a class for `darkStyle`. Some email programs support only
 * inline styles.
 */
export const look = (name: Look): SafeHtml =>
  new SafeHtml(`class="${name}" style="${paint(styles[name], 0)}"`)

/** The CSS rules that replace the colors of all inline styles in dark mode. */
export const darkStyle: SafeHtml = new SafeHtml(
  Object.entries(styles)
    .map(([name, style]) => [name, style.split(';').filter((part) => part.includes('$'))] as const)
    .filter(([, parts]) => parts.length > 0)
    .map(([name, parts]) => `.${name}{${parts.map((part) => `${paint(part, 1)}!important`).join(';')}}`)
    .join('\n'),
)

function paint(style: string, theme: 0 | 1): string {
  return style.replace(/\$([\w-]+)/g, (_, name: keyof typeof colors) => colors[name][theme])
}
