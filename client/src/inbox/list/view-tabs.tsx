import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { countInWords } from '#shared/inbox/words.ts'
import { useSummary } from '../data/queries.ts'
import { Menu } from '../ui/menu.tsx'
import { viewNames } from '../words/lead-words.ts'
import styles from './view-tabs.module.css'

// The first three views (Open, Waiting and Suspects) have tabs. The other views are in the menu "More".
const FIRST = 3

type Props = {
  /** Undefined while the list shows search results. */
  view: LeadView | undefined
  onChoose: () => void
}

export function ViewTabs({ view, onChoose }: Props) {
  const counts = useSummary().data?.counts
  const [first, more] = [leadViews.slice(0, FIRST), leadViews.slice(FIRST)]
  const link = (name: LeadView) => (
    <Link
      to={name === 'open' ? inboxPath : `${inboxPath}?view=${name}`}
      aria-current={name === view ? 'page' : undefined}
      onClick={onChoose}
    >
      {viewNames[name]} <data value={counts?.[name]}>{counts && countInWords(counts[name])}</data>
    </Link>
  )
  const other = view && more.includes(view) ? view : undefined
  return (
    <nav className={styles.tabs} aria-label="Views">
      <ul className={styles.first}>
        {first.map((name) => (
          <li key={name}>{link(name)}</li>
        ))}
      </ul>
      <Menu label={other ? viewNames[other] : 'More'} className={styles.more} isCurrent={other !== undefined}>
        {more.map((name) => (
          <li key={name}>{link(name)}</li>
        ))}
      </Menu>
    </nav>
  )
}
