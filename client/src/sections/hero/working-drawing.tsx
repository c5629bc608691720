import * as words from '#brand/words/drawing.ts'
import { Mark } from '../../ui/mark.tsx'
import { DrawnHouse } from './drawn-house.tsx'
import { DrawnPage } from './drawn-page.tsx'
import { DrawnPhone } from './drawn-phone.tsx'
import styles from './working-drawing.module.css'

/** `leader` is the line from the number to its part of the drawing. */
const callouts = [
  { text: words.headline, at: [26, 122], leader: 'M40 122h54' },
  { text: words.button, at: [26, 216], leader: 'M40 216h54' },
  { text: words.prices, at: [26, 338], leader: 'M40 338h54' },
  { text: words.picture, at: [614, 150], leader: 'M600 150h-52' },
  { text: words.phone, at: [614, 408], leader: 'M600 408h-22' },
] as const

/** A web page as a technical drawing: numbered parts, a legend, a title block. */
export function WorkingDrawing() {
  return (
    <figure className={styles.sheet}>
      <svg className={styles.drawing} viewBox="0 0 640 500" width="640" height="500" aria-hidden="true">
        <BuildTime />
        <DrawnPage />
        <DrawnHouse />
        <DrawnPhone />
        {callouts.map(({ at: [x, y], leader }, index) => (
          <g key={leader} className={styles.callout}>
            <path d={leader} />
            <circle cx={x} cy={y} r="14" />
            <text x={x} y={y + 6}>
              {index + 1}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className={styles.legend}>
        <ol>
          {callouts.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
        <p className={styles.title}>
          <span>
            <Mark className={styles.bob} />
            {words.sheet}
          </span>
          <span>{words.view}</span>
          <span>{words.note}</span>
        </p>
      </figcaption>
    </figure>
  )
}

/** The build time, as a dimension line above the page. */
function BuildTime() {
  return (
    <g className={styles.dimension}>
      <path d="M70 18v24M570 18v24M70 30h182M388 30h182" />
      <path className={styles.arrow} d="M70 30l12-4v8zM570 30l-12-4v8z" />
      <text x="320" y="37">
        {words.width}
      </text>
    </g>
  )
}
