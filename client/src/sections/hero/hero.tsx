import * as words from '#brand/words/hero.ts'
import { brand } from '#facts/brand.ts'
import { anchors, hasSamples } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dimension } from '../../ui/dimension.tsx'
import { OpenOrClosed } from '../../ui/office-hours.tsx'
import styles from './hero.module.css'
import { WorkingDrawing } from './working-drawing.tsx'

export function Hero() {
  return (
    <div id="hero" className={`${styles.hero} page`}>
      <div className={styles.text}>
        <h1>
          {words.beforeAccent}
          <br />
          <em>
            {words.accent}
            {/* Makes the accented words as wide as they are in the web font. An SVG, because the content
                security policy forbids `style` attributes. */}
            <svg width={words.accentWidth} height="0" aria-hidden="true" />
          </em>
          {words.afterAccent}
        </h1>
        <p className={`lead ${styles.lead} muted`}>{words.lead}</p>
        <div className={styles.actions} data-print="never">
          <ButtonLink href={`#${anchors.contact}`}>{words.getQuote}</ButtonLink>
          {hasSamples && (
            <ButtonLink href={`#${anchors.portfolio}`} kind="plain">
              {words.viewWork}
            </ButtonLink>
          )}
        </div>
        <p className={`row ${styles.call} small`} data-print="never">
          <span>
            {words.orCall}
            <a className="touch" href={`tel:${brand.phoneLink}`}>
              {brand.phone}
            </a>
          </span>
          <OpenOrClosed />
        </p>
      </div>
      <dl className={styles.promises}>
        {words.figures.map(({ figure, label }) => (
          <Dimension key={label} figure={figure} label={label} />
        ))}
      </dl>
      <WorkingDrawing />
    </div>
  )
}
