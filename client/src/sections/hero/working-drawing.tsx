import { samplePicture } from '#brand/sample-picture.ts'
import * as words from '#brand/words/drawing.ts'
import { newTab } from '#brand/words/portfolio.ts'
import { hasSamples } from '#shared/pages.ts'
import drawing from '../../ui/drawing.module.css'
import styles from './working-drawing.module.css'

/**
 * A line goes from `dot`, on the part of the drawing that the label names, along `path` to the
 * label, whose middle is at `y`.
 */
const callouts = [
  { name: words.phone, y: 30, dot: [151, 30], path: 'H171' },
  { name: words.headline, y: 65, dot: [112, 65], path: 'H171' },
  { name: words.picture, y: 100, dot: [137, 131], path: 'L157 100H171' },
  { name: words.button, y: 141, dot: [119, 141], path: 'H171' },
  { name: words.prices, y: 174, dot: [189, 217], path: 'V183' },
]

const text = 'var(--color-text)'
const line = 'var(--color-line)'
const panel = 'var(--color-panel)'

/**
 * A technical drawing of a website: a phone, which a plumb line proves upright, a browser window
 * behind it, labels, and a title block.
 */
export function WorkingDrawing() {
  return (
    <figure className={styles.sheet}>
      <svg
        className={styles.drawing}
        viewBox="-14 4 330 260"
        width="330"
        height="260"
        fill="none"
        role="none"
      >
        <svg
          overflow="visible"
          role="img"
          aria-label={[words.description, ...callouts.map(({ name }) => `${name}.`)].join(' ')}
        >
          <path stroke={text} d="M-4-1V212" />
          <path className={drawing.line} d="M-4 44H10M-4 184H10M2 41v6M5 41v6M2 181v6M5 181v6" />
          <path fill="var(--color-action)" d="M-7 211h6v3h3v8l-6 16-6-16v-8h3z" />
          <path stroke={panel} d="M-10 217.5h12" />
          <DrawnPage />
          <DrawnPhone />
          {callouts.map(({ name, dot, path }) => (
            <path key={name} stroke={line} d={`M${dot.join(' ')}${path}`} />
          ))}
          {/* On the screen, the lines are light, as the sample's words are. */}
          <path
            stroke={samplePicture.colors.onScene}
            strokeWidth="1.25"
            d="M112 65h30M137 131l5-7.75M119 141h23"
          />
          {callouts.map(({ name, y, dot: [x, atY] }) => (
            <g key={name}>
              <circle fill={line} stroke={panel} cx={x} cy={atY} r="3" />
              <text className={styles.label} dominantBaseline="central" x="176" y={y}>
                {name}
              </text>
            </g>
          ))}
        </svg>
        {/* Not in the image, because nobody can use a link inside an image. Its area covers the phone. */}
        {hasSamples && (
          <a
            href={words.sample.site}
            target="_blank"
            rel="noopener"
            aria-label={`${words.openSample}: ${words.sample.name}${newTab}`}
            data-print="never"
          >
            <rect fill="transparent" x="10" y="10" width="141" height="254" />
            <rect className={styles.ring} x="6" y="6" width="149" height="242" rx="20" />
            <text className={styles.label} x="136" y="260" textAnchor="end">
              {words.openSample}
            </text>
            <path className={drawing.line} d="M140 260l7-7M142 253h5v5" />
          </a>
        )}
      </svg>
      <figcaption className={styles.title}>
        {words.titleBlock.map((entry) => (
          <span key={entry}>{entry}</span>
        ))}
      </figcaption>
    </figure>
  )
}

/** The browser window behind the phone, with three prices. */
const DrawnPage = () => (
  <g>
    <rect className={drawing.line} fill={panel} x="120" y="186" width="190" height="58" rx="4" />
    <path className={drawing.line} d="M120 197h190M162 205h41v32h-41zM260 205h41v32h-41z" />
    <path className={drawing.strong} d="M211 205h41v32h-41z" />
    <path fill="var(--color-action)" d="M221 202h21v6h-21z" />
    <path stroke={text} strokeWidth="3" strokeLinecap="round" d="M161 191.5h0M167 191.5h0M173 191.5h0" />
    <path fill={text} d="M168 213h18v7h-18zM217 213h18v7h-18zM266 213h18v7h-18z" />
    <path className={drawing.faint} d="M168 228h29M217 228h29M266 228h29" />
  </g>
)

/** The phone in front, with the first screen of a sample site in its own colors. */
function DrawnPhone() {
  const { colors, logo, scene, shingles } = samplePicture
  const { name, headline, button, call } = words.sample
  return (
    <g>
      <rect className={drawing.strong} fill={panel} x="10" y="10" width="141" height="234" rx="16" />
      <path fill={colors.bar} d="M18 28h125v21h-125z" />
      <path fill={colors.onBar} d={logo} />
      {scene.map((shape) => (
        <path key={shape.d} {...shape} />
      ))}
      <path strokeWidth="1" {...shingles} />
      <path stroke={colors.onScene} strokeOpacity="0.6" d="M25 124h84M25 130h60" />
      <path fill={colors.action} d="M25 137h90v24h-90z" />
      <path fill={colors.bar} d="M18 206h125v22h-125z" />
      <g className={styles.sample}>
        <text fill={colors.onBar} x="47" y="43">
          {name}
        </text>
        {headline.map((line, index) => (
          <text key={line} fontSize="14.5" fill={colors.onScene} x="25" y={71 + index * 18}>
            {line}
          </text>
        ))}
        <text fontSize="9" textAnchor="middle" fill={colors.onAction} x="70" y="152.5">
          {button}
        </text>
        <text fontSize="9" textAnchor="middle" fill={colors.onBar} x="80.5" y="220.5">
          {call}
        </text>
      </g>
      <rect className={drawing.line} x="18" y="28" width="125" height="200" rx="3" />
    </g>
  )
}
