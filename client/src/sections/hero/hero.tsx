import { promises } from '#shared/business.ts'
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
          Websites built <br />
          <em>true</em>, for people who build things.
        </h1>
        <p className={styles.lead}>
          We design, host and look after websites for small and medium businesses. One setup price, one
          monthly price, and a person who answers the same day.
        </p>
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
