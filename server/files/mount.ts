import { existsSync, readFileSync } from 'node:fs'

export type Mount = { point: string; type: string; root: string }

/** The mount that a path lies on, and whether `/` is that of a container, by the text of `/proc/self/mountinfo`. */
export function readMounts(
  mountInfo: string,
  path: string,
): { mount: Mount | undefined; isContainer: boolean } {
  const mounts = mountInfo.split('\n').flatMap((line): Mount[] => {
    const [, , , root = '', point] = line.split(' ')
    const type = line.split(' - ')[1]?.split(' ')[0]
    return point && type ? [{ point: decode(point), type, root: decode(root) }] : []
  })
  const holds = ({ point }: Mount) => path === point || path.startsWith(point === '/' ? '/' : `${point}/`)
  // The longest; of two over each other the later.
  const mount = mounts
    .filter(holds)
    .reduce<Mount | undefined>(
      (best, next) => (!best || next.point.length >= best.point.length ? next : best),
      undefined,
    )
  return { mount, isContainer: mounts.some(({ point, type }) => point === '/' && type === 'overlay') }
}

/** Why what is stored there will not outlive the process, the container or the machine's next start. */
export type Impermanence = 'memory' | 'container' | 'unnamed volume'

/** Undefined where nothing speaks against a path's disk. Pure. */
export function impermanenceOf(mountInfo: string, path: string): Impermanence | undefined {
  const { mount, isContainer } = readMounts(mountInfo, path)
  if (!mount) return undefined
  if (mount.type === 'tmpfs' || mount.type === 'ramfs') return 'memory'
  if (isContainer && mount.point === '/') return 'container'
  return unnamedVolume.test(mount.root) ? 'unnamed volume' : undefined
}

/** Whether a path is on a disk that lasts, as far as its mount tells. Pure. */
export const isLasting = (mountInfo: string, path: string): boolean =>
  impermanenceOf(mountInfo, path) === undefined

/** The mounts of this process; empty where the system has no such list. */
export const ownMountInfo = (): string => (existsSync(MOUNT_INFO) ? readFileSync(MOUNT_INFO, 'utf8') : '')

const MOUNT_INFO = '/proc/self/mountinfo'
// A volume without a name: Docker makes one where none is given, and a new one for the next container.
const unnamedVolume = /\/volumes\/[0-9a-f]{64}\/_data$/

// The kernel writes space, tab, line feed and backslash as octal numbers.
const decode = (text: string) =>
  text.replace(/\\(\d{3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
