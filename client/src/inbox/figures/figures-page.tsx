import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Figures } from '#shared/inbox/api.ts'
import { workTimeInWords } from '#shared/inbox/words.ts'
import { figuresQuery, summaryQuery } from '../data/queries.ts'
import page from '../ui/page.module.css'
import { day } from '../words/times.ts'
import styles from './figures-page.module.css'

/** Shows how many requests came in, from where, and how fast they were answered. */
export function FiguresPage() {
  const { data, error } = useQuery(figuresQuery)
  const all = useQuery(summaryQuery).data?.counts.all
  const noRequests = all ? `No requests in the last ${data?.weeks.length} weeks.` : 'No requests yet.'
  return (
    <div className={`stack ${page.page}`} aria-busy={!data && !error}>
      <h1>Figures</h1>
      {error && !data && <p role="alert">The figures could not be loaded: {error.message}</p>}
      {data && (isEmpty(data) ? <p>{noRequests}</p> : <Charts figures={data} />)}
    </div>
  )
}

function Charts({ figures: { weeks, plans, sources } }: { figures: Figures }) {
  const leads = sum(weeks.map((week) => week.leads))
  const due = sum(weeks.map((week) => week.due))
  const onTimePercent = Math.round((100 * sum(weeks.map((week) => week.onTime))) / due)
  const kept =
    due > 0 ? ` Of the ${due} that were answered or are due, ${onTimePercent}% were answered on time.` : ''
  const requests = (count: number) => `${count} ${count === 1 ? 'request' : 'requests'}`
  const nameOf = (week: string) => day(week).replace(/^\w+, /, '')
  return (
    <>
      <Chart title="Requests by week" text={`${requests(leads)} in ${weeks.length} weeks.${kept}`}>
        <ul className={`row ${styles.legend}`}>
          <li className={`row ${styles.onTime}`}>answered on time</li>
          <li className={`row ${styles.late}`}>answered late</li>
          <li className="row">no answer recorded</li>
        </ul>
        <ColumnChart
          columns={weeks.map(({ week, leads, answered, onTime }) => ({
            name: nameOf(week),
            words: `${requests(leads)}, ${answered} answered, ${onTime} on time`,
            parts: [onTime, Math.max(0, answered - onTime), Math.max(0, leads - answered)],
          }))}
        />
      </Chart>
      <Chart
        title="Time to answer"
        text="In office hours. The median of each week: half of the answers were faster."
      >
        <ColumnChart
          format={workTimeInWords}
          columns={weeks.map(({ week, medianMinutesToAnswer: minutes }) => ({
            name: nameOf(week),
            words: minutes === null ? 'no answers' : workTimeInWords(minutes),
            parts: [minutes ?? 0],
          }))}
        />
      </Chart>
      <Chart title="Requests by plan">
        <BarChart bars={plans} />
      </Chart>
      {sources.length > 0 && (
        <Chart title="Requests by source">
          <BarChart bars={sources} />
        </Chart>
      )}
    </>
  )
}

const isEmpty = ({ weeks }: Figures) => weeks.every(({ leads }) => leads === 0)

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function Chart({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="stack">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  )
}

/** One line per name, with the leads that were won and lost. The name with the most leads has the longest line. */
function BarChart({ bars }: { bars: Figures['plans'] }) {
  const most = Math.max(...bars.map(({ leads }) => leads), 1)
  return (
    <ul className={styles.bars}>
      {bars.map(({ name, leads, won, lost }) => (
        <li key={name}>
          <span>{name}</span>
          <span>
            {won + lost > 0 && <span className="muted">{`${won} won, ${lost} lost of `}</span>}
            <data value={leads}>{leads}</data>
          </span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <path className={styles.line} d={`M0 5H${(100 * leads) / most}`} />
          </svg>
        </li>
      ))}
    </ul>
  )
}

const HEIGHT = 100
const STEP = 10
const WIDTH = 6
const partNames = ['solid', 'late', 'hollow'] as const
// More labels would overlap on a phone.
const MAX_LABELS = 4

type ColumnProps = {
  /** `words`: the column's values, for screen readers and as a tooltip. `parts`: from the bottom up. */
  columns: { name: string; words: string; parts: number[] }[]
  format?: (value: number) => string
}

function ColumnChart({ columns, format = String }: ColumnProps) {
  const highest = Math.max(...columns.map(({ parts }) => sum(parts)), 1)
  const every = Math.ceil(columns.length / MAX_LABELS)
  const width = columns.length * STEP
  return (
    <div className={styles.chart}>
      <p className={styles.top} aria-hidden="true">
        {format(highest)}
      </p>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.rules} d={`M0 .5H${width}M0 ${HEIGHT / 2}H${width}`} />
        {columns.map(({ name, words, parts }, column) => {
          let top = HEIGHT
          const boxes = parts.map((part, index) => {
            const height = (part / highest) * (HEIGHT - 1)
            top -= height
            const box = { x: column * STEP + (STEP - WIDTH) / 2, y: top, width: WIDTH, height }
            return <rect key={partNames[index]} className={styles[partNames[index] ?? '']} {...box} />
          })
          return (
            <g key={name}>
              <title>{`${name}: ${words}`}</title>
              {boxes}
            </g>
          )
        })}
        <path className={styles.ground} d={`M0 ${HEIGHT}H${width}`} />
      </svg>
      <ol className={styles.names}>
        {columns.map(({ name, words }, index) => (
          <li key={name}>
            <span className="visually-hidden">{`${name}: ${words}`}</span>
            <span aria-hidden="true">{(columns.length - 1 - index) % every === 0 ? name : ''}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
