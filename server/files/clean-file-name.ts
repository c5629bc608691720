import { cleanLine, replaceInvisible } from '#shared/text/invisible-characters.ts'

const MAX_NAME = 200
const ending = /\.[^. ]{1,20}$/
/** Names of devices on Windows, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=[. ]|$)/i

/**
 * A name that is safe on every system: without folders, direction controls, and characters that
 * nobody sees. A long one keeps its ending.
 */
export function cleanFileName(name: string): string {
  const bothEnds = name.slice(0, 5 * MAX_NAME) + name.slice(5 * MAX_NAME).slice(-MAX_NAME)
  const clean = replaceInvisible(cleanLine(bothEnds), () => '')
    .replace(/^.*[/\\]/, '')
    .replace(/[:*?"<>|]/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '')
  const [last = ''] = ending.exec(clean) ?? []
  const rest = [...clean.slice(0, clean.length - last.length)].slice(0, MAX_NAME - last.length)
  return (rest.join('') + last).replace(device, '_$&') || 'file'
}
