import type { MessageStructureObject } from 'imapflow'
import { fileInWords } from '#shared/files-in-words.ts'
import { cleanFileName } from '../files/clean-file-name.ts'
import { MAX_BYTES } from './limits.ts'

/** The files in a message, with their sizes: see `fileParts`. */
export const filesIn = (root: MessageStructureObject): string[] => fileParts(root).map(inWords)

function inWords(part: MessageStructureObject): string {
  const { name, size } = fileOf(part)
  return fileInWords({ name: cleanFileName(name), size })
}

/** A file of a message. `words`: how it was stored. Earlier versions also counted signatures. */
export function fileAt(root: MessageStructureObject, index: number, words?: string) {
  const part = fileParts(root)[index]
  return part && inWords(part) === words ? part : fileParts(root, true)[index]
}

/**
 * The parts of a message that are files, by the server's list of its parts. As stored messages
 * number their files, those within the text are last: pictures, except small ones such as a logo,
 * then others, such as the PDFs of Apple Mail.
 */
function fileParts(root: MessageStructureObject, hasSignatures = false): MessageStructureObject[] {
  const leaves = leavesOf(root).filter(({ type }) => hasSignatures || !isSignature.test(type))
  const isFile = (leaf: Leaf) => leaf.disposition === 'attachment' || !(leaf.isWithinText || isText(leaf))
  const inText = (kind: RegExp) => leaves.filter((leaf) => !isFile(leaf) && kind.test(leaf.type))
  const pictures = inText(/^image\//).filter(({ size = 0 }) => size > LOGO_BYTES)
  return [...leaves.filter(isFile), ...pictures, ...inText(/^(?!image|text|message)/)]
}

const LOGO_BYTES = 40_000
// Email programs don't show it, either.
const isSignature = /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/
const isText = (part: MessageStructureObject) =>
  /^(?:text|message)\//.test(part.type) && nameOf(part) === undefined

/**
 * The name of a file, as its sender has chosen it, with an ending, and about how many bytes it has.
 */
export function fileOf(part: MessageStructureObject): { name: string; size: number } {
  const { size = 0, encoding, type } = part
  const name = nameOf(part) || 'unnamed file'
  // Others, such as `plain`, are no endings.
  const [ending = ''] = type === 'message/rfc822' ? ['.eml'] : (/\/[a-z]{3,4}$/.exec(type) ?? [])
  return {
    name: hasEnding.test(name) ? name : name + ending.replace('/', '.'),
    // Base64 writes three bytes as four.
    size: encoding === 'base64' ? size * 0.75 : size,
  }
}

// A number or a date is none.
const hasEnding = /\.\w*[a-z]\w*$/i
const nameOf = ({ parameters, dispositionParameters }: MessageStructureObject) =>
  dispositionParameters?.filename ?? parameters?.name

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

type Leaf = MessageStructureObject & { isOther: boolean; isWithinText: boolean }

/**
 * The parts without parts. `isOther`: it says the same as a plain text. `isWithinText`: it belongs
 * to one.
 */
function leavesOf(part: MessageStructureObject, isOther = false, isWithinText = false): Leaf[] {
  const { childNodes, type } = part
  if (!childNodes || !type.startsWith('multipart/')) return [{ ...part, isOther, isWithinText }]
  const [first] = childNodes
  const hasPlain = first?.type === 'text/plain' && (first.size ?? 0) > STUB_BYTES
  return childNodes.flatMap((child, index) =>
    leavesOf(
      child,
      isOther || (type === 'multipart/alternative' && hasPlain && index > 0),
      type === 'multipart/related',
    ),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
