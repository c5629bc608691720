import { Dimension } from '../../ui/dimension.tsx'
import { useSummary } from '../data/queries.ts'
import { countInWords } from '../words/count-in-words.ts'
import { duration } from '../words/times.ts'
import styles from './three-figures.module.css'

/** How many leads are waiting, how many are late, and how long an answer takes. */
export function ThreeFigures() {
  const { data } = useSummary()
  const median = data?.medianMinutesToAnswer
  return (
    <dl className={styles.figures} data-late={(data?.late ?? 0) > 0 || undefined}>
      <Dimension figure={data ? countInWords(data.waiting) : '–'} label="waiting" />
      <Dimension figure={data ? countInWords(data.late) : '–'} label="late" />
      <Dimension
        figure={median === null || median === undefined ? '–' : duration(median)}
        label="median reply time"
      />
    </dl>
  )
}
