import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findOnPath, installPackages } from './find-on-path.ts'

// This build has no user interface. With it, the browser tests need a third less CPU time than with
// the others.
const headlessShell = 'chromium-headless-shell'
const others = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Flags for running as root, without background requests, and with ordinary letter widths. */
export const chromiumFlags = [
  // Chromium's sandbox doesn't work for root, and in containers and CI, tests often run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Makes letters as wide as in ordinary Chromium: by default, the headless shell rounds the width
  // of each letter.
  '--font-render-hinting=slight',
]

/**
 * The path of Chromium: `CHROMIUM_PATH`, the headless shell, another installed one, or a new
 * installation.
 */
export function findChromium(): string {
  return process.env.CHROMIUM_PATH ?? findHeadlessShell() ?? findWholeChromium()
}

/** The path of a Chromium that shows notifications, which the headless shell doesn't. */
export const findWholeChromium = (): string => findOnPath(...others) ?? downloaded() ?? install()

/** Installs it if it is missing and a Debian package is available. */
function findHeadlessShell(): string | undefined {
  if (!findOnPath(headlessShell)) installPackages(headlessShell, 'fonts-liberation')
  return findOnPath(headlessShell)
}

function downloaded(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** Installs a Debian package if possible, otherwise the build that Playwright downloads. */
function install(): string {
  if (!installPackages('chromium', 'fonts-liberation')) {
    const stdio = ['ignore', process.stderr, process.stderr] as const
    execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: [...stdio] })
  }
  const path = findOnPath(...others) ?? downloaded()
  if (path) return path
  throw new Error(
    'Chromium could not be installed automatically. Install it yourself, and set CHROMIUM_PATH to its path.',
  )
}
