import type { ReactNode } from 'react'
import styles from './section.module.css'

type Props = { id: string; title: string; intro: string; children: ReactNode }

export function Section({ id, title, intro, children }: Props) {
  const headingId = `${id}-heading`
  return (
    <section id={id} className={`${styles.section} page`} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>{title}</h2>
        <p className={`${styles.intro} muted`}>{intro}</p>
      </div>
      {children}
    </section>
  )
}
