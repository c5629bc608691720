import type { ReactNode } from 'react'
import styles from './section.module.css'

type Props = { id: string; title: string; intro: string; children: ReactNode }

/** The frame that every part of the page shares: an anchor, a heading, an intro. */
export function Section({ id, title, intro, children }: Props) {
  const headingId = `${id}-heading`
  return (
    <section id={id} className={styles.section} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>{title}</h2>
        <p className={styles.intro}>{intro}</p>
      </div>
      {children}
    </section>
  )
}
