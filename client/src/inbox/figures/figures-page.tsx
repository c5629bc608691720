import type { Figures } from '#shared/inbox/api.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import { useFigures, useSummary } from '../data/queries.ts'
import { useShowApp } from '../frame/app-element.ts'
import page from '../ui/page.module.css'
import { day } from '../words/times.ts'
import { BarChart } from './bar-chart.tsx'
import { Chart } from './chart.tsx'
import { ColumnChart } from './column-chart.tsx'
import styles from './figures-page.module.css'

/** Shows how many requests came in, from where, and how fast they were answered. */
export function FiguresPage() {
  const { data, error } = useFigures()
  const all = useSummary().data?.counts.all
  const noRequests = all ? `No requests in the last ${data?.weeks.length} weeks.` : 'No requests yet.'
  useShowApp()
  return (
    <div className={page.page} aria-busy={!data && !error}>
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
  const names = weeks.map(({ week }) => day(week).replace(/^\w+, /, ''))
  return (
    <>
      <Chart
        title="Requests by week"
        text={`${leads} ${leads === 1 ? 'request' : 'requests'} in ${weeks.length} weeks.${kept}`}
        columns={['Week of', 'Requests', 'Answered or due', 'Answered', 'Answered on time']}
        rows={weeks.map((week, index) => [
          names[index] ?? '',
          week.leads,
          week.due,
          week.answered,
          week.onTime,
        ])}
      >
        <ul className={styles.legend}>
          <li className={styles.onTime}>answered on time</li>
          <li className={styles.late}>answered late</li>
          <li className={styles.none}>no answer recorded</li>
        </ul>
        <ColumnChart
          names={names}
          columns={weeks.map((week) => [
            week.onTime,
            Math.max(0, week.answered - week.onTime),
            Math.max(0, week.leads - week.answered),
          ])}
        />
      </Chart>
      <Chart
        title="Time to answer"
        text="The median of each week: half of the answers were faster."
        columns={['Week of', 'Median time']}
        rows={weeks.map(({ medianMinutesToAnswer: minutes }, index) => [
          names[index] ?? '',
          minutes === null ? 'no answers' : timeInWords(minutes),
        ])}
      >
        <ColumnChart
          names={names}
          format={timeInWords}
          columns={weeks.map(({ medianMinutesToAnswer }) => [medianMinutesToAnswer ?? 0])}
        />
      </Chart>
      <Chart
        title="Requests by plan"
        columns={['Plan', 'Requests']}
        rows={plans.map((plan) => [plan.name, plan.leads])}
      >
        <BarChart bars={plans} />
      </Chart>
      {sources.length > 0 && (
        <Chart
          title="Requests by source"
          columns={['Source', 'Requests']}
          rows={sources.map((source) => [source.name, source.leads])}
        >
          <BarChart bars={sources} />
        </Chart>
      )}
    </>
  )
}

const isEmpty = ({ weeks }: Figures) => weeks.every(({ leads }) => leads === 0)

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
