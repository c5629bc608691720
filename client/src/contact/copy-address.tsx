import { useEffect, useState } from 'react'
import { brand } from '#shared/business.ts'
import styles from '../ui/text-button.module.css'
import { copyText } from './copy-text.ts'
import { notify } from './toasts.tsx'

/** Takes its place from the start, and shows itself once a script can do what it says. */
export function CopyAddress() {
  const [hasScript, setScript] = useState(false)
  useEffect(() => setScript(true), [])

  const onClick = async () => {
    notify(
      (await copyText(brand.email)) ? `${brand.email} is copied.` : `Please copy it by hand: ${brand.email}`,
    )
  }
  return (
    <button type="button" className={`${styles.button} ${hasScript ? '' : styles.waiting}`} onClick={onClick}>
      Copy address
    </button>
  )
}
