import type { ReactNode } from 'react'
import * as words from '#brand/words/footer.ts'
import { services } from '#brand/words/services.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { anchors, hasSamples, pages } from '#shared/pages.ts'
import { breakable } from '../../ui/breakable.tsx'
import { keepTogether } from '../../ui/keep-together.tsx'
import { Mark } from '../../ui/mark.tsx'
import styles from './footer.module.css'

/** `anchorBase`: the path of the page with the sections; empty if this is that page. */
export function Footer({ anchorBase }: { anchorBase: string }) {
  return (
    <footer className={styles.footer}>
      <div className="page muted small" data-theme="blueprint">
        <div className={styles.columns}>
          <div>
            <p className={styles.name}>
              <Mark />
              {brand.name}
            </p>
            <p>{words.slogan}</p>
            <p>{words.place}</p>
          </div>
          <FooterColumn
            title={words.services}
            links={services.map(({ id, title }) => ({ href: `${anchorBase}#${id}`, text: title }))}
          />
          <FooterColumn
            title={words.company}
            links={[
              { href: `${anchorBase}#${anchors.pricing}`, text: words.pricing },
              ...(hasSamples ? [{ href: `${anchorBase}#${anchors.portfolio}`, text: words.portfolio }] : []),
              { href: `${anchorBase}#questions`, text: words.questions },
              { href: `${anchorBase}#${anchors.contact}`, text: words.quote },
            ]}
          />
          <FooterColumn
            title={words.contact}
            links={[
              { href: `mailto:${brand.email}`, text: brand.email },
              { href: `tel:${brand.phoneLink}`, text: brand.phone },
            ]}
          >
            <p>{keepTogether(hours.text)}</p>
            <p>{hours.emergency}</p>
          </FooterColumn>
        </div>
        <div className={`row ${styles.close}`}>
          {/* The page may have been built last year. */}
          <p suppressHydrationWarning>{words.copyright}</p>
          <p className={styles.privacy}>
            {words.noTrackers}{' '}
            <a className="touch" href={pages.privacy} data-print="never">
              {words.privacy}
            </a>
          </p>
        </div>
      </div>
    </footer>
  )
}

type ColumnProps = { title: string; links: { href: string; text: string }[]; children?: ReactNode }

function FooterColumn({ title, links, children }: ColumnProps) {
  return (
    <div data-print="never">
      <h2>{title}</h2>
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <a className="touch" href={href}>
              {breakable(text)}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
