import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Message } from './message.tsx'
import thread from './thread.module.css'
import { isFromUs, isFromVisitor, isMessage, itemsOf, type ThreadItem } from './thread-items.ts'

const takenBack: readonly (string | undefined)[] = ['answer_undone', 'answer_failed']

/** The last answer that was neither undone nor failed. */
function lastAnswer(items: readonly ThreadItem[]): ThreadItem | undefined {
  const steps = items.filter(({ what }) => isFromUs({ what }) || takenBack.includes(what))
  return steps.filter((item, at) => isFromUs(item) && !takenBack.includes(steps[at + 1]?.what)).at(-1)
}

/**
 * Everything that was written since the last answer, oldest first: at least what the visitor wrote
 * last, and also what others write or answer while it is open.
 */
export function SinceLastAnswer({ lead }: { lead: LeadDetail }) {
  const [request, ...later] = itemsOf(lead)
  // Without the request, if something between is missing.
  const items = lead.hasEarlier ? later : [request, ...later]
  const [answer] = useState(() => lastAnswer(items)?.id)
  const from = Math.min(
    items.findIndex(({ id }) => id === answer) + 1,
    items.map(isFromVisitor).lastIndexOf(true),
  )
  return (
    <ol className={thread.thread} aria-label="Since the last answer">
      {items
        .slice(Math.max(from, 0))
        .filter(isMessage)
        .map((item) => (
          <li key={item.id}>
            <Message item={item} lead={lead} />
          </li>
        ))}
    </ol>
  )
}
