import { samplePicture } from '#brand/sample-picture.ts'
import * as words from '#brand/words/drawing.ts'
import { newTab } from '#brand/words/portfolio.ts'
import drawing from '../../ui/drawing.module.css'
import styles from './working-drawing.module.css'

/** `leader` continues from the dot at `from`, on the part of the drawing that the label names. The label begins at `at`. */
const callouts = [
  { name: words.phone, at: [176, 34], from: [151, 30], leader: 'H171' },
  { name: words.headline, at: [176, 69], from: [112, 65], leader: 'H171' },
  { name: words.picture, at: [176, 104], from: [137, 131], leader: 'L149 100H171' },
  { name: words.button, at: [176, 145], from: [119, 141], leader: 'H171' },
  { name: words.prices, at: [176, 178], from: [189, 217], leader: 'V183' },
] as const

const svg = { viewBox: '0 4 320 260', width: 320, height: 260, fill: 'none' }
const text = 'var(--color-text)'
const line = 'var(--color-line)'
const panel = 'var(--color-panel)'
const label = { fill: text, fontSize: 12.5, fontWeight: 600 }

/** A technical drawing of a website: a phone, a browser window behind it, labels, and a title block. */
export function WorkingDrawing() {
  return (
    <figure className={styles.sheet}>
      <div className={styles.drawing}>
        <svg
          {...svg}
          role="img"
          aria-label={[words.description, ...callouts.map(({ name }) => `${name}.`)].join(' ')}
        >
          <DrawnPage />
          <DrawnPhone />
          {callouts.map((callout) => (
            <Callout key={callout.name} {...callout} />
          ))}
        </svg>
        {/* On top, because nobody can use a link inside an image. */}
        <svg {...svg} role="none" data-print="never">
          <a
            href={words.sample.site}
            target="_blank"
            rel="noopener"
            aria-label={`${words.openSample}: ${words.sample.name}${newTab}`}
          >
            <rect x="10" y="10" width="141" height="254" rx="16" />
            <text {...label} x="136" y="260" textAnchor="end">
              {words.openSample}
            </text>
            <path className={drawing.line} d="M140 260l7-7M142 253h5v5" />
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

type Point = readonly [x: number, y: number]
type CalloutProps = { name: string; at: Point; from: Point; leader: string }

/** A label and its leader line, which begins with a dot at the part of the drawing that the label names. */
function Callout({ name, at: [x, y], from: [cx, cy], leader }: CalloutProps) {
  return (
    <g>
      <path stroke={line} d={`M${cx} ${cy}${leader}`} />
      <circle fill={line} stroke={panel} cx={cx} cy={cy} r="3" />
      <text {...label} x={x} y={y}>
        {name}
      </text>
    </g>
  )
}

/** The browser window behind the phone, with three prices. */
function DrawnPage() {
  return (
    <g>
      <rect className={drawing.line} fill={panel} x="120" y="186" width="190" height="58" rx="4" />
      <path className={drawing.line} d="M120 197h190" />
      <g fill={text}>
        <circle cx="161" cy="191.5" r="1.5" />
        <circle cx="167" cy="191.5" r="1.5" />
        <circle cx="173" cy="191.5" r="1.5" />
      </g>
      <Plan x={162} />
      <Plan x={211} isPopular />
      <Plan x={260} />
    </g>
  )
}

function Plan({ x, isPopular = false }: { x: number; isPopular?: boolean }) {
  return (
    <g>
      <rect
        className={isPopular ? drawing.strong : drawing.line}
        x={x}
        y="205"
        width="41"
        height="32"
        rx="2"
      />
      {isPopular && <rect fill="var(--color-action)" x={x + 10} y="202" width="21" height="6" rx="1" />}
      <path fill={text} d={`M${x + 6} 213h18v7H${x + 6}z`} />
      <path className={drawing.faint} d={`M${x + 6} 226h29M${x + 6} 231h20`} />
    </g>
  )
}

// Makes the display font as narrow as the sample site's letters.
const NARROW = 0.66
const LINE_HEIGHT = 21

/** The phone in front, with the first screen of a sample site in its own colors. */
function DrawnPhone() {
  const { colors, logo, scene, shingles } = samplePicture
  return (
    <g>
      <rect className={drawing.strong} fill={panel} x="10" y="10" width="141" height="234" rx="16" />
      <path className={drawing.line} d="M68 19.5h25M66 236h29" />
      <path fill={colors.bar} d="M18 49V31a3 3 0 0 1 3-3h119a3 3 0 0 1 3 3v18z" />
      <path fill={colors.onBar} d={logo} />
      <text className={styles.sample} fill={colors.onBar} transform={`translate(47 44) scale(${NARROW} 1)`}>
        {words.sample.name}
      </text>
      {scene.map((shape) => (
        <path key={shape.d} {...shape} />
      ))}
      <path strokeWidth="1" {...shingles} />
      <text
        className={`${styles.sample} ${styles.headline}`}
        fill={colors.onScene}
        transform={`translate(25 73) scale(${NARROW} 1)`}
      >
        {words.sample.headline.map((line, index) => (
          <tspan key={line} x="0" y={index * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
      <path stroke={colors.onScene} strokeOpacity="0.6" d="M25 124h84M25 130h60" />
      <rect fill={colors.action} x="25" y="137" width="90" height="24" rx="1" />
      <text
        className={`${styles.sample} ${styles.centered}`}
        fill={colors.onAction}
        transform={`translate(70 153.5) scale(${NARROW} 1)`}
      >
        {words.sample.button}
      </text>
      <path fill={colors.bar} d="M18 206h125v19a3 3 0 0 1-3 3H21a3 3 0 0 1-3-3z" />
      <text
        className={`${styles.sample} ${styles.centered}`}
        fill={colors.onBar}
        transform={`translate(80.5 221.5) scale(${NARROW} 1)`}
      >
        {words.sample.call}
      </text>
      {/* Sets the leader lines off from the screen. */}
      <path stroke={panel} strokeWidth="3" d="M112 65h31M137 131l6-15M119 141h24" />
      <rect className={drawing.line} x="18" y="28" width="125" height="200" rx="3" />
    </g>
  )
}
