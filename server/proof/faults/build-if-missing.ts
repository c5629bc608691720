import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

function build() {
  process.stderr.write('The page is not built yet. Building it first.\n')
  for (const script of ['server/leads/spam/build.ts', 'client/build.ts']) {
    const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}

/** Builds the page if it's missing: without the page, no server starts, so every case would fail. */
export function buildIfMissing(dist = join(root, 'client/dist'), run = build) {
  if (!existsSync(join(dist, 'pages/home.html'))) run()
}
