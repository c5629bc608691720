import { brand } from '#facts/brand.ts'
import { cleanName } from '../../leads/clean-name.ts'
import { ownerName } from './owner-name.ts'

/** The text that the answer field starts with; the owner fills in the blank lines. */
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
