import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Kind = { kind?: 'primary' | 'plain' }

export function Button({ kind = 'primary', type = 'button', ...button }: ComponentProps<'button'> & Kind) {
  return <button type={type} className={`${styles.button} ${styles[kind]}`} {...button} />
}

/** A link that looks like a button. */
export function ButtonLink({ kind = 'primary', ...link }: ComponentProps<'a'> & Kind & { href: string }) {
  return <a className={`${styles.button} ${styles[kind]}`} {...link} />
}
