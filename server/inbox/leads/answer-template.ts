import { brand } from '#facts/brand.ts'
import { cleanName } from '../../leads/clean-name.ts'
import { ownerName } from './owner-name.ts'

/** The text that an owner finds in the answer field at first, with blank lines to fill in. */
export function answerTemplate({ firstName }: { firstName: string }, owner: string): string {
  const name = cleanName(firstName)
  const signature = [ownerName(owner), brand.name].filter((line) => line !== '')
  return [
    name ? `Hello ${name},` : 'Hello,',
    '',
    'Thank you for your request.',
    '',
    '',
    '',
    ...signature,
  ].join('\n')
}
