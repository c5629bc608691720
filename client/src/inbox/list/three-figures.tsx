import { Dimension } from '../../ui/dimension.tsx'
import { useSummary } from '../data/queries.ts'
import { duration } from '../words/times.ts'
import styles from './three-figures.module.css'

/** How many leads are waiting, how many are late, and how long an answer takes. */
export function ThreeFigures() {
  const { data } = useSummary()
  const median = data?.medianMinutesToAnswer
  return (
    <dl className={styles.figures} data-late={(data?.late ?? 0) > 0 || undefined}>
      <Dimension figure={data ? data.waiting.toLocaleString('en-US') : '–'} label="waiting" />
      <Dimension figure={data ? data.late.toLocaleString('en-US') : '–'} label="late" />
      <Dimension
        figure={median === null || median === undefined ? '–' : duration(median)}
        label="to answer"
      />
    </dl>
  )
}
