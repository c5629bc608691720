import { useQuery } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { countInWords, workTimeInWords } from '#shared/inbox/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dimension } from '../../ui/dimension.tsx'
import { Mark } from '../../ui/mark.tsx'
import { summaryQuery } from '../data/queries.ts'
import { useNow } from '../data/timers.ts'
import { passFocusOn } from '../ui/focus.ts'
import { Menu } from '../ui/menu.tsx'
import { viewNames } from '../words/row-words.ts'
import { RowOfLead } from './lead-row.tsx'
import styles from './list.module.css'
import type { List } from './use-list.ts'
import type { Selection } from './use-selection.ts'

type Props = { list: List; current: string | undefined; selection: Selection }

export function LeadList({ list, current, selection }: Props) {
  const { rows, error, search } = list
  const now = useNow()
  const Heading = current ? 'h2' : 'h1'
  /** Undefined while the list shows search results. */
  const view = search.trim() === '' ? list.view : undefined
  return (
    <>
      <div className={`stack ${styles.head}`}>
        <Heading className="visually-hidden">
          {view ? `Requests: ${viewNames[view]}` : 'Search results'}
        </Heading>
        <ThreeFigures />
        <SearchField value={search} onChange={list.setSearch} />
        <ViewTabs view={view} onChoose={() => list.setSearch('')} />
      </div>
      <div role="status">
        {rows?.length === 0 && !list.isPrevious && <EmptyList view={view} />}
        <p className="visually-hidden">{list.found}</p>
      </div>
      {error && (
        <div className={`between error ${styles.failed}`} role="alert">
          <p>{`The list could not be loaded: ${error.message}`}</p>
          <button type="button" onClick={list.retry}>
            Try again
          </button>
        </div>
      )}
      {list.holdsNews && (
        <p className={styles.news}>
          <button type="button" onClick={() => showNews(list)}>
            {`${countInWords(list.news.length)} new`}
          </button>
        </p>
      )}
      <ul
        className={styles.rows}
        data-list={list.id}
        aria-busy={list.isPrevious || rows === undefined}
        data-selecting={selection.rows.length > 0 || undefined}
        {...selection.handlers}
      >
        {rows?.map((row) => (
          <RowOfLead
            key={row.reference}
            row={row}
            now={now}
            isCurrent={row.reference === current}
            isSelected={selection.has(row)}
            isNew={list.isNew(row)}
          />
        ))}
      </ul>
      {list.hasMore && (
        <div ref={passFocusOn} className={styles.showMore}>
          <Button kind="plain" isWorking={list.isLoadingMore} onClick={() => loadMore(list)}>
            {list.isLoadingMore ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  )
}

/** Brings in the leads that have come since the list was opened. */
function showNews(list: List) {
  flushSync(list.showNews)
  document.querySelector<HTMLElement>('[data-row]')?.focus()
}

/** From the last row, the Tab key then leads to the next ones. */
function loadMore(list: List) {
  ;[...document.querySelectorAll<HTMLElement>('[data-row]')].at(-1)?.focus()
  list.loadMore()
}

const texts: Record<LeadView, [string, string]> = {
  open: ['Nobody is waiting.', 'New requests appear here automatically.'],
  later: ['Nothing for later.', 'Requests with a follow-up wait here.'],
  suspects: ['No suspects.', 'Requests that look like spam wait here.'],
  answered: ['No answered requests yet.', 'Requests that you answer move here.'],
  won: ['No jobs won yet.', 'Mark a request as won when the job is yours.'],
  lost: ['Nothing lost.', 'Lost jobs end up here.'],
  spam: ['No spam.', 'What you mark as spam ends up here.'],
  all: ['No requests yet.', 'The first one appears here automatically.'],
}

/** Says that a view or, without a view, a search has no leads. */
function EmptyList({ view }: { view: LeadView | undefined }) {
  const [title, text] = view
    ? texts[view]
    : ['Nothing found.', 'Try fewer words, or the end of the phone number.']
  return (
    <div className={styles.empty}>
      <Mark />
      <p className={styles.title}>{title}</p>
      <p>{text}</p>
    </div>
  )
}

/**
 * How many leads are waiting, how many of them are late, and the
 * median time until a lead is answered.
 */
function ThreeFigures() {
  const { data } = useQuery(summaryQuery)
  const median = data?.medianMinutesToAnswer ?? null
  return (
    <dl className={styles.figures} data-late={(data?.late ?? 0) > 0 || undefined}>
      <Dimension figure={data ? countInWords(data.waiting) : '–'} label="waiting" />
      <Dimension figure={data ? countInWords(data.late) : '–'} label="late" />
      {median !== null && <Dimension figure={workTimeInWords(median)} label="usual reply, office hours" />}
    </dl>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <search className={styles.search}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path
          d="M13 13l5.5 5.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0z"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
      </svg>
      <input
        data-key="/"
        aria-label="Search all requests"
        type="search"
        dir="auto"
        value={value}
        placeholder="Name, phone or words"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
      />
    </search>
  )
}

// The first three views (Open, Later and Suspects) have tabs. The
// other views are in the menu "More".
const FIRST = 3
const first = leadViews.slice(0, FIRST)
const more = leadViews.slice(FIRST)

function ViewTabs({ view, onChoose }: { view: LeadView | undefined; onChoose: () => void }) {
  const counts = useQuery(summaryQuery).data?.counts
  const link = (name: LeadView) => (
    <li key={name}>
      <Link
        className="touch"
        to={name === 'open' ? inboxPath : `${inboxPath}?view=${name}`}
        aria-current={name === view ? 'page' : undefined}
        onClick={onChoose}
      >
        {viewNames[name]} <data value={counts?.[name]}>{counts && countInWords(counts[name])}</data>
      </Link>
    </li>
  )
  const other = view && more.includes(view) ? view : undefined
  return (
    <nav className={`row ${styles.tabs}`} aria-label="Views">
      <ul className={`row ${styles.first}`}>{first.map(link)}</ul>
      <Menu label={other ? viewNames[other] : 'More'} className={styles.more} isCurrent={other !== undefined}>
        {more.map(link)}
      </Menu>
    </nav>
  )
}
