import { count } from '../count.ts'

/** "2 files: plan.pdf, storefront.jpg". Empty if there are none. */
export const filesInWords = (files: readonly string[]): string =>
  files.length > 0 ? `${count(files.length, 'file')}: ${files.join(', ')}` : ''
