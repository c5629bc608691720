import * as words from '#brand/words/drawing.ts'
import { newTab } from '#brand/words/portfolio.ts'
import { Callout } from './callout.tsx'
import { DrawnPage } from './drawn-page.tsx'
import { DrawnPhone } from './drawn-phone.tsx'
import styles from './working-drawing.module.css'

/** `leader` continues from the dot at `from`, on the part of the drawing that the label names. The label begins at `at`. */
const callouts = [
  { label: words.phone, at: [176, 34], from: [151, 30], leader: 'H171' },
  { label: words.headline, at: [176, 69], from: [112, 65], leader: 'H171' },
  { label: words.picture, at: [176, 104], from: [137, 131], leader: 'L149 100H171' },
  { label: words.button, at: [176, 145], from: [119, 141], leader: 'H171' },
  { label: words.prices, at: [176, 178], from: [189, 217], leader: 'V183' },
] as const

const size = { viewBox: '0 4 320 260', width: 320, height: 260 }

/** A technical drawing of a website: a phone, a browser window behind it, labels, and a title block. */
export function WorkingDrawing() {
  return (
    <figure className={styles.sheet}>
      <div className={styles.drawing}>
        <svg
          {...size}
          role="img"
          aria-label={[words.description, ...callouts.map(({ label }) => `${label}.`)].join(' ')}
        >
          <DrawnPage />
          <DrawnPhone />
          {callouts.map((callout) => (
            <Callout key={callout.label} {...callout} />
          ))}
        </svg>
        {/* On top, because nobody can use a link inside an image. */}
        <svg {...size} role="none" data-print="never">
          <a
            href={words.sample.site}
            target="_blank"
            rel="noopener"
            aria-label={`${words.openSample}: ${words.sample.name}${newTab}`}
          >
            <rect x="10" y="10" width="141" height="254" rx="16" />
            <text className={styles.label} x="136" y="260" textAnchor="end">
              {words.openSample}
            </text>
            <path className={styles.line} d="M140 260l7-7M142 253h5v5" />
          </a>
        </svg>
      </div>
      <figcaption className={styles.title}>
        {words.titleBlock.map((entry) => (
          <span key={entry}>{entry}</span>
        ))}
      </figcaption>
    </figure>
  )
}
