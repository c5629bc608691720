import * as words from '#brand/words/portfolio.ts'
import type { Work } from '#shared/facts.ts'
import styles from './portfolio.module.css'

type Props = { work: Work }

/** `media` must match portfolio.module.css; the size must match the window for phone screenshots in draw-brand.ts. */
const onPhones = { media: '(max-width: 32rem)', width: 390, height: 520 }

/** The whole card is clickable, because the title's link covers it. */
export function WorkCard({ work }: Props) {
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
        <p className={styles.category}>{category}</p>
        <h3>
          <a href={url} target="_blank" rel="noopener">
            {title}
            <span className={styles.visuallyHidden}>{words.newTab}</span>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d="M6 14L15 5M8 5h7v7" fill="none" stroke="currentColor" strokeWidth="2" />
            </svg>
          </a>
        </h3>
        <p className={styles.description}>{description}</p>
        <dl className={styles.results}>
          {results.map(({ figure, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
        <ul className={styles.tags}>
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      </div>
    </article>
  )
}
