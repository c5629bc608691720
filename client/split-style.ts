/** The CSS modules that the top of the home page doesn't need: those of the content further down and of the other pages. */
const laterModules = new Set([
  ...[
    'call-bar',
    'check-list',
    'pricing',
    'included-in-all',
    'tooltip',
    'portfolio',
    'page-test',
    'process',
    'footer',
    'letterhead',
  ],
  ...['contact', 'contact-form', 'field', 'chosen-plan', 'sent-panel', 'text-button'],
  ...['privacy', 'not-found', 'leaning-post', 'Toastify'],
])

/**
 * Splits minified CSS into what the top of the home page needs and the rest. Class names have the form `module-class`
 * (vite.config.ts). Each part keeps the order of its rules.
 */
export function splitStyle(css: string): { first: string; later: string } {
  const parts = { first: '', later: '' }
  for (const rule of splitRules(css)) {
    const [prelude, content] = [rule.slice(0, rule.indexOf('{')), rule.slice(rule.indexOf('{') + 1, -1)]
    if (/^@(?:media|container|supports)/.test(prelude)) {
      const inside = splitStyle(content)
      if (inside.first) parts.first += `${prelude}{${inside.first}}`
      if (inside.later) parts.later += `${prelude}{${inside.later}}`
    } else parts[isLater(prelude) ? 'later' : 'first'] += rule
  }
  return parts
}

function isLater(prelude: string): boolean {
  const classes = [...prelude.matchAll(/(?:\.|^@keyframes )([a-z][\w-]*)/gi)].map(([, name]) => name ?? '')
  return classes.length > 0 && classes.every((name) => laterModules.has(name.replace(/-[^-]*$|__.*$/, '')))
}

function splitRules(css: string): string[] {
  const rules: string[] = []
  let [depth, start] = [0, 0]
  for (let index = 0; index < css.length; index++) {
    if (css[index] === '{') depth++
    if (css[index] === '}' && --depth === 0) {
      rules.push(css.slice(start, index + 1))
      start = index + 1
    }
  }
  return rules
}
