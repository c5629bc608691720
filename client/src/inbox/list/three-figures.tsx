import { countInWords, timeInWords } from '#shared/inbox/words.ts'
import { Dimension } from '../../ui/dimension.tsx'
import { useSummary } from '../data/queries.ts'
import styles from './three-figures.module.css'

/** How many leads are waiting, how many of them are late, and the median time until a lead is answered. */
export function ThreeFigures() {
  const { data } = useSummary()
  const median = data?.medianMinutesToAnswer
  return (
    <dl className={styles.figures} data-late={(data?.late ?? 0) > 0 || undefined}>
      <Dimension figure={data ? countInWords(data.waiting) : '–'} label="waiting" />
      <Dimension figure={data ? countInWords(data.late) : '–'} label="late" />
      <Dimension
        figure={median === null || median === undefined ? '–' : timeInWords(median)}
        label="median reply time"
      />
    </dl>
  )
}
