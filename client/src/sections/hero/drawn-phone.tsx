import { samplePicture } from '#brand/sample-picture.ts'
import { sample } from '#brand/words/drawing.ts'
import styles from './working-drawing.module.css'

const { colors, logo, scene, shingles } = samplePicture
// Makes the display font as narrow as the sample site's letters.
const NARROW = 0.66
const LINE_HEIGHT = 21

/** Part of the working drawing: the phone in front, with the first screen of a sample site in its own colors. */
export function DrawnPhone() {
  return (
    <g>
      <rect className={styles.phone} x="10" y="10" width="141" height="234" rx="16" />
      <path className={styles.line} d="M68 19.5h25M66 236h29" />
      <path fill={colors.bar} d="M18 49V31a3 3 0 0 1 3-3h119a3 3 0 0 1 3 3v18z" />
      <path fill={colors.onBar} d={logo} />
      <text className={styles.name} fill={colors.onBar} transform={`translate(47 44) scale(${NARROW} 1)`}>
        {sample.name}
      </text>
      {scene.map((shape) => (
        <path key={shape.d} {...shape} />
      ))}
      <path fill="none" strokeWidth="1" {...shingles} />
      <text
        className={styles.headline}
        fill={colors.onScene}
        transform={`translate(25 73) scale(${NARROW} 1)`}
      >
        {sample.headline.map((line, index) => (
          <tspan key={line} x="0" y={index * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
      <path stroke={colors.onScene} strokeOpacity="0.6" d="M25 124h84M25 130h60" />
      <rect className={styles.action} fill={colors.action} x="25" y="137" width="90" height="24" rx="1" />
      <text
        className={styles.centered}
        fill={colors.onAction}
        transform={`translate(70 153.5) scale(${NARROW} 1)`}
      >
        {sample.button}
      </text>
      <path fill={colors.bar} d="M18 206h125v19a3 3 0 0 1-3 3H21a3 3 0 0 1-3-3z" />
      <text
        className={styles.centered}
        fill={colors.onBar}
        transform={`translate(80.5 221.5) scale(${NARROW} 1)`}
      >
        {sample.call}
      </text>
      {/* Sets the leader lines of working-drawing.tsx off from the screen. */}
      <path className={styles.halo} d="M112 65h31M137 131l6-15M119 141h24" />
      <rect className={styles.line} x="18" y="28" width="125" height="200" rx="3" />
    </g>
  )
}
