import { useQuery } from '@tanstack/react-query'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { fillIn } from '#shared/inbox/saved-replies.ts'
import textButton from '../../ui/text-button.module.css'
import { repliesQuery } from '../data/queries.ts'
import { Menu } from '../ui/menu.tsx'

const BUTTON = 'choose-reply'

type Props = { lead: LeadDetail; onChoose: (text: string) => void }

/** A menu of the saved replies. The chosen one is filled in with the lead's values. */
export function ChooseReply({ lead, onChoose }: Props) {
  const { data } = useQuery(repliesQuery)
  if (!data || data.replies.length === 0) return null
  const { firstName, budget, template } = lead
  // The template ends with the owner's signature.
  const signature = template.slice(template.lastIndexOf('\n\n') + 2)
  return (
    <Menu label="Saved replies" buttonId={BUTTON} className={textButton.button}>
      {data.replies.map(({ name, text }, index) => (
        <li key={index}>
          <button
            type="button"
            onClick={() => onChoose(fillIn(text, { firstName, budget, signature, now: new Date() }))}
          >
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </Menu>
  )
}

/** Opens the menu if a slash was just typed in an empty line. */
export function openOnSlash({ value, selectionStart }: HTMLTextAreaElement): void {
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1).split('\n')[0]
  if (line === '/') document.getElementById(BUTTON)?.click()
}

/** The text with a reply in place of the template, or of a slash in a line of its own, or else at the cursor. */
export function insertReply(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  reply: string,
  template: string,
): string {
  const slash = /^\/$/m.exec(value)
  const rest = slash ? value.slice(0, slash.index) + value.slice(slash.index + 1) : value
  if (rest.trim() === '' || rest.replace(/\s/g, '') === template.replace(/\s/g, '')) return reply
  const at = slash?.index ?? selectionStart
  const before = rest.slice(0, at)
  const gap = before === '' || before.endsWith('\n') ? '' : '\n\n'
  return before + gap + reply + rest.slice(slash ? at : selectionEnd)
}
