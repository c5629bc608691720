import { existsSync, readFileSync } from 'node:fs'

export type Mount = { point: string; type: string; root: string }

/** The mount of a path, and whether `/` belongs to a container, from the text of `/proc/self/mountinfo`. */
export function readMounts(
  mountInfo: string,
  path: string,
): { mount: Mount | undefined; isContainer: boolean } {
  const mounts = mountInfo.split('\n').flatMap((line): Mount[] => {
    const [, , , root = '', point] = line.split(' ')
    const type = line.split(' - ')[1]?.split(' ')[0]
    return point && type ? [{ point: decode(point), type, root: decode(root) }] : []
  })
  const contains = ({ point }: Mount) => path === point || path.startsWith(point === '/' ? '/' : `${point}/`)
  // The longest match; for the same mount point, the last.
  const mount = mounts
    .filter(contains)
    .reduce<Mount | undefined>(
      (best, next) => (!best || next.point.length >= best.point.length ? next : best),
      undefined,
    )
  return { mount, isContainer: mounts.some(({ point, type }) => point === '/' && type === 'overlay') }
}

/** Why data would not survive a new container or a reboot. */
type TemporaryStorage = 'memory' | 'container' | 'unnamed volume'

/** Undefined if the path's disk seems persistent. Pure. */
export function findTemporaryStorage(mountInfo: string, path: string): TemporaryStorage | undefined {
  const { mount, isContainer } = readMounts(mountInfo, path)
  if (!mount) return undefined
  if (mount.type === 'tmpfs' || mount.type === 'ramfs') return 'memory'
  if (isContainer && mount.point === '/') return 'container'
  return unnamedVolume.test(mount.root) ? 'unnamed volume' : undefined
}

/** Whether the path's disk seems persistent. Pure. */
export const isLasting = (mountInfo: string, path: string): boolean =>
  findTemporaryStorage(mountInfo, path) === undefined

/** The mounts of this process; empty if the OS has no such list. */
export const ownMountInfo = (): string => (existsSync(MOUNT_INFO) ? readFileSync(MOUNT_INFO, 'utf8') : '')

const MOUNT_INFO = '/proc/self/mountinfo'
// An anonymous volume: Docker creates a new one for each container.
const unnamedVolume = /\/volumes\/[0-9a-f]{64}\/_data$/

// The kernel escapes space, tab, line feed and backslash in octal.
const decode = (text: string) =>
  text.replace(/\\(\d{3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
