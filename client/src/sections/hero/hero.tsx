import { brand, promises } from '#shared/business/plans.ts'
import { anchors } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Dimension } from '../../ui/dimension.tsx'
import styles from './hero.module.css'
import { WorkingDrawing } from './working-drawing.tsx'

const firstWords = brand.slogan.split(' ')
const lastWord = firstWords.pop()

// One text node: with several, a font switch that changes the line breaks counts as a layout shift.
const lead = `We design, host and look after websites for ${brand.audience}. One setup price, one monthly price, and a ${promises.response.toLowerCase()} from a person.`

export function Hero() {
  return (
    <div className={styles.hero}>
      <div className={styles.text}>
        <h1>
          {firstWords.join(' ')} <br />
          <em>{lastWord}</em>, for people who build things.
        </h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>
          <ButtonLink href={`#${anchors.contact}`}>Get Your Quote Now</ButtonLink>
          <ButtonLink href={`#${anchors.portfolio}`} kind="plain">
            View Our Work
          </ButtonLink>
        </div>
        <dl className={styles.promises}>
          <Dimension figure={promises.buildTime} label="to build your site" />
          <Dimension figure={promises.quote} label="to your free quote" />
          <Dimension figure={promises.uptime} label="uptime, in every plan" />
        </dl>
      </div>
      <WorkingDrawing />
    </div>
  )
}
