import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Kind = { kind?: 'primary' | 'plain' }
type Work = { isWorking?: boolean }

/**
 * A button that ignores presses while it works. It isn't `disabled` then: it would lose the focus,
 * and with it, people who use a keyboard or a screen reader would lose their place.
 */
export function WorkingButton({
  isWorking,
  type = 'button',
  onClick,
  ...button
}: ComponentProps<'button'> & Work) {
  return (
    <button
      type={type}
      aria-disabled={isWorking || undefined}
      // Without the press, the browser doesn't send a form either, even after Enter in a field.
      onClick={isWorking ? (event) => event.preventDefault() : onClick}
      {...button}
    />
  )
}

export function Button({ kind = 'primary', ...button }: ComponentProps<'button'> & Work & Kind) {
  return <WorkingButton className={`${styles.button} ${styles[kind]}`} {...button} />
}

/** A link that looks like a button. */
export function ButtonLink({ kind = 'primary', ...link }: ComponentProps<'a'> & Kind & { href: string }) {
  return <a className={`${styles.button} ${styles[kind]}`} {...link} />
}
