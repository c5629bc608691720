import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import { askForCode, choosePasskey, redeemPasskey } from '../data/sign-in.ts'
import styles from './sign-in.module.css'

type Props = {
  owner: string | undefined
  onAsked: (address: string) => void
  onSignedIn: (session: Session) => void
}

/** Asks for the email address. The browser also offers passkeys in this field. */
export function AddressForm({ owner = '', onAsked, onSignedIn }: Props) {
  const [address, setAddress] = useState(owner)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const signedIn = useEffectEvent(onSignedIn)

  // Runs again each time the server refuses a passkey, because a challenge works only once.
  useEffect(() => {
    if (!window.PublicKeyCredential) return
    const refuse = (problem: unknown) => {
      setError((problem as Error).message)
      setRefusals((count) => count + 1)
    }
    choosePasskey({ isAutofill: true }).then(
      (choice) => choice && redeemPasskey(choice).then(signedIn, refuse),
      // Does nothing if the browser can't offer passkeys here: there are other ways to sign in.
      () => {},
    )
  }, [refusals])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await askForCode(address.trim())
      onAsked(address.trim())
    } catch (problem) {
      setError((problem as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field id="address" label="Your email address" error={error}>
        <input
          id="address"
          type="email"
          value={address}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          {...describeField('address', { error })}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'Sending…' : 'Email me a code'}
      </Button>
    </form>
  )
}
