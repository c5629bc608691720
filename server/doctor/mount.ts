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

// The kernel writes space, tab, line feed and backslash as octal numbers.
const decode = (text: string) =>
  text.replace(/\\(\d{3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
