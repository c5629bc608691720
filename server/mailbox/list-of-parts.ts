import type { MessageStructureObject } from 'imapflow'
import { fileInWords } from '#shared/inbox/files.ts'
import { cleanLine } from '#shared/text/invisible-characters.ts'
import { MAX_BYTES, MAX_NAME } from './limits.ts'

/**
 * The files in a message, with their sizes, by the server's list of its parts. Leaves out pictures
 * within the text, such as the logo of a signature.
 */
export function filesIn(part: MessageStructureObject, isWithinText = false): string[] {
  const { type, childNodes, size = 0, encoding, parameters, disposition, dispositionParameters } = part
  if (childNodes && type.startsWith('multipart/'))
    return childNodes.flatMap((child) => filesIn(child, type === 'multipart/related'))
  const name = dispositionParameters?.filename ?? parameters?.name
  const isText = /^(?:text|message)\//.test(type) && name === undefined
  if (disposition !== 'attachment' && (isWithinText || isText)) return []
  // Base64 writes three bytes as four.
  const bytes = encoding === 'base64' ? size * 0.75 : size
  return [fileInWords({ name: cleanLine(name ?? 'unnamed file').slice(0, MAX_NAME), size: bytes })]
}

/**
 * The texts, and messages, that end beyond what is read of a message, by the server's list of its
 * parts. `size`: of the whole message, so what isn't in the parts are headers, which are read
 * before them.
 */
export function textsBeyond(root: MessageStructureObject, size: number): MessageStructureObject[] {
  const leaves = leavesOf(root)
  let end = size - sum(leaves.map((leaf) => leaf.size ?? 0))
  return leaves.filter(({ type, disposition, parameters, isOther, size: bytes = 0 }) => {
    end += bytes
    const isFile = disposition === 'attachment' || parameters?.name !== undefined
    const isWords = type.startsWith('message/') || (type.startsWith('text/') && !isFile && !isOther)
    return isWords && end > MAX_BYTES && bytes > BLANK_BYTES
  })
}

// Apple Mail puts a line break below the last photo.
const BLANK_BYTES = 2
// Some programs leave the plain text almost empty.
const STUB_BYTES = 20

type Leaf = MessageStructureObject & { isOther: boolean }

/** The parts without parts. `isOther`: it says the same as a plain text. */
function leavesOf(part: MessageStructureObject, isOther = false): Leaf[] {
  const { childNodes, type } = part
  if (!childNodes || !type.startsWith('multipart/')) return [{ ...part, isOther }]
  const [first] = childNodes
  const hasPlain = first?.type === 'text/plain' && (first.size ?? 0) > STUB_BYTES
  return childNodes.flatMap((child, index) =>
    leavesOf(child, isOther || (type === 'multipart/alternative' && hasPlain && index > 0)),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
