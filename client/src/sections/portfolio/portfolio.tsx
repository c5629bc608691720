import * as words from '#brand/words/portfolio.ts'
import { portfolio } from '#facts/portfolio.ts'
import type { Work } from '#shared/fact-checks/facts.ts'
import { anchors } from '#shared/pages.ts'
import { Section } from '../../ui/section.tsx'
import { BlankSheet } from './blank-sheet.tsx'
import { PageTest } from './page-test.tsx'
import styles from './portfolio.module.css'

export function Portfolio() {
  return (
    <Section id={anchors.portfolio} title={words.title} intro={words.intro}>
      <div className={`stack ${styles.columns}`}>
        {portfolio.map((work: Work) => (
          <WorkCard key={work.id} work={work} />
        ))}
      </div>
      <PageTest />
      <BlankSheet />
    </Section>
  )
}

/**
 * `media` must match portfolio.module.css; the size must match the window for phone screenshots in
 * draw-brand.ts.
 */
const onPhones = { media: '(max-width: 32rem)', width: 460, height: 640 }

/** The whole card is clickable, because the title's link covers it. */
function WorkCard({ work }: { work: Work }) {
  const { title, category, description, results, tags, url, image } = work
  return (
    <article className={`box ${styles.work}`}>
      <picture className={styles.picture}>
        <source {...onPhones} type="image/avif" srcSet={`${image}-phone.avif`} />
        <source {...onPhones} srcSet={`${image}-phone.jpg`} />
        <source type="image/avif" srcSet={`${image}.avif`} />
        <img
          src={`${image}.jpg`}
          width="1200"
          height="800"
          loading="lazy"
          decoding="async"
          alt={words.picture(title)}
        />
      </picture>
      {/* Only in wide windows (portfolio.module.css). */}
      <picture className={styles.phone}>
        <source type="image/avif" srcSet={`${image}-phone.avif`} />
        <img
          src={`${image}-phone.jpg`}
          width={onPhones.width}
          height={onPhones.height}
          loading="lazy"
          decoding="async"
          alt=""
        />
      </picture>
      <div className={styles.text}>
        <p className="muted small">{category}</p>
        <h3>
          <a href={url} target="_blank" rel="noopener">
            {title}
            <span className="visually-hidden">{words.newTab}</span>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" data-print="never">
              <path d="M6 14L15 5M8 5h7v7" fill="none" stroke="currentColor" strokeWidth="2" />
            </svg>
          </a>
        </h3>
        <p className={`${styles.description} muted`}>{description}</p>
        <dl className={`row ${styles.results} muted small`}>
          {results.map(({ figure, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
        <ul className={`row ${styles.tags} muted`}>
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      </div>
    </article>
  )
}
