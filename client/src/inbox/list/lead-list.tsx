import { useShowApp } from '../frame/app-element.ts'
import { viewNames } from '../words/lead-words.ts'
import { EmptyList } from './empty-list.tsx'
import styles from './lead-list.module.css'
import { LeadRow } from './lead-row.tsx'
import { SearchField } from './search-field.tsx'
import { ShowMore } from './show-more.tsx'
import { ThreeFigures } from './three-figures.tsx'
import type { List } from './use-list.ts'
import { ViewTabs } from './view-tabs.tsx'

type Props = { list: List; current: string | undefined }

export function LeadList({ list, current }: Props) {
  const { rows, error, view, search } = list
  const Heading = current ? 'h2' : 'h1'
  useShowApp(rows !== undefined || error !== null)
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
      {rows && rows.length === 0 && !list.isPrevious && <EmptyList view={view} search={search} />}
      <ul className={styles.rows} aria-busy={list.isPrevious || rows === undefined}>
        {rows?.map((row) => (
          <LeadRow key={row.reference} row={row} isCurrent={row.reference === current} />
        ))}
        {!rows &&
          !error &&
          Array.from({ length: 6 }, (_, index) => <li key={index} className={styles.blank} />)}
      </ul>
      {list.hasMore && <ShowMore isLoading={list.isLoadingMore} onMore={list.loadMore} />}
    </>
  )
}
