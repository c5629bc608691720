import * as words from '#brand/words/process.ts'
import { keepTogether } from '../../ui/keep-together.tsx'
import styles from './process.module.css'

/** The four steps, drawn as parts of one dimension line. */
export function Process() {
  return (
    <div className={styles.process}>
      <h3>{words.title}</h3>
      <ol className={styles.steps}>
        {words.steps.map(({ name, time }) => (
          <li key={name} className={styles.step}>
            <span className={styles.name}>{name}</span>
            <span className={styles.line} />
            <span className={styles.time}>{keepTogether(time)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
