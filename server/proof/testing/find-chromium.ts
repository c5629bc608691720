import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { installPackages } from './install-packages.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** No requests of the browser's own. */
export const chromiumFlags = [
  // Chromium's own sandbox does not work for root, which is what containers and CI run as.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The path of a Chromium: `CHROMIUM_PATH`, one on the machine, or one that is installed now. */
export function findChromium(): string {
  return process.env.CHROMIUM_PATH ?? onPath() ?? ownOfPlaywright() ?? install()
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

function ownOfPlaywright(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** Debian's package where that can be installed; otherwise the build that Playwright downloads. */
function install(): string {
  if (!installPackages('chromium', 'fonts-liberation'))
    execFileSync('npx', ['playwright', 'install', 'chromium'], {
      stdio: ['ignore', process.stderr, process.stderr],
    })
  const path = onPath() ?? ownOfPlaywright()
  if (path) return path
  throw new Error('No Chromium could be installed. Install one and set CHROMIUM_PATH to it.')
}
