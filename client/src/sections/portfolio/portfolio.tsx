import * as testWords from '#brand/words/page-test.ts'
import * as words from '#brand/words/portfolio.ts'
import { portfolio } from '#facts/portfolio.ts'
import type { Work } from '#shared/fact-checks/facts.ts'
import { anchors, SITE_URL } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import dimension from '../../ui/dimension.module.css'
import { Section } from '../../ui/section.tsx'
import { applies, onlyIf } from '../../ui/settings.ts'
import styles from './portfolio.module.css'

export function Portfolio() {
  return (
    <Section id={anchors.portfolio} title={words.title} intro={words.intro}>
      <div className={`stack ${styles.columns}`}>
        {portfolio.map((work) => (
          <WorkCard key={work.id} work={work} />
        ))}
      </div>
      <PageTest />
      <div className={`row ${styles.closing}`} data-print="never">
        <p>{words.closing}</p>
        <ButtonLink href={`#${anchors.contact}`}>{words.startProject}</ButtonLink>
      </div>
    </Section>
  )
}

/**
 * `media` must match portfolio.module.css; the size must match the window for phone screenshots in
 * draw-brand.ts.
 */
const onPhones = { media: '(max-width: 32rem)', width: 390, height: 520 }

/** The whole card is clickable, because the title's link covers it. */
function WorkCard({ work }: { work: Work }) {
  const { title, category, description, results, tags, url, image } = work
  return (
    <article className={styles.work}>
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
      <div className={styles.text}>
        <p className="muted small">{category}</p>
        <h3>
          <a href={url} target="_blank" rel="noopener">
            {title}
            <span className="visually-hidden">{words.newTab}</span>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
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

/**
 * Test results for this page, and a link to test it again. The server removes the link if the site
 * isn't public.
 */
function PageTest() {
  if (!testWords.results) return null
  return (
    <div className={`stack ${styles.columns} ${styles.test}`}>
      <div>
        <h3>{testWords.title}</h3>
        <p className="muted">{testWords.intro}</p>
      </div>
      <dl className={styles.figures}>
        {testWords.results.map(({ figure, label }) => (
          <div key={label} className={dimension.dimension}>
            <dt className="muted">{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small">{testWords.details}</p>
      {applies('public') && (
        <p {...onlyIf('public')}>
          <ButtonLink
            kind="plain"
            href={`https://pagespeed.web.dev/analysis?url=${globalThis.location?.origin ?? SITE_URL}/`}
            target="_blank"
            rel="noopener"
          >
            {testWords.runTest}
            <span className="visually-hidden">{words.newTab}</span>
          </ButtonLink>
        </p>
      )}
    </div>
  )
}
