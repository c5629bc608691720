import { portfolio } from '#shared/business/plans.ts'
import { anchors } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Section } from '../../ui/section.tsx'
import styles from './portfolio.module.css'
import { WorkCard } from './work-card.tsx'

export function Portfolio() {
  return (
    <Section
      id={anchors.portfolio}
      title="Two sites to walk through"
      intro="Samples of our own, built the way we would build yours. Open them on the phone in your pocket."
    >
      <div className={styles.works}>
        {portfolio.map((work) => (
          <WorkCard key={work.id} work={work} />
        ))}
      </div>
      <div className={styles.closing}>
        <p>Yours could stand here next.</p>
        <ButtonLink href={`#${anchors.contact}`}>Start Your Project</ButtonLink>
      </div>
    </Section>
  )
}
