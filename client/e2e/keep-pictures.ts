import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

// Copies the README's two pictures from the screenshots that `npm run pictures` has just taken.

const root = join(import.meta.dirname, '../..')
for (const [from, to] of [
  ['home-1440-light-top', 'home-1440-light'],
  ['inbox/lead-1440-light', 'inbox-1440-light'],
])
  copyFileSync(join(root, `test-results/screenshots/${from}.png`), join(root, `client/screenshots/${to}.png`))
