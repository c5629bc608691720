import { execFileSync } from 'node:child_process'

/** Drops every packet to or from an address until disposed. */
export function dropAll(address: string) {
  const change = (how: '--insert' | '--delete') => {
    for (const end of ['--source', '--destination'])
      execFileSync('iptables', [how, 'OUTPUT', end, address, '--protocol', 'tcp', '--jump', 'DROP'])
  }
  change('--insert')
  return { [Symbol.dispose]: () => change('--delete') }
}
