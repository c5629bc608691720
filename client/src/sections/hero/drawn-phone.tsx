import { samplePicture } from '#brand/sample-picture.ts'
import { sample } from '#brand/words/drawing.ts'
import styles from './working-drawing.module.css'

const LINE_HEIGHT = 18

/** Part of the working drawing: the phone in front, with the first screen of a sample site. */
export function DrawnPhone() {
  return (
    <g>
      <rect className={styles.phone} x="10" y="10" width="141" height="234" rx="16" />
      <path className={styles.line} d="M68 19.500h25M66 236h29" />
      <rect className={styles.well} x="18" y="49" width="125" height="157" />
      <rect className={styles.line} x="18" y="28" width="125" height="200" rx="3" />
      <path className={styles.solid} d={samplePicture.logo} />
      <text className={styles.name} x="47" y="43.500">
        {sample.name}
      </text>
      <path className={styles.faint} d={samplePicture.hills} />
      <path className={styles.roof} d={samplePicture.roof} />
      <path className={styles.faint} d={samplePicture.shingles} />
      <text className={styles.headline}>
        {sample.headline.map((line, index) => (
          <tspan key={line} x="25" y={71 + index * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
      <path className={styles.faint} d="M25 118h84M25 125h60" />
      <rect className={styles.action} x="25" y="133" width="98" height="25" rx="2" />
      <text className={styles.onAction} x="74" y="150">
        {sample.button}
      </text>
      <path className={styles.solid} d="M18 206h125v19a3 3 0 0 1-3 3H21a3 3 0 0 1-3-3z" />
      <text className={styles.onSolid} x="80.500" y="221">
        {sample.call}
      </text>
    </g>
  )
}
