import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

// Copies the README's pictures from the output of screenshots.spec.ts.

const root = join(import.meta.dirname, '../..')
for (const [from, to] of [
  ['home-1440-light-top', 'home-1440-light'],
  ['inbox/lead-1440-light', 'inbox-1440-light'],
])
  copyFileSync(join(root, `test-results/screenshots/${from}.png`), join(root, `client/screenshots/${to}.png`))
