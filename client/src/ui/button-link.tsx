import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Props = ComponentProps<'a'> & { href: string; kind?: 'primary' | 'plain' }

/** A link that looks like a button. */
export function ButtonLink({ kind = 'primary', ...link }: Props) {
  return <a className={`${styles.button} ${styles[kind]}`} {...link} />
}
