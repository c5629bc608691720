import * as words from '#brand/words/hero.ts'
import { anchors } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Dimension } from '../../ui/dimension.tsx'
import styles from './hero.module.css'
import { WorkingDrawing } from './working-drawing.tsx'

export function Hero() {
  return (
    <div className={styles.hero}>
      <div className={styles.text}>
        <h1>
          {words.beforeAccent}
          <br />
          <em>{words.accent}</em>
          {words.afterAccent}
        </h1>
        <p className={styles.lead}>{words.lead}</p>
        <div className={styles.actions}>
          <ButtonLink href={`#${anchors.contact}`}>{words.getQuote}</ButtonLink>
          <ButtonLink href={`#${anchors.portfolio}`} kind="plain">
            {words.viewWork}
          </ButtonLink>
        </div>
        <dl className={styles.promises}>
          {words.figures.map(({ figure, label }) => (
            <Dimension key={label} figure={figure} label={label} />
          ))}
        </dl>
      </div>
      <WorkingDrawing />
    </div>
  )
}
