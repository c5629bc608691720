import { existsSync, readFileSync } from 'node:fs'

type Mount = { point: string; type: string; root: string }

/**
 * Finds the mount that contains a path, and whether the program is in a container. `mountInfo`: see
 * `ownMountInfo`.
 */
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
  // The longest mount point wins. If several mounts have it, the last one hides the others.
  const mount = mounts
    .filter(contains)
    .toSorted((a, b) => a.point.length - b.point.length)
    .at(-1)
  return { mount, isContainer: mounts.some(({ point, type }) => point === '/' && type === 'overlay') }
}

/**
 * Finds the kind of temporary storage that contains a path, which does not survive a reboot or a
 * new container; undefined if the storage seems permanent.
 */
export function findTemporaryStorage(mountInfo: string, path: string) {
  const { mount, isContainer } = readMounts(mountInfo, path)
  if (!mount) return undefined
  if (mount.type === 'tmpfs' || mount.type === 'ramfs') return 'memory'
  if (isContainer && mount.point === '/') return 'container'
  return anonymousVolume.test(mount.root) ? 'unnamed volume' : undefined
}

export const isPermanent = (mountInfo: string, path: string): boolean =>
  findTemporaryStorage(mountInfo, path) === undefined

/** The content of `/proc/self/mountinfo`; empty if the OS has no `/proc`. */
export const ownMountInfo = (): string => (existsSync(MOUNT_INFO) ? readFileSync(MOUNT_INFO, 'utf8') : '')

const MOUNT_INFO = '/proc/self/mountinfo'
// Docker creates a new anonymous volume for each container.
const anonymousVolume = /\/volumes\/[0-9a-f]{64}\/_data$/

// The kernel escapes space, tab, line feed and backslash in octal: a space is \040.
const decode = (text: string) =>
  text.replace(/\\(\d{3})/g, (_match, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
