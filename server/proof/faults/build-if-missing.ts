import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(import.meta.dirname, '../../..')

function build() {
  process.stderr.write('The site is not built yet. Building it first.\n')
  for (const script of ['server/build.ts', 'client/build.ts']) {
    const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}

const built = [join(root, 'client/dist/pages/home.html'), fileURLToPath(import.meta.resolve('#server'))]

/** Builds the page and the server if one is missing: no server would start, so every case would fail. */
export function buildIfMissing(files = built, run = build) {
  if (!files.every((file) => existsSync(file))) run()
}
