import * as words from '#brand/words/portfolio.ts'
import { portfolio } from '#facts/portfolio.ts'
import { anchors } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Section } from '../../ui/section.tsx'
import { PageTest } from './page-test.tsx'
import styles from './portfolio.module.css'
import { WorkCard } from './work-card.tsx'

export function Portfolio() {
  return (
    <Section id={anchors.portfolio} title={words.title} intro={words.intro}>
      <div className={styles.works}>
        {portfolio.map((work) => (
          <WorkCard key={work.id} work={work} />
        ))}
      </div>
      <PageTest />
      <div className={styles.closing} data-print="never">
        <p>{words.closing}</p>
        <ButtonLink href={`#${anchors.contact}`}>{words.startProject}</ButtonLink>
      </div>
    </Section>
  )
}
