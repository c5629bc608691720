import { spawnSync } from 'node:child_process'
import { hasDovecot } from './dovecot.ts'
import { findFirefox, findMiniBrowser, findOnPath, installPackages } from './find-on-path.ts'
import { findPostgres } from './postgres.ts'

const runs = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
/** The ID of the user `nobody`. */
export const NOBODY = 65534
const isRoot = () => process.getuid?.() === 0

type Check = { reason: string; packages?: readonly string[]; isMet: () => boolean }
const checks = {
  otherUser: {
    reason: 'needs root, and a project folder that other users can enter',
    isMet: () =>
      isRoot() && spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY }).status === 0,
  },
  strace: {
    reason: 'needs strace with permission to trace',
    packages: ['strace'],
    isMet: () => process.platform === 'linux' && runs('strace', '-o', '/dev/null', 'true'),
  },
  mount: {
    reason: 'needs permission to mount (root)',
    isMet: () => isRoot() && runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'),
  },
  firewall: {
    reason: 'needs iptables (root)',
    packages: ['iptables'],
    isMet: () => isRoot() && runs('iptables', '--list-rules'),
  },
  postgres: {
    reason: 'needs PostgreSQL',
    packages: ['postgresql'],
    isMet: () => findPostgres() !== undefined,
  },
  dovecot: {
    reason: 'needs Dovecot (root)',
    packages: ['dovecot-imapd'],
    isMet: hasDovecot,
  },
  pdftotext: {
    reason: 'needs pdftotext',
    packages: ['poppler-utils'],
    isMet: () => runs('pdftotext', '-v'),
  },
  restic: {
    reason: 'needs restic',
    packages: ['restic'],
    isMet: () => runs('restic', 'version'),
  },
  firefox: {
    reason: 'needs Firefox',
    packages: ['firefox-esr'],
    isMet: () => findFirefox() !== undefined,
  },
  webkit: {
    reason: 'needs WebKitGTK, its WebKitWebDriver, and Xvfb',
    packages: ['webkit2gtk-driver', 'xvfb'],
    isMet: () => Boolean(findMiniBrowser() && findOnPath('WebKitWebDriver') && findOnPath('Xvfb')),
  },
} satisfies Record<string, Check>

export type Need = keyof typeof checks
export const isNeed = (name: string): name is Need => name in checks

/** Installs the missing packages for these needs. Does nothing unless it runs as root on Debian. */
export function installFor(needs: readonly Need[]) {
  const packages = [...new Set(needs)].flatMap((need) => {
    const { packages = [], isMet }: Check = checks[need]
    return packages.length > 0 && !isMet() ? packages : []
  })
  installPackages(...packages)
}

/** The reasons why this machine cannot run a test with these needs; empty if it can. */
export const missing = (needs: readonly Need[] = []): string[] =>
  needs.filter((need) => !checks[need].isMet()).map((need) => checks[need].reason)
