import type { ReactNode } from 'react'
import * as words from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { type Setting, settingAttribute } from '#shared/pages.ts'
import styles from './privacy.module.css'

/** Marks an element that the server removes unless this setting applies. */
const onlyIf = (setting: Setting) => ({ [settingAttribute]: setting })

export function PrivacyText() {
  const { stored, browser, retention, readers, erasing } = words
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{words.title}</h1>
        <p className={styles.lead}>{words.lead}</p>
      </div>
      <Part title={stored.title}>
        <p>{stored.intro}</p>
        <dl className={styles.items}>
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
        <p {...onlyIf('kept')}>{retention.kept}</p>
        <p {...onlyIf('deleted')}>{retention.deleted}</p>
        <p>{retention.backups}</p>
      </Part>
      <Part title={readers.title}>
        <ul className={styles.readers}>
          <li>{readers.people}</li>
          <li>{readers.mailServer}</li>
          <li {...onlyIf('posted')}>{readers.program}</li>
        </ul>
        <p>{readers.nobodyElse}</p>
      </Part>
      <Part title={erasing.title}>
        <p>{erasing.ask}</p>
        <p className={styles.links}>
          <a href={`mailto:${brand.email}`}>{brand.email}</a>
          <a href={`tel:${brand.phoneLink}`}>{brand.phone}</a>
        </p>
        <p>{erasing.effect}</p>
        <p>{erasing.emails}</p>
      </Part>
    </div>
  )
}

// This is not a `section`, because global.css would postpone its layout.
const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.part}>
    <h2>{title}</h2>
    <div className={styles.text}>{children}</div>
  </div>
)
