import { useState } from 'react'
import type { Session } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { choosePasskey, redeemPasskey } from '../data/sign-in.ts'
import styles from './sign-in.module.css'

export function PasskeyButton({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const [error, setError] = useState<string>()
  const signIn = async () => {
    setError(undefined)
    try {
      const choice = await choosePasskey({ isAutofill: false })
      if (choice) onSignedIn(await redeemPasskey(choice))
      else setError('No passkey was used.')
    } catch (problem) {
      setError((problem as Error).message)
    }
  }
  if (!window.PublicKeyCredential)
    return (
      <p className={styles.note}>
        Passkeys need a browser that supports them, and an https address or localhost.
      </p>
    )
  return (
    <>
      <Button kind="plain" onClick={signIn}>
        Use a passkey
      </Button>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
