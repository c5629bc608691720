import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { fillIn } from '#shared/inbox/saved-replies.ts'
import { serverNow } from '../data/api.ts'
import { repliesQuery } from '../data/queries.ts'
import styles from './reply-sheet.module.css'

const LIST = 'saved-replies'

type Props = { lead: LeadDetail; onChoose: (text: string) => void }

/** A button for each saved reply. The chosen one is filled in with the lead's values. */
export function ChooseReply({ lead, onChoose }: Props) {
  const { data } = useQuery(repliesQuery)
  if (!data || data.replies.length === 0) return null
  const { firstName, budget, template } = lead
  const signature = signatureIn(template)
  return (
    <ul id={LIST} className={`row ${styles.replies}`} aria-label="Saved replies" onKeyDown={typeOn}>
      {data.replies.map(({ name, text }, index) => (
        <li key={index}>
          <button
            type="button"
            onClick={() =>
              onChoose(fillIn(text, { firstName, budget, signature, now: new Date(serverNow()) }))
            }
          >
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The template ends with the owner's signature. */
export const signatureIn = (template: string): string => template.slice(template.lastIndexOf('\n\n') + 2)

/**
 * Who types on after a slash doesn't want a reply. The browser then
 * puts the character into the text box.
 */
function typeOn({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
  if (/^(\S|Backspace)$/.test(key)) currentTarget.closest('form')?.querySelector('textarea')?.focus()
}

/** Moves the focus to the saved replies if a slash was just typed in an empty line. */
export function focusOnSlash({ value, selectionStart }: HTMLTextAreaElement): void {
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1).split('\n')[0]
  if (line === '/') document.querySelector<HTMLElement>(`#${LIST} button`)?.focus()
}

/**
 * The text with a reply in place of the template, or of the last reply, or of a slash in a line of
 * its own, or else at the cursor.
 */
export function insertReply(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  reply: string,
  { template, last }: { template: string; last: string | undefined },
): string {
  const slash = /^\/$/m.exec(value)
  const rest = slash ? value.slice(0, slash.index) + value.slice(slash.index + 1) : value
  if (isTemplate(rest, template) || rest === last) return reply
  const at = slash?.index ?? selectionStart
  const before = rest.slice(0, at)
  const gap = before === '' || before.endsWith('\n') ? '' : '\n\n'
  return before + gap + reply + rest.slice(slash ? at : selectionEnd)
}

/** Whether nothing was written beyond the template, apart from white space. */
export const isTemplate = (text: string, template: string): boolean =>
  text.trim() === '' || text.replace(/\s/g, '') === template.replace(/\s/g, '')
