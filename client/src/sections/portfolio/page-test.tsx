import * as words from '#brand/words/page-test.ts'
import { newTab } from '#brand/words/portfolio.ts'
import { SITE_URL } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import drawing from '../../ui/drawing.module.css'
import { waitFor } from '../../ui/drawn-bar.tsx'
import { Mark } from '../../ui/mark.tsx'
import { applies, onlyIf } from '../../ui/settings.ts'
import styles from './page-test.module.css'

/**
 * Test results for this page, and a link to test it again. The server removes the link if the site
 * isn't public.
 */
export function PageTest() {
  const { reading } = words
  if (!reading) return null
  return (
    <div className={styles.test}>
      <h3>{words.title}</h3>
      <Scale {...reading} />
      <p className={styles.result}>{reading.result}</p>
      <p className="muted small">{reading.details}</p>
      {applies('public') && (
        <p {...onlyIf('public')}>
          <ButtonLink
            kind="plain"
            href={`https://pagespeed.web.dev/analysis?url=${globalThis.location?.origin ?? SITE_URL}/`}
            target="_blank"
            rel="noopener"
          >
            {words.runTest}
            <span className="visually-hidden">{newTab}</span>
          </ButtonLink>
        </p>
      )}
    </div>
  )
}

type Props = { seconds: number; figure: string; label: string }

/**
 * A ruler of at least three seconds. The logo hangs at the measured time. Widths and places are
 * attributes, because the content security policy forbids `style` attributes.
 */
function Scale({ seconds, figure, label }: Props) {
  // Leaves at least half of the ruler for the label of the logo.
  const end = Math.max(3, Math.ceil(2 * seconds))
  const at = (time: number) => `${(100 * time) / end}%`
  const good = at(words.goodSeconds)
  /** The mark travels to the measured time once, in as much time. */
  const measure = (scale: HTMLDivElement) => {
    scale.style.setProperty('--time', `${seconds}s`)
    scale.style.setProperty('--way', at(seconds))
    // Above the bar at the bottom of phones.
    return waitFor(scale, innerHeight - 180)
  }
  return (
    <div ref={measure} className={styles.scale}>
      <div className={styles.reading} aria-hidden="true">
        <svg width={at(seconds)} height="0" />
        <Mark className={styles.mark} />
        <strong>{figure}</strong>
        <span className="muted small">{label}</span>
      </div>
      <svg className={styles.ruler} aria-hidden="true">
        <line className={drawing.line} x2="100%" y1="8" y2="8" />
        <rect className={styles.measured} width={at(seconds)} y="5.5" height="5" />
        {[...Array.from({ length: end + 1 }, (_, second) => at(second)), good].map((x) => (
          <line key={x} className={drawing.line} x1={x} x2={x} y1={x === good ? -6 : 2} y2="14" />
        ))}
        <text y="2.4em">0</text>
        <text x={good} y="2.4em" textAnchor="end">
          {words.good}
        </text>
        <text x="100%" y="2.4em" textAnchor="end">
          {end} s
        </text>
      </svg>
    </div>
  )
}
