import { useEffect, useState } from 'react'
import { brand } from '#shared/business.ts'
import styles from '../ui/text-button.module.css'
import { copyText } from './copy-text.ts'
import { notify } from './toasts.tsx'

/** Reserves its space, but is only visible once the script runs. */
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
