import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { countInWords } from '#shared/inbox/count-in-words.ts'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { timeInWords } from '#shared/inbox/time-in-words.ts'
import { Dimension } from '../../ui/dimension.tsx'
import { summaryQuery } from '../data/queries.ts'
import { Menu } from '../ui/menu.tsx'
import { viewNames } from '../words/lead-words.ts'
import styles from './search-and-views.module.css'

/** How many leads are waiting, how many of them are late, and the median time until a lead is answered. */
export function ThreeFigures() {
  const { data } = useQuery(summaryQuery)
  const median = data?.medianMinutesToAnswer ?? null
  return (
    <dl className={styles.figures} data-late={(data?.late ?? 0) > 0 || undefined}>
      <Dimension figure={data ? countInWords(data.waiting) : '–'} label="waiting" />
      <Dimension figure={data ? countInWords(data.late) : '–'} label="late" />
      <Dimension figure={median === null ? '–' : timeInWords(median)} label="median reply time" />
    </dl>
  )
}

export const searchId = 'search'

export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <search className={styles.search}>
      <label htmlFor={searchId} className="visually-hidden">
        Search all requests
      </label>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path
          d="M13 13l5.5 5.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0z"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
      </svg>
      <input
        id={searchId}
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

// The first three views (Open, Waiting and Suspects) have tabs. The other views are in the menu "More".
const FIRST = 3
const [first, more] = [leadViews.slice(0, FIRST), leadViews.slice(FIRST)]

/** `view`: undefined while the list shows search results. */
export function ViewTabs({ view, onChoose }: { view: LeadView | undefined; onChoose: () => void }) {
  const counts = useQuery(summaryQuery).data?.counts
  const link = (name: LeadView) => (
    <li key={name}>
      <Link
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
    <nav className={styles.tabs} aria-label="Views">
      <ul className={styles.first}>{first.map(link)}</ul>
      <Menu label={other ? viewNames[other] : 'More'} className={styles.more} isCurrent={other !== undefined}>
        {more.map(link)}
      </Menu>
    </nav>
  )
}
