import type { ReactNode } from 'react'
import * as words from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { breakable } from '../ui/breakable.tsx'
import { applies, fillRetention, onlyIf } from '../ui/settings.ts'
import styles from './privacy.module.css'

export function Privacy() {
  const { stored, browser, retention, readers, erasing } = words
  return (
    <main id="main" className="page">
      <div className={styles.head}>
        <h1>{words.title}</h1>
        <p className="lead muted">{words.lead}</p>
      </div>
      <Part title={stored.title}>
        <p>{stored.intro}</p>
        <dl className="stack">
          {stored.items.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p>{stored.spamFilter}</p>
        <p>{stored.address}</p>
      </Part>
      <Part title={browser.title}>
        <p>{browser.text}</p>
      </Part>
      <Part title={retention.title}>
        {applies('kept') && <p {...onlyIf('kept')}>{retention.kept}</p>}
        {applies('deleted') && <p {...onlyIf('deleted')}>{fillRetention(retention.deleted)}</p>}
        <p>{retention.backups}</p>
      </Part>
      <Part title={readers.title}>
        <ul className="stack">
          <li>{readers.people}</li>
          <li>{readers.mailServer}</li>
          {applies('posted') && <li {...onlyIf('posted')}>{readers.program}</li>}
        </ul>
        <p>{readers.nobodyElse}</p>
      </Part>
      <Part title={erasing.title}>
        <p>{erasing.ask}</p>
        <p className={`row ${styles.links}`}>
          <a className="touch" href={`mailto:${brand.email}`}>
            {breakable(brand.email)}
          </a>
          <a className="touch" href={`tel:${brand.phoneLink}`}>
            {brand.phone}
          </a>
        </p>
        <p>{erasing.effect}</p>
        <p>{erasing.emails}</p>
      </Part>
    </main>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={`stack ${styles.part}`}>
    <h2>{title}</h2>
    <div className={`stack ${styles.text}`}>{children}</div>
  </div>
)
