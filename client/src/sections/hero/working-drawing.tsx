import * as words from '#brand/words/drawing.ts'
import { newTab } from '#brand/words/portfolio.ts'
import { Callout } from './callout.tsx'
import { DrawnPage } from './drawn-page.tsx'
import { DrawnPhone } from './drawn-phone.tsx'
import styles from './working-drawing.module.css'

/** `leader` begins at the part of the drawing that the label names. The text of the label begins at `at`. */
const callouts = [
  { label: words.phone, at: [176, 34], leader: 'M151 30H171' },
  { label: words.headline, at: [176, 69], leader: 'M112 65H171' },
  { label: words.picture, at: [176, 104], leader: 'M134 134L149 100H171' },
  { label: words.button, at: [176, 143], leader: 'M112 139H171' },
  { label: words.prices, at: [176, 178], leader: 'M189 217V183' },
] as const

const size = { viewBox: '0 0 320 254', width: 320, height: 254 }

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
          <a href={words.sample.site} target="_blank" rel="noopener" aria-label={words.openSample + newTab}>
            <rect x="10" y="10" width="141" height="234" rx="16" />
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
