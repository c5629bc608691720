import { Fragment, type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { count } from '#shared/count.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { anything, post } from '../data/api.ts'
import { usePageIsVisible } from '../data/live.ts'
import { patchLead, pathOf } from '../data/queries.ts'
import { useOwner } from '../frame/session.tsx'
import { ShowEarlier } from './show-earlier.tsx'
import styles from './thread.module.css'
import { itemsOf } from './thread-items.ts'
import { ThreadMessage } from './thread-message.tsx'
import { useEndInView, useKeptPlace, useOpenAtNew, whenMoved } from './use-place-in-thread.ts'

// A lead that opened by itself isn't read before.
const GLANCE_MS = 2_000

/** Everything that was said and done about a request, oldest first. */
export function Thread({ lead }: { lead: LeadDetail }) {
  // What is new stays marked during the visit, which itself marks it as read.
  const [readUpTo] = useState(lead.readUpTo)
  const { owner } = useOwner().session
  const [request, ...events] = itemsOf(lead)
  const later = events.filter(({ what, who }) => what !== 'seen' || who !== owner)
  const firstNew = later.find(({ what, id }) => what === 'reply' && id > readUpTo)
  const newest = lead.events.at(-1)?.id ?? 0
  const list = useRef<HTMLOListElement>(null)
  useOpenAtNew(list, isFirstVisit(lead))
  const { end, seenUpTo, goToEnd } = useEndInView(newest)
  useMarkSeen(lead, seenUpTo, list)
  const keepPlace = useKeptPlace(list, later[0]?.id)
  const [newestAtFirst] = useState(newest)
  const repliesAfter = (after: number) =>
    lead.events.filter(({ what, id }) => what === 'reply' && id > after).length
  const came = repliesAfter(newestAtFirst)
  const unseen = repliesAfter(seenUpTo)
  return (
    <section aria-labelledby="thread">
      <h2 id="thread" className="visually-hidden">
        Conversation
      </h2>
      <ol ref={list} className={styles.thread}>
        <li>
          <ThreadMessage item={request} lead={lead} />
        </li>
        {lead.hasEarlier && <ShowEarlier lead={lead} onLoad={keepPlace} />}
        {later.map((item) => (
          <Fragment key={item.id}>
            {item === firstNew && (
              <li className={styles.new} data-new>
                <strong>New</strong>
              </li>
            )}
            <li data-item={item.id}>
              {/* Why the last answer failed stands below. */}
              <ThreadMessage item={item.text === lead.trouble ? { ...item, text: null } : item} lead={lead} />
            </li>
          </Fragment>
        ))}
      </ol>
      <div ref={end} />
      {/* Also says what comes into view, which needs no button. */}
      <p role="status" className="visually-hidden">
        {came > 0 && count(came, 'new message')}
      </p>
      <div className={styles.below}>
        {unseen > 0 && (
          <button type="button" onClick={goToEnd}>
            <span>{count(unseen, 'new message')}</span> <span aria-hidden="true">↓</span>
          </button>
        )}
      </div>
    </section>
  )
}

/**
 * Tells the server what an owner has seen while the page is visible. What came below what is in
 * view stays unread. If that fails, the lead just stays unread.
 */
function useMarkSeen(lead: LeadDetail, upTo: number, thread: RefObject<HTMLElement | null>) {
  const { reference, isUnread, unread, readUpTo } = lead
  const isVisible = usePageIsVisible()
  const [isLookedAt, setIsLookedAt] = useState(useLocation().state?.isNext !== true)
  useEffect(() => {
    const page = thread.current?.closest('article')
    if (isLookedAt || !isVisible || !page) return
    return whenMoved(page, () => setIsLookedAt(true), GLANCE_MS)
  }, [isLookedAt, isVisible])
  const isNews = isVisible && isLookedAt && isUnread && (unread === 0 || upTo > readUpTo)
  useEffect(() => {
    if (!isNews) return
    post(`${pathOf(reference)}/seen`, anything, { upTo }).then(
      () => patchLead(reference, { isUnread: false, unread: 0, readUpTo: upTo }),
      () => {},
    )
  }, [isNews, upTo])
}

/** Whether no owner has opened the request before: then the page opens at its top. */
const isFirstVisit = ({ isUnread, readUpTo, hasEarlier, events }: LeadDetail): boolean =>
  isUnread && readUpTo === 0 && !hasEarlier && !events.some(({ what }) => what === 'seen')
