import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count } from '#shared/count.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { workTimeInWords } from '#shared/inbox/words.ts'
import { figuresQuery } from '../data/queries.ts'
import page from '../ui/page.module.css'
import { day } from '../words/times.ts'
import styles from './figures-page.module.css'

/** Shows how many requests came in, from where, and how fast they were answered. */
export function FiguresPage() {
  const { data, error } = useQuery(figuresQuery)
  return (
    <div className={`stack ${page.page}`} aria-busy={!data && !error}>
      <h1>Figures</h1>
      {error && !data && <p role="alert">The figures could not be loaded: {error.message}</p>}
      {data &&
        (data.weeks.every(({ leads }) => leads === 0) ? (
          <p>No requests in the last {data.weeks.length} weeks.</p>
        ) : (
          <Charts figures={data} />
        ))}
    </div>
  )
}

const legend = { onTime: 'answered on time', late: 'answered late', hollow: 'no answer recorded' }

function Charts({ figures: { weeks, plans, sources } }: { figures: Figures }) {
  const leads = sum(weeks.map((week) => week.leads))
  const due = sum(weeks.map((week) => week.due))
  const onTimePercent = Math.round((100 * sum(weeks.map((week) => week.onTime))) / due)
  const kept =
    due > 0 ? ` Of the ${due} that were answered or are due, ${onTimePercent}% were answered on time.` : ''
  const nameOf = (week: string) => day(week).replace(/^\w+, /, '')
  return (
    <>
      <Chart title="Requests by week" text={`${count(leads, 'request')} in ${weeks.length} weeks.${kept}`}>
        <ul className={`row ${styles.legend}`}>
          {Object.entries(legend).map(([kind, text]) => (
            <li key={kind} className="row">
              <i className={styles[kind]} />
              {text}
            </li>
          ))}
        </ul>
        <ColumnChart
          columns={weeks.map(({ week, leads, answered, onTime }) => ({
            name: nameOf(week),
            words: `${count(leads, 'request')}, ${answered} answered, ${onTime} on time`,
            parts: { onTime, late: answered - onTime, hollow: leads - answered },
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
            parts: { onTime: minutes ?? 0 },
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

/**
 * One line per name, with the leads that were won and lost. The name
 * with the most leads has the longest line.
 */
function BarChart({ bars }: { bars: Figures['plans'] }) {
  const most = Math.max(...bars.map(({ leads }) => leads), 1)
  return (
    <ul className="stack">
      {bars.map(({ name, leads, won, lost }) => (
        <li key={name} className={styles.bar}>
          <span>{name}</span>
          <span>
            {won + lost > 0 && <span className="muted">{`${won} won, ${lost} lost of `}</span>}
            <strong>{leads}</strong>
          </span>
          <i style={{ inlineSize: `${(100 * leads) / most}%` }} />
        </li>
      ))}
    </ul>
  )
}

// More labels would overlap on a phone.
const MAX_LABELS = 4

type ColumnProps = {
  /**
   * `words`: the column's values, for screen readers and as a tooltip. `parts`: how high each is,
   * by its kind, from the bottom up.
   */
  columns: { name: string; words: string; parts: Record<string, number> }[]
  format?: (value: number) => string
}

function ColumnChart({ columns, format = String }: ColumnProps) {
  const highest = Math.max(...columns.map(({ parts }) => sum(Object.values(parts))), 1)
  const every = Math.ceil(columns.length / MAX_LABELS)
  return (
    <div className={styles.chart}>
      <p aria-hidden="true">{format(highest)}</p>
      <ol className={styles.columns}>
        {columns.map(({ name, words, parts }, index) => (
          <li key={name} title={`${name}: ${words}`}>
            <span className="visually-hidden">{`${name}: ${words}`}</span>
            {Object.entries(parts).map(
              ([kind, part]) =>
                part > 0 && (
                  <i
                    key={kind}
                    className={styles[kind]}
                    style={{ blockSize: `${(100 * part) / highest}%` }}
                  />
                ),
            )}
            {(columns.length - 1 - index) % every === 0 && <span aria-hidden="true">{name}</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}
