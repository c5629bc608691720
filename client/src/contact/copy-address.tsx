import { useEffect, useState } from 'react'
import * as words from '#brand/words/form.ts'
import { brand } from '#facts/brand.ts'
import styles from '../ui/text-button.module.css'
import { copyText } from './copy-text.ts'
import { notify } from './toasts.tsx'

/** The button is invisible until the script runs, but takes up space to prevent a layout shift. */
export function CopyAddress() {
  const [hasScript, setScript] = useState(false)
  useEffect(() => setScript(true), [])

  const onClick = async () => {
    const isCopied = await copyText(brand.email)
    notify(isCopied ? words.addressCopied : words.addressNotCopied)
  }
  return (
    <button type="button" className={`${styles.button} ${hasScript ? '' : styles.waiting}`} onClick={onClick}>
      {words.copyAddress}
    </button>
  )
}
