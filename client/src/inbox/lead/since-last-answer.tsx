import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { ShowEarlier } from './show-earlier.tsx'
import thread from './thread.module.css'
import { isFromUs, isFromVisitor, isSaid, itemsOf, type ThreadItem } from './thread-items.ts'
import { ThreadMessage } from './thread-message.tsx'

/** The last answer that has not failed. */
function lastAnswer(items: readonly ThreadItem[]): ThreadItem | undefined {
  const steps = items.filter((item) => isFromUs(item) || item.what === 'answer_failed')
  return steps.filter((item, at) => isFromUs(item) && steps[at + 1]?.what !== 'answer_failed').at(-1)
}

/**
 * Everything that was written since the last answer, oldest first: at least what the visitor wrote
 * last, and also what others write or answer while it is open.
 */
export function SinceLastAnswer({ lead }: { lead: LeadDetail }) {
  const [request, ...later] = itemsOf(lead)
  // Without the request, if something between is missing.
  const items = lead.hasEarlier ? later : [request, ...later]
  const [newestAtFirst] = useState(lead.events.at(-1)?.id ?? 0)
  const answer = lastAnswer(items.filter(({ id }) => id <= newestAtFirst))?.id ?? -1
  // What came before the answer may have been read later.
  const afterAnswer = items.findIndex(({ id }) => id > answer)
  const lastOfVisitor = items.map(isFromVisitor).lastIndexOf(true)
  const isCut = lead.hasEarlier && (afterAnswer === 0 || lastOfVisitor < 0)
  return (
    <ol className={thread.thread} aria-label="Since the last answer">
      {isCut && <ShowEarlier lead={lead} />}
      {items
        .slice(Math.max(afterAnswer < 0 ? lastOfVisitor : Math.min(afterAnswer, lastOfVisitor), 0))
        .filter(isSaid)
        .map((item) => (
          <li key={item.id}>
            <ThreadMessage item={item} lead={lead} />
          </li>
        ))}
    </ol>
  )
}
