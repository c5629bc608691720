import * as words from '#brand/words/page-test.ts'
import { newTab } from '#brand/words/portfolio.ts'
import { SITE_URL } from '../../content/head.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from './page-test.module.css'
import shared from './portfolio.module.css'

/** Test results for this page, and a link to test it again. The server removes the link if the site isn't public. */
export function PageTest() {
  if (!words.results) return null
  return (
    <div className={styles.test}>
      <div className={styles.text}>
        <h3>{words.title}</h3>
        <p>{words.intro}</p>
      </div>
      <dl className={styles.results}>
        {words.results.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.details}>{words.details}</p>
      <p data-public-only="">
        <ButtonLink
          kind="plain"
          href={`https://pagespeed.web.dev/analysis?url=${SITE_URL}/`}
          target="_blank"
          rel="noopener"
        >
          {words.runTest}
          <span className={shared.visuallyHidden}>{newTab}</span>
        </ButtonLink>
      </p>
    </div>
  )
}
