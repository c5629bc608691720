import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Props = ComponentProps<'button'> & { kind?: 'primary' | 'plain' }

export function Button({ kind = 'primary', type = 'button', ...button }: Props) {
  return <button type={type} className={`${styles.button} ${styles[kind]}`} {...button} />
}
