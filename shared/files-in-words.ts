import { count } from './count.ts'

/** "12 kB" or "1.5 MB". */
export function sizeInWords(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1_000)
  return kilobytes < 1_000 ? `${kilobytes} kB` : `${Math.ceil(kilobytes / 100) / 10} MB`
}

/** "plan.pdf (12 kB)". */
export const fileInWords = ({ name, size }: { name: string; size: number }): string =>
  `${name} (${sizeInWords(size)})`

/** "2 files: plan.pdf, storefront.jpg". Empty if there are none. */
export const filesInWords = (files: readonly string[]): string =>
  files.length > 0 ? `${count(files.length, 'file')}: ${files.join(', ')}` : ''
