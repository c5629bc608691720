import type { LeadView } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../ui/timers.ts'
import { viewNames } from '../words/lead-words.ts'
import { LeadRow } from './lead-row.tsx'
import styles from './list.module.css'
import { SearchField, ThreeFigures, ViewTabs } from './search-and-views.tsx'
import type { List } from './use-list.ts'

type Props = { list: List; current: string | undefined }

export function LeadList({ list, current }: Props) {
  const { rows, error, view, search } = list
  const now = useNow()
  const Heading = current ? 'h2' : 'h1'
  const isSearch = search.trim() !== ''
  return (
    <>
      <div className={styles.head}>
        <Heading className="visually-hidden">
          {isSearch ? 'Search results' : `${viewNames[view]} requests`}
        </Heading>
        <ThreeFigures />
        <SearchField value={search} onChange={list.setSearch} />
        <ViewTabs view={isSearch ? undefined : view} onChoose={() => list.setSearch('')} />
      </div>
      <p className="visually-hidden" role="status">
        {list.found}
      </p>
      {error && (
        <div className={styles.failed} role="alert">
          <p>The list could not be loaded: {error.message}</p>
          <button type="button" onClick={list.retry}>
            Try again
          </button>
        </div>
      )}
      {rows?.length === 0 && !list.isPrevious && <EmptyList view={isSearch ? undefined : view} />}
      <ul className={styles.rows} aria-busy={list.isPrevious || rows === undefined}>
        {rows?.map((row) => (
          <LeadRow key={row.reference} row={row} now={now} isCurrent={row.reference === current} />
        ))}
        {!rows &&
          !error &&
          Array.from({ length: 6 }, (_, index) => <li key={index} className={styles.blank} />)}
      </ul>
      {list.hasMore && (
        <div className={styles.more}>
          <Button kind="plain" disabled={list.isLoadingMore} onClick={list.loadMore}>
            {list.isLoadingMore ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  )
}

const texts: Record<LeadView, [string, string]> = {
  open: ['Nobody is waiting.', 'New requests appear here automatically.'],
  waiting: ['No follow-ups.', 'Requests with a follow-up day wait here until that day.'],
  suspects: ['No suspects.', 'Requests that look like spam wait here, so that no real one gets lost.'],
  answered: ['No answered requests yet.', 'Requests move here when you answer them.'],
  won: ['No jobs won yet.', 'Mark a request as won when the job is yours.'],
  lost: ['Nothing lost.', 'May it stay that way.'],
  spam: ['No spam.', 'What you mark as spam ends up here.'],
  all: ['No requests yet.', 'The first one from your website will appear here automatically.'],
}

/** Says that a view or, without a view, a search has no leads. */
function EmptyList({ view }: { view: LeadView | undefined }) {
  const [title, text] = view
    ? texts[view]
    : ['Nothing found.', 'Try fewer words, or the last digits of the phone number.']
  return (
    <div className={styles.empty} role="status">
      <Mark />
      <p className={styles.title}>{title}</p>
      <p>{text}</p>
    </div>
  )
}
