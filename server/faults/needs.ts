import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPostgres } from '../testing/start-postgres.ts'

const LIBFAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((folder) => `${folder}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** The library that shows a process another time, where Debian's package `libfaketime` is installed. */
export const fakeTimeLibrary = LIBFAKETIME ?? ''

const runs = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const isRoot = () => process.getuid?.() === 0

const checks = {
  root: { reason: 'needs root', isMet: isRoot },
  strace: {
    reason: 'needs strace that may trace (Debian: apt-get install strace)',
    isMet: () => process.platform === 'linux' && runs('strace', '-o', '/dev/null', 'true'),
  },
  mount: {
    reason: 'needs the right to mount (root)',
    isMet: () => isRoot() && runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'),
  },
  loop: {
    reason: 'needs the right to mount, loop devices and mkfs.ext4',
    isMet: () => isRoot() && existsSync('/dev/loop-control') && runs('mkfs.ext4', '-V'),
  },
  firewall: {
    reason: 'needs iptables (root)',
    isMet: () => isRoot() && runs('iptables', '--list-rules'),
  },
  slowhttptest: {
    reason: 'needs slowhttptest on Linux (Debian: apt-get install slowhttptest)',
    isMet: () => process.platform === 'linux' && runs('which', 'slowhttptest'),
  },
  openssl: {
    reason: 'needs openssl, to make a certificate',
    isMet: () => runs('openssl', 'version'),
  },
  postgres: {
    reason: 'needs PostgreSQL (Debian: apt-get install postgresql)',
    isMet: () => findPostgres() !== undefined,
  },
  restic: {
    reason: 'needs restic (Debian: apt-get install restic)',
    isMet: () => runs('restic', 'version'),
  },
  faketime: {
    reason: 'needs libfaketime (Debian: apt-get install libfaketime)',
    isMet: () => fakeTimeLibrary !== '',
  },
} as const

export type Need = keyof typeof checks

const known = new Map<Need, boolean>()

/** The reasons why this machine cannot run a case; none when it can. */
export function missing(needs: readonly Need[] = []): string[] {
  return needs.filter((need) => !isMet(need)).map((need) => checks[need].reason)
}

function isMet(need: Need): boolean {
  const answer = known.get(need) ?? checks[need].isMet()
  known.set(need, answer)
  return answer
}
