import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { choosePasskey, redeemPasskey } from '../data/sign-in.ts'
import { AddressForm } from './address-form.tsx'
import { CodeForm } from './code-form.tsx'
import styles from './sign-in.module.css'

/** Asks for the address, then for the code from the email. A passkey needs neither. `owner`: who is already signed in. */
export function SignInForm({ owner }: { owner?: string }) {
  const [address, setAddress] = useState<string>()
  if (address) return <CodeForm address={address} onBack={() => setAddress(undefined)} />
  return (
    <div className={styles.ways}>
      <AddressForm owner={owner} onAsked={setAddress} />
      <p className={styles.or}>or, without email</p>
      <PasskeyButton />
    </div>
  )
}

function PasskeyButton() {
  const [error, setError] = useState<string>()
  const signIn = async () => {
    setError(undefined)
    try {
      const choice = await choosePasskey({ isAutofill: false })
      if (choice) await redeemPasskey(choice)
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
